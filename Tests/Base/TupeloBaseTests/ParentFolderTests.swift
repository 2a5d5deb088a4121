import Foundation
import Testing
import TupeloBase

@Suite struct ParentFolderTests {
  /// The parent folder is the one that `dirname` of POSIX prints.
  @Test(
    arguments: [
      ("x", "."), ("model.safetensors", "."), ("a/b", "a"), ("runs/a/b", "runs/a"), ("/a", "/"), ("/", "/"),
      ("/a/b/", "/a"), ("a/", "."), ("./x", "."), ("../x", ".."), ("a//b", "a"), ("", "."),
    ] as [(String, String)]) func isWhatDirnameSays(_ path: String, _ folder: String) throws
  {
    #expect(path.parentFolder == folder)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/dirname")
    process.arguments = [path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output == folder + "\n")
  }
}
