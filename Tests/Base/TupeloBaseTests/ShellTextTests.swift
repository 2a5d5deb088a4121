import Foundation
import Testing
import TupeloBase

@Suite struct ShellTextTests {
  /// A shell gives back the words.
  @Test func aShellReadsTheSameWords() throws {
    let words = ["a", "", "it's", "$HOME `x` \"y\"", "a=b,c|d", "--x=1 2", "*", "\\", "ä", "~", "#", "a\nb"]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "printf '%s\\0' " + ShellText.command(words)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let read: [String] = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(read == words)
    #expect(ShellText.command(["tupelo", "--set", "a.b=1"]) == "tupelo --set a.b=1")
  }
}
