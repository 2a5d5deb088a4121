/// The control groups of a Linux process that limit its processor time, as `docker run --cpus` and Kubernetes do.
///
/// A limit has two numbers: the processor time in each period, and the length of the period, both in microseconds. It
/// holds for a group and for all groups within it, so the smallest limit on the way from the root counts.
///
/// Source: the kernel's documents `admin-guide/cgroup-v2` (`cpu.max`) and `scheduler/sched-bwc` (`cpu.cfs_quota_us`).
package struct ControlGroups {
  /// The folders of the process's groups and of the groups around them.
  private var folders: [(path: String, version: Int)] = []

  /// - Parameters:
  ///   - memberships: the text of `/proc/self/cgroup`, with lines such as `0::/user.slice` or `4:cpu,cpuacct:/docker/1`
  ///   - mounts: the text of `/proc/self/mountinfo`
  package init(memberships: String, mounts: String) {
    let mounts = mounts.split(separator: "\n").compactMap { Mount(String($0)) }
    for line in memberships.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let version = parts[0] == "0" && parts[1].isEmpty ? 2 : 1
      guard version == 2 || parts[1].split(separator: ",").contains("cpu") else { continue }
      for mount in mounts where mount.version == version {
        folders += mount.folders(of: String(parts[2])).map { ($0, version) }
      }
    }
  }

  /// The number of processors that the limits allow, rounded up; `nil` without a limit.
  ///
  /// - Parameter read: returns the text of a file; `nil` if there is no such file
  package func processors(readingFile read: (String) -> String?) -> Int? {
    let limits = folders.compactMap { path, version -> Double? in
      let files = version == 2 ? ["cpu.max"] : ["cpu.cfs_quota_us", "cpu.cfs_period_us"]
      let words = files.flatMap { read("\(path)/\($0)")?.split(whereSeparator: \.isWhitespace) ?? [] }
      // No limit is "max" in version 2, and -1 in version 1.
      let numbers = words.compactMap { Int($0) }
      guard words.count == 2, numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
      return Double(numbers[0]) / Double(numbers[1])
    }
    return limits.min().map { max(Int(min($0, 1e6).rounded(.up)), 1) }
  }

  /// A place in the file system where groups are visible.
  private struct Mount {
    /// The group at this place: `/` for all groups, a different group in a container.
    let root: String
    let place: String
    let version: Int

    /// - Parameter line: of mountinfo: `36 35 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup rw`. There can be several words
    ///   before the dash.
    init?(_ line: String) {
      let words = line.split(separator: " ").map(String.init)
      guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 3 else { return nil }
      switch words[dash + 1] {
      case "cgroup2": version = 2
      case "cgroup" where words[dash + 3].split(separator: ",").contains("cpu"): version = 1
      default: return nil
      }
      (root, place) = (words[3], words[4])
    }

    /// The folder of a group, and of the groups around it up to the place of the mount. Some of them may not exist.
    func folders(of group: String) -> [String] {
      let names = group.split(separator: "/")
      let outer = root.split(separator: "/")
      let inner = names.starts(with: outer) ? names.dropFirst(outer.count) : names[...]
      return (0...inner.count).map { count in ([place] + inner.prefix(count).map(String.init)).joined(separator: "/") }
    }
  }
}
