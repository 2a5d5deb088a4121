import Foundation
import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Paths that lead to something other than a file in a folder.
@Suite struct PathTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func writeOne(to path: String) throws {
    try replace(path, with: [[7]])
  }

  private func readRefusal(_ path: String) -> SystemError? {
    do {
      _ = try MappedFile(path: path)
      return nil
    } catch {
      return error
    }
  }

  @Test func reading() throws {
    let missing = folder.file("missing")
    #expect(readRefusal(missing) == .cannotOpen(path: missing, errno: ENOENT))
    #expect(readRefusal("") == .cannotOpen(path: "", errno: ENOENT))
    #expect(readRefusal("a\u{0}b") == .cannotOpen(path: "a\u{0}b", errno: EINVAL))
    #expect(readRefusal(folder.path) == .notARegularFile(path: folder.path))
    #expect(readRefusal("/dev/null") == .notARegularFile(path: "/dev/null"))
    let pipe = folder.file("pipe")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    #expect(readRefusal(pipe) == .notARegularFile(path: pipe))
  }

  @Test func writingWhereNothingCanBe() throws {
    let plain = folder.file("plain")
    try write([1], toFile: plain)
    let refusals: [(String, SystemError)] = [
      (folder.file("missing/x"), .cannotCreate(path: folder.file("missing/x"), errno: ENOENT)),
      (plain + "/x", .cannotCreate(path: plain + "/x", errno: ENOTDIR)),
      ("a\u{0}b", .cannotCreate(path: "a\u{0}b", errno: EINVAL)),
      (folder.path, .notARegularFile(path: folder.path)),
      (folder.path + "/", .notARegularFile(path: folder.path + "/")),
      ("/dev/null", .notARegularFile(path: "/dev/null")),
    ]
    for (path, error) in refusals {
      #expect(throws: error) { try writeOne(to: path) }
    }
    #expect(try folder.names == ["plain"])
    #expect(try bytes(ofFile: plain) == [1])
  }

  @Test(.enabled(if: geteuid() != 0, "root may write to any folder"))
  func writingToAReadOnlyFolder() throws {
    let path = folder.file()
    try writeOne(to: path)
    #expect(unsafe chmod(folder.path, 0o500) == 0)
    defer { #expect(unsafe chmod(folder.path, 0o700) == 0) }
    #expect(throws: SystemError.cannotCreate(path: path, errno: EACCES)) { try writeOne(to: path) }
    #expect(try mappedBytes(path) == [7])
  }

  @Test func symbolicLinksAreFollowed() throws {
    try writeOne(to: folder.file("real"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "real")
    try TextFile.write("wide", to: folder.file("link"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == "real")
    #expect(try mappedBytes(folder.file("real")) == Array("wide".utf8))
    #expect(try folder.names == ["link", "real"])
  }

  /// A link to a file that does not exist yet leads to the file all the same, also through several links.
  @Test func linksToNothingAreFollowed() throws {
    try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: true)
    for (name, target) in [("first", "second"), ("second", "disk/third"), ("disk/third", folder.file("disk/file"))] {
      try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
    try writeOne(to: folder.file("first"))
    #expect(try mappedBytes(folder.file("disk/file")) == [7])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("first")) == "second")
    #expect(try folder.names == ["disk", "first", "second"])
    // A circle leads nowhere.
    for (name, target) in [("a", "b"), ("b", "a")] {
      try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: target)
    }
    let circle = folder.file("a")
    #expect(throws: SystemError.cannotCreate(path: circle, errno: ELOOP)) { try writeOne(to: circle) }
  }

  /// Where links are not followed, the link is replaced and the file that it leads to is unchanged.
  @Test(arguments: [false, true]) func linksAreReplaced(_ isDangling: Bool) throws {
    if !isDangling { try writeOne(to: folder.file("victim")) }
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "victim")
    try TextFile.write("new", to: folder.file("link"), followsLink: false)
    #expect(try mappedBytes(folder.file("link")) == Array("new".utf8) && !isLink(folder.file("link")))
    #expect(try folder.names == (isDangling ? ["link"] : ["link", "victim"]))
    if !isDangling { #expect(try mappedBytes(folder.file("victim")) == [7]) }
  }

  /// Names of up to 255 bytes, the most that file systems allow, also in letters of three bytes.
  @Test func longNames() throws {
    for name in [100, 101, 219, 226, 255].map({ String(repeating: "y", count: $0) })
      + [String(repeating: "\u{6f22}", count: 85), "x" + String(repeating: "\u{e9}", count: 127)]
    {
      let file = try ReplacementFile(path: folder.file(name))
      let temporary = try #require(try folder.names.first)
      #expect(temporary.utf8.count <= 255 && ReplacementFile.isRemains(name: temporary, of: name), "\(temporary)")
      try file.append(([7] as [UInt8]).span.bytes)
      try file.commit()
      #expect(try mappedBytes(folder.file(name)) == [7] && folder.names == [name])
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    let long = folder.file(String(repeating: "y", count: 256))
    #expect(throws: SystemError.cannotCreate(path: long, errno: ENAMETOOLONG)) { try ReplacementFile.check(long) }
    #expect(throws: SystemError.cannotAppend(path: long, errno: ENAMETOOLONG)) {
      try AppendFile(path: long, mustBeNew: false, calls: .system)
    }
  }

  /// A check leaves everything as it was.
  @Test func aCheckChangesNothing() throws {
    try writeOne(to: folder.file("old"))
    for name in ["old", "new"] { try ReplacementFile.check(folder.file(name)) }
    #expect(throws: SystemError.notARegularFile(path: folder.path)) { try ReplacementFile.check(folder.path) }
    #expect(try folder.names == ["old"] && mappedBytes(folder.file("old")) == [7])
  }

  /// A path without a slash is in the current folder. The name is random, because other programs use that folder, too.
  @Test func relativePaths() throws {
    let name = "durable-files-test-\(UUID().uuidString)"
    try writeOne(to: name)
    defer { #expect(unsafe unlink(name) == 0) }
    #expect(try mappedBytes("./" + name) == [7])
  }
}
