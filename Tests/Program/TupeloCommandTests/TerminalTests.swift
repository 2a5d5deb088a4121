import Foundation
import TestSupport
import Testing

/// Terminals whose other end is held by Python.
private enum PythonTerminals {
  static let areHere = (try? Python.run("import pty, termios, fcntl")) != nil
}

/// The program on a terminal of 80 columns and 24 rows, with a person at its keys: Python holds the other end.
@Suite(.enabled(if: PythonTerminals.areHere, "python3 is not installed: play on a terminal is not tested"))
struct TerminalTests {
  /// `start(arguments)`, `wait(pattern)`, `press(keys)`, `end()`: waits end when the program does, or after five
  /// minutes. The program plays without a model, which takes seconds to load.
  static let preamble = """
    import fcntl, os, pty, re, select, struct, sys, termios
    program = sys.argv[1]
    child = terminal = None
    seen, position, columns = "", 0, 80
    def start(*arguments, **environment):
        global child, terminal, seen, position
        seen, position = "", 0
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            for name in ("NO_COLOR", "COLUMNS"): os.environ.pop(name, None)
            os.environ.update({"TERM": "xterm-256color", "TUPELO_MODEL": "none", **environment})
            os.execv(program, [program, *arguments])
    def read():
        global seen
        ready, _, _ = select.select([terminal], [], [], 300)
        try: data = os.read(terminal, 65536) if ready else b""
        except OSError: data = b""
        seen += data.decode(errors="replace")
        return len(data) > 0
    def wait(pattern):
        global position
        while True:
            found = re.compile(pattern).search(seen, position)
            if found:
                position = found.end()
                return found
            if not read(): sys.exit(f"{pattern} does not come; seen: {seen[-2000:]!r}")
    def press(keys): os.write(terminal, keys.encode())
    def end():
        while read(): pass
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    """

  static func run(_ script: String) async throws -> String {
    try await OwnThread.run { try Python.run(preamble + script, Program.path) }
  }

  @Test(.slow) func autoplayIsPausedSteppedAndEnded() async throws {
    let output = try await Self.run(
      """
      start("autoplay", "--seed", "1", "--speed", "1")
      wait("1 moves/s, space pauses")
      press(" ")
      wait("paused, space continues")
      # What is on the screen above the word that was waited for.
      count = int(re.findall(r"moves (\\d+)", seen[:position])[-1])
      for key in (".", ".", "\\x1b[C"):
          press(key); count += 1
          wait(f"moves {count}\\\\b"); wait("paused")
      press("++"); press(" ")
      wait("5 moves/s, space pauses")
      press("-"); wait("2 moves/s, space pauses")
      press("-----"); wait("1 moves/s")
      while int(wait(r"moves (\\d+)\\b").group(1)) < count + 2: pass
      press("q")
      last = wait("stopped: score [0-9,]+, largest tile \\\\d+, (\\\\d+) moves")
      print(end(), int(last.group(1)) >= count + 2, "\\x1b[48;5;" in seen)
      """)
    #expect(output == "0 True True\n")
  }

