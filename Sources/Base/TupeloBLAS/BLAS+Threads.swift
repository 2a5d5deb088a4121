#if !PlainBLAS
#if canImport(Accelerate)
internal import Accelerate
#else
internal import COpenBLAS
#endif
internal import TupeloBase

/// The number of threads that BLAS uses for one call.
///
/// OpenBLAS has one number of threads for the whole process, and other code in the process may need a different number.
/// So the number is set only during our calls: the first call that begins stores the current number, and the last call
/// that ends restores it. If other code sets the number while one of our calls is running, that number stays, and our
/// calls use it until the last of them has ended.
extension BLAS {
  /// How many threads the library may use for one of our calls. The default is 1, because training has its own threads.
  /// Accelerate decides by itself, which counts as 1.
  public static var threads: Int {
    #if canImport(Accelerate)
    1
    #else
    calls.withLock { $0.threads }
    #endif
  }

  /// Sets `threads`, for calls that begin when no other call is running. Accelerate ignores this hint.
  ///
  /// - Precondition: `count` is in 1...1024.
  public static func setThreads(_ count: Int) {
    precondition((1...1024).contains(count))
    #if !canImport(Accelerate)
    calls.withLock { $0.threads = count }
    #endif
  }

  /// Sets the process's number of threads for a call. Every call of the library is between `beginCall` and `endCall`.
  ///
  /// - Complexity: a lock and two loads; about 20 ns
  @inline(__always)
  static func beginCall() {
    #if !canImport(Accelerate)
    calls.withLock { calls in
      if calls.running == 0 {
        calls.found = openblas_get_num_threads()
        if calls.found != calls.threads { openblas_set_num_threads(Int32(calls.threads)) }
        calls.set = openblas_get_num_threads()
      }
      calls.running += 1
    }
    #endif
  }

  /// Restores the number of threads that `beginCall` found, if no other of our calls is running.
  @inline(__always)
  static func endCall() {
    #if !canImport(Accelerate)
    calls.withLock { calls in
      calls.running -= 1
      guard calls.running == 0, calls.found != calls.set, calls.set == openblas_get_num_threads() else { return }
      openblas_set_num_threads(calls.found)
    }
    #endif
  }

  #if !canImport(Accelerate)
  /// Our calls that are running in this process.
  private struct Calls {
    var threads = 1
    var running = 0
    /// The process's number of threads before the first of these calls, and during it.
    var found: Int32 = 1
    var set: Int32 = 1
  }

  private static let calls = Locked(Calls())
  #endif
}
#endif
