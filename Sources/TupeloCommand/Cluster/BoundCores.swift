internal import Foundation

/// The cores that this process is bound to. `mpirun` binds a process to a core or a socket if nobody tells it not to.
enum BoundCores {
  /// The number of cores that the process may run on, where the machine has more; `nil` where it may use all.
  ///
  /// Soundness of the unsafe calls: the system writes at most as many bytes as the set has, which lives as long.
  static var count: Int? {
    #if os(Linux)
      var cores = cpu_set_t()
      guard unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, &cores) == 0 else { return nil }
      let count = unsafe withUnsafeBytes(of: cores) { bytes in
        unsafe bytes.reduce(0) { $0 + $1.nonzeroBitCount }
      }
      return count < ProcessInfo.processInfo.processorCount ? count : nil
    #else
      return nil
    #endif
  }
}
