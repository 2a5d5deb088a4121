#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif
package import TupeloBase

/// A program that this process has started. It reads nothing, and stands in a process group of its own: Ctrl-C at the
/// terminal does not reach it.
///
/// Foundation's `Process` learns of an end by threads of its own, and waits for ever where there is no memory for them.
/// It would also pass on the signals that training ignores: then neither the program nor those that it starts could be
/// ended. Here every signal has its default effect again.
///
/// Soundness of the unsafe memory: the C strings live until `posix_spawn` has copied them, and are freed by the same
/// call that made them.
package struct ChildProcess {
  package enum Ending: Equatable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    package var description: String {
      switch self {
      case .status(let number): "exit status \(number)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  private let number: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: its arguments, with its name as the first
  ///   - environment: all its environment variables
  ///   - log: a file that gets its output and its errors at the end; without one, both go to standard error
  /// - Throws: the call that failed when the program cannot be started.
  package init(
    _ path: String, arguments: [String], environment: [String: String], log: String? = nil
  ) throws(FailedCall) {
    #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
    var actions: posix_spawn_file_actions_t?
    #else
    var attributes = posix_spawnattr_t()
    var actions = unsafe posix_spawn_file_actions_t()
    #endif
    var signals = sigset_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    if let log { unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_APPEND, 0) }
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var words = unsafe Self.strings(arguments)
    var variables = unsafe Self.strings(environment.map { "\($0)=\($1)" })
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let refusal = unsafe posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard refusal == 0 else { throw FailedCall(code: refusal) }
    number = process
  }

  /// Waits for the end of the program. Neither this nor `ending` may be asked again after it.
  package func wait() throws(FailedCall) -> Ending {
    var status: Int32 = 0
    _ = try FailedCall.checking { unsafe Int(waitpid(number, &status, 0)) }
    return Self.ending(status)
  }

  /// How the program has ended; `nil` while it runs.
  package func ending() throws(FailedCall) -> Ending? {
    var status: Int32 = 0
    let ended = try FailedCall.checking { unsafe Int(waitpid(number, &status, WNOHANG)) }
    return ended == 0 ? nil : Self.ending(status)
  }

  private static func ending(_ status: Int32) -> Ending {
    let signal = status & 0x7f
    return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
  }

  /// Sends the program the signal of Ctrl-C.
  package func interrupt() { kill(number, SIGINT) }

  /// Copies of texts for C, with a null pointer at the end.
  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }
}
