import Safetensors
import TestSupport
import Testing
import TupeloBase

/// The lines of this module's README.
@Suite struct ReadMeTests {
  @Test func example() throws {
    let folder = try TemporaryFolder()
    let path = folder.file()
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
    #expect(row == [0.5, 0.5, 0.5])
    #expect(file.metadata == ["made by": "me"])
  }
}
