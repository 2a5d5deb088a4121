import Testing
import TupeloTables

/// What the settings of the kernel say about huge pages, in the form of its files.
@Suite struct HugePagesTests {
  private static let folder = "/sys/kernel/mm/transparent_hugepage/"

  @Test(
    arguments: [
      ("[always] madvise never\n", nil, true), ("always [madvise] never\n", nil, true),
      ("always madvise [never]\n", nil, false),
      ("always madvise [never]\n", "always inherit [madvise] never\n", true),
      ("[always] madvise never\n", "always inherit madvise [never]\n", false),
      ("[always] madvise never\n", "always [inherit] madvise never\n", true),
      ("always madvise [never]\n", "always [inherit] madvise never\n", false), (nil, nil, true),
    ] as [(String?, String?, Bool)])
  func theSettingOfTheSizeCountsBeforeThatOfAllSizes(all: String?, own: String?, isAllowed: Bool) {
    let files = [Self.folder + "enabled": all, Self.folder + "hugepages-2048kB/enabled": own].compactMapValues(\.self)
    #expect(LargeMemory.allowsHugePages { files[$0] } == isAllowed)
  }
}
