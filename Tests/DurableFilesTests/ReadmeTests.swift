import DurableFiles
import Foundation
import TestSupport
import Testing

/// The example in the module's README.md, between the two marks, and a check that it is the same there.
@Suite struct ReadmeTests {
  @Test func example() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    // Example
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
    // End
    #expect(lineCount == 2)
    #expect(try temporary.names == [".lock", "config.yaml", "log.txt"])
    withExtendedLifetime(lock) {}
  }

  @Test func sameLines() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let test = try lines(of: here, from: "// Example", to: "// End")
    let readMe = try lines(
      of: root.appendingPathComponent("Sources/DurableFiles/README.md"), from: "```swift", to: "```")
    #expect(test == readMe && test.count == 10)
  }

  /// The lines between the first two marks, without indentation.
  private func lines(of file: URL, from start: String, to end: String) throws -> [String] {
    let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return Array(all.drop { $0 != start }.dropFirst().prefix { $0 != end })
  }
}
