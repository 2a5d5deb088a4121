import TestSupport
import Testing
import TupeloBase

/// The lines of this module's README.
@Suite struct TupeloBaseReadmeTests {
  @Test func example() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    let lock = try FolderLock(folder: folder)
    try TextFile.write("name: first\n", to: folder + "/config.yaml")
    let log = try AppendFile(path: folder + "/log.txt", mustBeNew: false, calls: .system)
    try log.append(Array("one\n".utf8))
    try log.append(Array("two\n".utf8))
    try log.synchronize()
    let file = try MappedFile(path: folder + "/log.txt")
    let lineCount = file.withBytes(0..<file.byteCount) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe $0.count { $0 == UInt8(ascii: "\n") } }
    }
    #expect(lineCount == 2)
    #expect(try temporary.names == [".lock", "config.yaml", "log.txt"])
    withExtendedLifetime(lock) {}
  }
}
