#if !PlainBLAS
#if canImport(Accelerate)
internal import Accelerate
#else
internal import COpenBLAS
#endif
internal import Threads

/// The number of threads that BLAS uses for one call.
///
/// OpenBLAS has one number for the whole process, and other code in the process may need another one than we do. So
/// the number is set for the time of our calls only: the first call that begins notes what it finds, and the last one
/// that ends puts it back. Where other code sets the number while a call of ours is running, it stays as that code set
/// it, and our calls run with it until the last of them has ended.
extension BLAS {
  /// How many threads the library may use for one of our calls: 1 until it is set, for training has threads of its own.
  /// Accelerate decides by itself, which counts as 1.
  public static var threads: Int {
    #if canImport(Accelerate)
    1
    #else
    calls.withLock { $0.threads }
    #endif
  }

  /// Sets `threads`, for calls that begin when no other is running. A hint that Accelerate ignores.
  ///
  /// - Precondition: `count` is in 1...1024.
  public static func setThreads(_ count: Int) {
    precondition((1...1024).contains(count))
    #if !canImport(Accelerate)
    calls.withLock { $0.threads = count }
    #endif
  }

  /// Takes over the process's number of threads. Every call of the library stands between this and `endCall`.
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

  /// Puts back the number of threads that `beginCall` found, when no other call of ours is running.
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
  /// The calls of ours that are running in this process.
  private struct Calls {
    var threads = 1
    var running = 0
    /// The process's number of threads before the first of them, and during it.
    var found: Int32 = 1
    var set: Int32 = 1
  }

  private static let calls = Locked(Calls())
  #endif
}
#endif
