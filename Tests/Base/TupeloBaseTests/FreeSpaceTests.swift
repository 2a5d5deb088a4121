import Foundation
import TestSupport
import Testing
import TupeloBase

/// The free space on a disk, compared with the figure of Foundation.
@Suite struct FreeSpaceTests {
  @Test func isWhatFoundationSays() throws {
    let folder = try TemporaryFolder()
    let free = try #require(FreeSpace(at: folder.path))
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let whole = try #require(attributes[.systemSize] as? NSNumber).doubleValue
    let known = try #require(attributes[.systemFreeSize] as? NSNumber).doubleValue
    // Other programs may write in between.
    #expect(abs(Double(free.available) - known) < 0.05 * whole, "\(free) and \(known)")
    #expect(free.most >= free.available && Double(free.most) <= whole)
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
