import Foundation
import TestSupport
import Testing
import TupeloBase

/// The free space on a disk, compared with the figure of Foundation.
@Suite struct FreeSpaceTests {
  @Test func isWhatFoundationSays() throws {
    let folder = try TemporaryFolder()
    func known(_ key: FileAttributeKey) throws -> Int {
      let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
      return try #require(attributes[key] as? NSNumber).intValue
    }
    // Other programs write, so a figure counts if Foundation says the same before and after it.
    for _ in 0..<10_000 {
      let before = try known(.systemFreeSize)
      let free = try #require(FreeSpace(at: folder.path))
      #expect(try free.most >= free.available && free.most <= known(.systemSize))
      guard try known(.systemFreeSize) == before else { continue }
      #expect(free.available == before)
      return
    }
    Issue.record("the free space never stays for a moment")
  }

  /// A link to a file on another disk counts as that disk.
  @Test func linksAreFollowed() throws {
    let folder = try TemporaryFolder()
    guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return }
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "/proc/self/status")
    #expect(FreeSpace(at: folder.file("link")) == nil, "that file system has no blocks")
  }

  @Test func nothingIsSaidOfNothing() throws {
    let folder = try TemporaryFolder()
    #expect(FreeSpace(at: folder.file("missing")) == nil)
    #expect(FreeSpace(at: "a\u{0}b") == nil)
  }
}
