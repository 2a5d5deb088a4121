import Safetensors
import TestSupport
import Testing
import TupeloBase

/// One file byte for byte, written out by hand from the format's description.
@Suite struct GoldenFileTests {
  private static let golden: [UInt8] =
    // The header's length, 136 = 0x88: 135 characters and a space.
    [0x88, 0, 0, 0, 0, 0, 0, 0]
    + Array(#"{"__metadata__":{"k":"\n"},"#.utf8)
    + Array(#""b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"#.utf8)
    + Array(#""a":{"dtype":"U8","shape":[3,1],"data_offsets":[8,11]}} "#.utf8)
    // 1 is 0x3f800000, -2 is 0xc0000000.
    + [0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x00, 0xc0]
    + [0x07, 0x08, 0xff]

  private let tensors = [
    TensorDescription(name: "a", type: .u8, shape: [3, 1]), TensorDescription(name: "b", type: .f32, shape: [2]),
  ]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func written() throws {
    try SafetensorsWriter.write(to: folder.file(), metadata: ["k": "\n"], tensors: tensors) { tensor, sink in
      if tensor.type == .f32 {
        try sink.write([1, -2].span as Span<Float>)
      } else {
        try sink.write([7, 8, 255].span as Span<UInt8>)
      }
    }
    #expect(try bytes(ofFile: folder.file()) == Self.golden)
  }

  @Test func read() throws {
    try write(Self.golden, toFile: folder.file())
    let file = try SafetensorsFile(path: folder.file())
    #expect(file.path == folder.file())
    #expect(file.metadata == ["k": "\n"])
    #expect(file.tensors == tensors.reversed())
    #expect(file.tensor(named: "a") == tensors[0])
    #expect(file.tensor(named: "c") == nil)
    #expect(try file.array(of: "b", as: Float.self) == [1, -2])
    #expect(try file.array(of: "a", as: UInt8.self) == [7, 8, 255])
  }

  /// Metadata and shapes in the order and form that make the bytes the same every time.
  @Test func metadataIsSorted() throws {
    let keys = (0..<20).map { "key \($0)" }
    try SafetensorsWriter.write(
      to: folder.file(), metadata: Dictionary(uniqueKeysWithValues: keys.map { ($0, "") }), tensors: []
    ) { _, _ in }
    let pairs = keys.sorted().map { #""\#($0)":"""# }.joined(separator: ",")
    let header = #"{"__metadata__":{\#(pairs)}}"#
    let padded = header + String(repeating: " ", count: (8 - header.utf8.count % 8) % 8)
    #expect(try bytes(ofFile: folder.file()) == fileBytes(header: padded))
  }
}
