import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Tests of a file that grows by whole pieces. `MetricsResumeTests` tests what happens to torn lines of metrics.
@Suite struct AppendFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws { folder = try TemporaryFolder() }

  @Test func goesOnAtTheEnd() throws {
    try AppendFile(path: path, mustBeNew: true, calls: .system).append([1, 2])
    let file = try AppendFile(path: path, mustBeNew: false, calls: .system)
    #expect(file.length == 2)
    try file.append([3, 4, 5])
    try file.truncate(to: 4)
    try file.append([6])
    try file.synchronize()
    #expect(try bytes(ofFile: path) == [1, 2, 3, 4, 6] && file.length == 5)
    #expect(throws: SystemError.cannotAppend(path: path, errno: EEXIST)) {
      try AppendFile(path: path, mustBeNew: true, calls: .system)
    }
  }

  /// The file that a link leads to may be anybody's.
  @Test(arguments: [false, true]) func linksAreNotFollowed(_ mustBeNew: Bool) throws {
    for target in ["victim", "nothing"] {
      try write([1], toFile: folder.file("victim"))
      #expect(unsafe symlink(target, path) == 0)
      #expect(throws: SystemError.self) { try AppendFile(path: path, mustBeNew: mustBeNew, calls: .system) }
      #expect(unsafe unlink(path) == 0)
      #expect(try folder.names == ["victim"] && bytes(ofFile: folder.file("victim")) == [1])
    }
  }

  /// A piece for which there is no room leaves nothing behind, and may be written again.
  @Test func fullDisk() throws {
    let room = Locked(5)
    var calls = FileCalls.system
    calls.write = { descriptor, bytes throws(FailedCall) in
      let allowed = room.withLock { room in
        defer { room -= min(room, bytes.byteCount) }
        return min(room, bytes.byteCount)
      }
      guard allowed > 0 else { throw FailedCall(code: ENOSPC) }
      return try FileCalls.system.write(descriptor, bytes.extracting(first: allowed))
    }
    let file = try AppendFile(path: path, mustBeNew: true, calls: calls)
    try file.append([1, 2, 3])
    #expect(throws: SystemError.cannotWrite(path: path, errno: ENOSPC)) { try file.append([4, 5, 6]) }
    #expect(try bytes(ofFile: path) == [1, 2, 3] && file.length == 3)
    room.withLock { $0 = 100 }
    try file.append([4, 5, 6])
    #expect(try bytes(ofFile: path) == [1, 2, 3, 4, 5, 6])
  }
}
