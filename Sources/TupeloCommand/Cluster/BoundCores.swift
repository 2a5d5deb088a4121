internal import Foundation

/// The cores that this process is bound to. `mpirun` binds a process to a core or a socket if nobody tells it not to.
enum BoundCores {
  /// The number of cores that the process may run on, where the machine has more; `nil` where it may use all, and where
  /// the system does not say.
  static var count: Int? {
    do {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      guard let count = count(in: status) else { return nil }
      return count < ProcessInfo.processInfo.processorCount ? count : nil
    } catch {
      // Only Linux has the file.
      return nil
    }
  }

  /// The number of cores in a line such as `Cpus_allowed: ff,ffffffff`, a bit for each core.
  private static func count(in status: String) -> Int? {
    let name = "Cpus_allowed:"
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.map { $0.dropFirst(name.count).compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount } }
  }
}
