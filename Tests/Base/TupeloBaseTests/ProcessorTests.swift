import Testing
import TupeloBase

/// The number of processors that a process may use, from files of Linux. The files are those of a machine with systemd,
/// of a container that sees only its own groups, and of one with the older version of control groups.
@Suite struct ProcessorTests {
  private static let unified =
    "24 1 0:22 / /proc rw - proc proc rw\n30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
  private static let container =
    "40 35 0:31 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro master:11 - cgroup cgroup rw,cpu,cpuacct\n"
    + "41 35 0:32 /docker/abc /sys/fs/cgroup/memory ro master:12 - cgroup cgroup rw,memory\n"

  private static func count(_ memberships: String, _ mounts: String, _ files: [String: String]) -> Int? {
    ControlGroups(memberships: memberships, mounts: mounts).processors { files[$0] }
  }

  private static let newLimits: [(String, String?, Int?)] = [
    ("400000 100000\n", "max 100000\n", 4), ("400000 100000\n", "150000 100000\n", 2),
    ("max 100000", "max 100000", nil),
    ("10000 100000\n", "900000 100000\n", 1), ("250000 50000\n", nil, 5),
  ]

  /// The smallest limit on the way counts; a limit of less than one processor counts as one.
  @Test(arguments: newLimits) func limitsOfTheNewVersion(_ outer: String, _ inner: String?, _ expected: Int?) {
    var files = ["/sys/fs/cgroup/user.slice/cpu.max": outer]
    files["/sys/fs/cgroup/user.slice/job 1/cpu.max"] = inner
    // Another group's limit is not this process's.
    files["/sys/fs/cgroup/user.slice/job/cpu.max"] = "1000 100000\n"
    #expect(Self.count("0::/user.slice/job 1\n", Self.unified, files) == expected)
  }

  /// With the older version, a limit is in two files. The place of the mount is the container's own group.
  @Test(arguments: [("50000", 1), ("300000", 3), ("-1", nil)] as [(String, Int?)])
  func limitsOfTheOldVersion(_ quota: String, _ expected: Int?) {
    let files = [
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": quota + "\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
      "/sys/fs/cgroup/memory/cpu.cfs_quota_us": "1\n", "/sys/fs/cgroup/memory/cpu.cfs_period_us": "100000\n",
    ]
    for group in ["/docker/abc", "/", "/docker/abc/inner"] {
      let memberships = "5:memory:\(group)\n4:cpu,cpuacct:\(group)\n"
      #expect(Self.count(memberships, Self.container, files) == expected, "\(group)")
    }
  }

  /// The kernel writes none of these texts, and none of them is a limit.
  @Test(arguments: ["", "max", "0 100000", "100000 0", "-5 100", "x y", "100000", "1 2 3", "99999999999999999999 1"])
  func otherTextsAreNoLimits(_ text: String) {
    #expect(Self.count("0::/\n", Self.unified, ["/sys/fs/cgroup/cpu.max": text]) == nil)
  }

  @Test func damagedListsAreNoGroups() {
    for (memberships, mounts) in [("", ""), ("0::", "-"), (":::\n\n0::/a", "30 24 - cgroup2"), ("x", Self.unified)] {
      #expect(Self.count(memberships, mounts, [:]) == nil)
    }
    #expect(Self.count("0::/\n", Self.unified, ["/sys/fs/cgroup/cpu.max": "\(Int.max) 1"]) == 1_000_000)
  }

  @Test func sharesAreAtLeastOne() {
    #expect(Processors.count >= 1 && Processors.count(amongProcesses: 1) == Processors.count)
    #expect(Processors.count(amongProcesses: 1_000_000) == 1)
  }
}
