import DurableFiles
import Foundation
import TestSupport
import Testing

/// The room on a disk, against what Foundation says.
@Suite struct FreeSpaceTests {
  @Test func isWhatFoundationSays() throws {
    let folder = try TemporaryFolder()
    let free = try #require(FreeSpace.bytes(at: folder.path))
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let whole = try #require(attributes[.systemSize] as? NSNumber).doubleValue
    let known = try #require(attributes[.systemFreeSize] as? NSNumber).doubleValue
    // Other programs write meanwhile, and some blocks are for the superuser alone.
    #expect(abs(Double(free) - known) < 0.1 * whole, "\(free) and \(known)")
  }

  /// A link to a file on another disk counts as that disk.
  @Test func linksAreFollowed() throws {
    let folder = try TemporaryFolder()
    guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return }
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "/proc/self/status")
    #expect(FreeSpace.bytes(at: folder.file("link")) == nil, "that file system has no blocks")
  }

  @Test func nothingIsSaidOfNothing() throws {
    let folder = try TemporaryFolder()
    #expect(FreeSpace.bytes(at: folder.file("missing")) == nil)
    #expect(FreeSpace.bytes(at: "a\u{0}b") == nil)
  }
}
