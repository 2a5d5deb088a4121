internal import Foundation

/// The threads that OpenBLAS starts while the program is loaded, before a line of it runs.
enum BLASThreads {
  /// Starts the program again without these threads when its address space is limited (`ulimit -v`).
  ///
  /// Each thread asks for 128 MB of addresses. A thread that gets none asks again and again: it keeps a core busy, and
  /// the program never ends. No call of the library ends them, and the library reads its environment only when it is
  /// loaded. The program does not need them, because training has threads of its own.
  static func leaveOutIfAddressesAreShort() {
    #if canImport(Glibc)
    var limit = rlimit()
    guard unsafe getenv(variable) == nil,
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < rlim_t.max
    else { return }
    unsafe setenv(variable, "1", 1)
    // An arena for each thread reserves 64 MB of addresses. If that fails, malloc maps a page for each object.
    unsafe setenv("MALLOC_ARENA_MAX", "1", 0)
    // If this fails, the program continues as it is.
    unsafe _ = execv(ProgramFile.url.path, CommandLine.unsafeArgv)
    #endif
  }

  private static let variable = "OPENBLAS_NUM_THREADS"
}
