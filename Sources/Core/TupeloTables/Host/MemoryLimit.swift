#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// The memory that this process may use: the memory of the machine, or less if a control group of Linux, such as the
/// group of a container or a batch job, allows less.
package enum MemoryLimit {
  /// The limit in bytes, at the time of the first access.
  package static let bytes = min(LargeMemory.physicalBytes, controlGroup(reading: contents) ?? .max)

  /// The least limit of the groups that the process is in, from its own group up to the root; `nil` without a limit.
  ///
  /// - Parameter read: returns the text of a file; `nil` if the file is missing
  package static func controlGroup(reading read: (_ path: String) -> String?) -> Int? {
    var least: Int?
    for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
      // 0::/user/session for version 2, 7:memory:/job for version 1.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let isNew = parts[0] == "0" && parts[1].isEmpty
      guard isNew || parts[1].split(separator: ",").contains("memory") else { continue }
      let (root, name) =
        isNew ? ("/sys/fs/cgroup", "memory.max") : ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
      var path = parts[2].split(separator: "/")
      while true {
        let file = ([root] + path.map(String.init) + [name]).joined(separator: "/")
        // "max" means no limit.
        if let limit = read(file).flatMap({ Int($0.prefix { $0.isNumber }) }) { least = min(least ?? limit, limit) }
        if path.isEmpty { break }
        path.removeLast()
      }
    }
    return least
  }

  /// The text of a small file of the system; `nil` when it cannot be read.
  static func contents(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
