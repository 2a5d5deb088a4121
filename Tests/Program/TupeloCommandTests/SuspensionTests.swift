import TestSupport
import Testing

/// Ctrl-Z and Ctrl-C at a terminal that sends keys one by one.
extension TerminalTests {
  /// A minimal shell that starts one job. When the job stops, the shell prints the settings of the terminal, and a line
  /// of input continues the job. `is_raw()` reads the terminal from outside.
  private static let shell = #"""
    import signal
    def job(*arguments):
        global child, terminal, seen, position
        seen, position = "", 0
        child, terminal = pty.fork()
        if child != 0: return
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.environ.update({"TERM": "xterm-256color", "NO_COLOR": "1", "TUPELO_MODEL": "none"})
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpgrp())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            os.execv(program, [program, *arguments])
        while True:
            _, status = os.waitpid(pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status): os._exit(os.waitstatus_to_exitcode(status))
            os.tcsetpgrp(0, os.getpgrp())
            flags = termios.tcgetattr(0)[3]
            print(f"shell: canonical {flags & termios.ICANON != 0}, echo {flags & termios.ECHO != 0}", flush=True)
            os.read(0, 100)
            print("shell: fg", flush=True)
            os.tcsetpgrp(0, pid)
            os.kill(-pid, signal.SIGCONT)
    def is_raw(): return termios.tcgetattr(terminal)[3] & (termios.ICANON | termios.ECHO) == 0
    def suspend():
        press("\x1a")
        wait("shell: canonical True, echo True")
        press("fg\n")
        wait("shell: fg")

    """#

  /// Ctrl-Z returns the terminal to the shell as it was. Later the program takes the terminal again, and draws below
  /// the output of the shell, not over it.
  @Test(.slow) func playGoesOnAfterCtrlZ() async throws {
    let output = try await Self.run(
      Self.shell + #"""
        for game in ([], ["--game", "set"]):
            job("play", "--seed", "1", *game)
            wait("(moves|turns) 0"); wait("quit")
            for _ in range(2):
                suspend()
                start = position
                wait("(moves|turns) 0"); wait("quit")
                print(seen[start:position].count("\n") > 4, "A\r" in seen[start:position], is_raw())
            press("?"); wait("hint: ")
            press("q"); wait("(largest tile|left)")
            print(end())
        """#)
    #expect(output == "True False True\nTrue False True\n0\nTrue False True\nTrue False True\n0\n")
  }

  @Test func autoplayGoesOnAfterCtrlZ() async throws {
    let output = try await Self.run(
      Self.shell + #"""
        for game in (["--agent", "random"], ["--game", "set", "--agent", "random"]):
            job("autoplay", "--speed", "1", *game)
            wait("1 moves/s, space pauses")
            press(" "); wait("paused, space continues")
            suspend()
            wait("paused, space continues")
            print(is_raw())
            press("+"); press(" "); wait("2 moves/s, space pauses")
            press("q"); wait("stopped: ")
            print(end())
        """#)
    #expect(output == "True\n0\nTrue\n0\n")
  }

  /// Without a shell that could continue it, the program does not stop, and reads the next key as usual.
  @Test func ctrlZWithoutAShellIsNoEnd() async throws {
    let output = try await Self.run(
      #"""
      start("play", "--seed", "1")
      wait("q quit")
      press("\x1a"); wait("q quit")
      press("?"); wait("hint: ")
      press("q"); wait("largest tile")
      print(end())
      """#)
    #expect(output == "0\n")
  }

  /// The first Ctrl-C gets a message, and the terminal is returned as it was.
  @Test func ctrlCIsAnswered() async throws {
    let output = try await Self.run(
      #"""
      start("evaluate", "--agent", "expectimax(plies: 8, evaluator: heuristic)", "--games", "2")
      wait(", seed ")
      press("\x03")
      wait("stopping; a second Ctrl-C or SIGTERM ends it at once")
      wait("stopped before a game was finished")
      print(end())
      start("autoplay", "--speed", "1")
      wait("1 moves/s, space pauses")
      press("\x03")
      wait("stopping; a second Ctrl-C"); wait("stopped: score"); wait("stopped before the end of the game")
      print(termios.tcgetattr(terminal)[3] & termios.ECHO != 0, end())
      """#)
    #expect(output == "130\nTrue 130\n")
  }
}