  @Test func colourAndMotionCanBeDeclined() async throws {
    let output = try await Self.run(
      """
      for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
          start("autoplay", "--seed", "1", "--until", "64", "--speed", "0", **environment)
          wait("reached 64: score")
          print(end(), "\\x1b[48" in seen, "\\x1b" in seen)
          start("play", "--seed", "1", **environment)
          wait("q quit"); press("a"); wait("moves"); press("?"); wait("hint: "); press("q"); wait("largest tile")
          print(end(), "\\x1b[48" in seen, "\\x1b" in seen)
          start("advise", "--board", "1234000000000000", **environment)
          wait("> "); press("a1\\n"); wait("board 1000000000001234"); wait("> "); press("q\\n")
          print(end(), "\\x1b" in seen)
      """)
    #expect(
      output == """
        0 False True
        0 False True
        0 False
        0 False False
        0 False False
        0 False

        """)
  }

  /// A narrow terminal shows whole fields: a number that is cut would read as another number.
  @Test(.slow) func aNarrowTerminalShowsWholeFields() async throws {
    let folder = TemporaryFile.path("narrow")
    defer { TemporaryFile.remove(folder) }
    let output = try await Self.run(
      """
      whole = re.compile(r"[0-9]{1,3}(,[0-9]{3})*/1,200 games|ETA [0-9]+:[0-9]{2}|average [0-9]{1,3}(,[0-9]{3})*"
                         r"|[0-9]+ [0-9.]+%|[0-9]{1,3}(,[0-9]{3})* moves/s")
      for columns in (20, 26, 33, 40, 47, 62, 80):
          start("train", "--games", "1200", "--set", "network.patterns=01", "--set", "training.report_games=300",
                "--set", "evaluation.games=0", "--output", f"\(folder)-{columns}")
          status = end()
          lines = re.findall(r"\\r\\x1b\\[K([^\\r\\n\\x1b]+)(?=\\r\\x1b)", seen)
          wrong = [line for line in lines if len(line) >= columns or not all(map(whole.fullmatch, line.split("  ")))]
          fields = max(len(line.split("  ")) for line in lines)
          if status != 0 or wrong: print(columns, status, wrong[:3])
          print(columns, fields)
      """)
    let widths = [20, 26, 33, 40, 47, 62, 80]
    for columns in widths { TemporaryFile.remove("\(folder)-\(columns)") }
    let counts = output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    #expect(counts.map(\.first) == widths, "\(output)")
    let (least, most) = (counts.first?.last ?? 9, counts.last?.last ?? 0)
    #expect(least < most, "\(output)")
  }

  /// The line of a sweep is on the terminal while runs train, and disappears when one ends.
  @Test(.slow) func aSweepShowsHowFarItIs() async throws {
    let folder = TemporaryFile.path("shown")
    defer { TemporaryFile.remove(folder) }
    let output = try await Self.run(
      """
      start("sweep", "--set", "network.layout=4x5", "--set", "training.report_games=100", "--seeds", "1-2", "--jobs",
            "1", "--games", "1M", "--output", "\(folder)")
      wait("started: run__seed=1")
      found = wait(r"\\r\\x1b\\[K0/2 runs  ETA (\\d+:)+\\d\\d  games ([0-9,]+)/1,000,000")
      press("\\x03")
      wait(r"\\r\\x1b\\[Kstopped: run__seed=1: saved")
      print(end(), int(found.group(2).replace(",", "")) % 100)
      """)
    #expect(output == "130 0\n")
  }

  /// A line that wraps would take two rows, and the board would not be redrawn in its place.
  @Test func noLineIsLongerThanTheTerminal() async throws {
    let output = try await Self.run(
      """
      start("play", "--seed", "1", NO_COLOR="1")
      wait("q quit")
      for key in "?xw?\\u00e9s?a?d?ur":
          press(key); wait("moves \\\\d+")
      press("q"); wait("largest tile")
      status = end()
      lines = re.sub("\\x1b\\\\[[0-9;]*[A-Za-z]", "", seen).replace("\\r", "").split("\\n")
      print(status, max(map(len, lines)) < 80, any("unknown key '\\u00e9'" in line for line in lines))
      """)
    #expect(output == "0 True True\n")
  }

  /// A narrow terminal shows all of a hint and of the keys, in several rows.
  @Test func narrowTerminalsShowWholeTexts() async throws {
    let output = try await Self.run(
      """
      columns = 40
      start("play", "--seed", "1", "--plies", "1", NO_COLOR="1")
      wait("q quit"); press("?"); wait("at 1-ply"); press("q"); wait("largest tile")
      status = end()
      rows = re.sub("\\x1b\\\\[[0-9;]*[A-Za-z]", "", seen).replace("\\r", "").split("\\n")
      text = " ".join(rows)
      print(status, max(map(len, rows)) < 40, "arrows or wasd move, ? hint, u undo, r redo, n new, q quit" in text,
            bool(re.search(r"hint: [a-z]+ \\(.*\\), by heuristic at 1-ply", text)))
      """)
    #expect(output == "0 True True True\n")
  }

  @Test func theTerminalIsGivenBack() async throws {
    let output = try await Self.run(
      """
      for command in ("play", "autoplay"):
          start(command, "--seed", "1")
          wait("q quit")
          def waits_for_enter(): return bool(termios.tcgetattr(terminal)[3] & termios.ICANON)
          before = waits_for_enter()
          press("q"); wait("largest tile")
          print(before, end(), waits_for_enter())
      """)
    #expect(output == "False 0 True\nFalse 0 True\n")
  }
}
