#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif
internal import TupeloBase

/// A line for `/bin/sh`, run as a process that a training starts and waits for.
///
/// Foundation's `Process` would pass on the signals that training ignores: then neither the command nor the programs
/// that it starts could be ended. Here every signal has its default effect again.
///
/// Soundness of the unsafe memory: the C strings live until `posix_spawn` has copied them, and are freed by the same
/// call that made them.
enum ShellCommand {
  /// Runs a command and waits for its end. It reads nothing, and its output goes to standard error.
  ///
  /// - Parameter environment: all environment variables of the command
  /// - Returns: the exit status, or 128 and the number of the signal that ended it, as shells say it
  /// - Throws: the call that failed when the command cannot be started.
  static func run(_ command: String, environment: [String: String]) throws(FailedCall) -> Int32 {
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
    // A group of its own: Ctrl-C stops the training, and lets the command for its checkpoint finish.
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    var arguments = unsafe strings(["sh", "-c", command])
    var variables = unsafe strings(environment.map { "\($0)=\($1)" })
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let refusal = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &arguments, &variables)
    guard refusal == 0 else { throw FailedCall(code: refusal) }
    var status: Int32 = 0
    _ = try FailedCall.checking { unsafe Int(waitpid(process, &status, 0)) }
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  /// Copies of texts for C, with a null pointer at the end.
  private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }
}
