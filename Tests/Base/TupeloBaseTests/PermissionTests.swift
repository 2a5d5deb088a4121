import Foundation
import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is replaced keeps its permissions, its owner and its group.
@Suite struct PermissionTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  private func status(_ path: String) throws -> (mode: mode_t, owner: uid_t, group: gid_t) {
    var status = stat()
    try #require(unsafe stat(path, &status) == 0)
    return (status.st_mode & 0o777, status.st_uid, status.st_gid)
  }

  @Test(arguments: [0o600, 0o640, 0o660, 0o604, 0o444, 0o755] as [mode_t])
  func theModeStays(_ mode: mode_t) throws {
    try write([1], toFile: path)
    #expect(unsafe chmod(path, mode) == 0)
    for piece in [[2], [3]] as [[UInt8]] {
      try replace(path, with: [piece])
      #expect(try status(path).mode == mode && bytes(ofFile: path) == piece)
    }
    // A link has permissions of its own, which do not count.
    #expect(unsafe symlink("test.bin", folder.file("link")) == 0)
    try replace(folder.file("link"), with: [[4]])
    #expect(try status(path).mode == mode && bytes(ofFile: path) == [4])
  }

  /// Files that another function has made show what the umask leaves.
  @Test func aNewFileFollowsTheUmask() throws {
    try write([1], toFile: folder.file("other"))
    try replace(path, with: [[1]])
    #expect(try status(path).mode == status(folder.file("other")).mode)
  }

  /// Bytes that only the owner may read are not readable in the temporary file either.
  @Test func theTemporaryFileIsPrivate() throws {
    try write([1], toFile: path)
    #expect(unsafe chmod(path, 0o600) == 0)
    let file = try ReplacementFile(path: path)
    defer { file.discard() }
    try file.append(([2] as [UInt8]).span.bytes)
    for name in try folder.names { #expect(try status(folder.file(name)).mode == 0o600) }
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func ownerAndGroupStay() throws {
    try write([1], toFile: path)
    #expect(unsafe chmod(path, 0o660) == 0 && chown(path, 4321, 1234) == 0)
    try replace(path, with: [[2]])
    #expect(try status(path) == (0o660, 4321, 1234) && bytes(ofFile: path) == [2])
  }
}
