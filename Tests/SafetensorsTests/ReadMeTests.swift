import Foundation
import Safetensors
import TestSupport
import Testing

/// The example in the module's README.md, between the two marks, and a check that it is the same there.
@Suite struct ReadMeTests {
  @Test func example() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
    // Example
    let counts = TensorDescription(name: "counts", type: .u64, shape: [2])
    let weights = TensorDescription(name: "weights", type: .f32, shape: [2, 3])
    try SafetensorsWriter.write(to: path, metadata: ["made by": "me"], tensors: [counts, weights]) { tensor, sink in
      if tensor == counts { try sink.write([UInt64](repeating: 7, count: 2).span) }
      if tensor == weights { try sink.write([Float](repeating: 0.5, count: 6).span) }
    }
    let file = try SafetensorsFile(path: path)
    var row: [Float] = [0, 0, 0]
    var span = row.mutableSpan
    try file.copy("weights", range: 3..<6, into: &span)
    // End
    #expect(row == [0.5, 0.5, 0.5])
    #expect(file.metadata == ["made by": "me"])
  }

  @Test func sameLines() throws {
    let here = URL(fileURLWithPath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let test = try lines(of: here, from: "// Example", to: "// End")
    let readMe = try lines(
      of: root.appendingPathComponent("Sources/Safetensors/README.md"), from: "```swift", to: "```")
    #expect(test == readMe && test.count == 10)
  }

  /// The lines between the first two marks, without indentation.
  private func lines(of file: URL, from start: String, to end: String) throws -> [String] {
    let all = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return Array(all.drop { $0 != start }.dropFirst().prefix { $0 != end })
  }
}
