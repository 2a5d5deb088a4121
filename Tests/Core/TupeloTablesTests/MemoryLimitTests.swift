import Testing
import TupeloTables

/// The memory that control groups allow, from the files of both versions of control groups.
@Suite struct MemoryLimitTests {
  @Test func theLeastOfTheGroupsCounts() {
    let files = [
      "/proc/self/cgroup": "0::/batch/job\n", "/sys/fs/cgroup/batch/job/memory.max": "max\n",
      "/sys/fs/cgroup/batch/memory.max": "1200000000\n", "/sys/fs/cgroup/memory.max": "5000000000\n",
    ]
    #expect(MemoryLimit.controlGroup { files[$0] } == 1_200_000_000)
  }

  @Test func theFirstVersionToo() {
    let files = [
      "/proc/self/cgroup": "12:cpu,cpuacct:/a\n7:memory:/a/b\n0::/c\n",
      "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "700000000\n",
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
      "/sys/fs/cgroup/c/memory.max": "max\n",
    ]
    #expect(MemoryLimit.controlGroup { files[$0] } == 700_000_000)
  }

  @Test func withoutGroupsThereIsNone() {
    #expect(MemoryLimit.controlGroup { _ in nil } == nil)
    #expect(MemoryLimit.controlGroup { $0 == "/proc/self/cgroup" ? "nonsense\n0::/\n::\n" : nil } == nil)
    #expect(MemoryLimit.bytes > 0)
  }
}
