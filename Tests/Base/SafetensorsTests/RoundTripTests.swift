import Safetensors
import TestSupport
import Testing
import TupeloBase

/// Tensors are read back as they were written.
@Suite struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes one tensor of these values, reads it back whole and in part.
  private func checkRoundTrip<T: TensorElement & Equatable>(_ type: TensorType, _ values: [T]) throws {
    let path = folder.file("\(type.rawValue).safetensors")
    let tensor = TensorDescription(name: "values", type: type, shape: [values.count])
    try SafetensorsWriter.write(to: path, tensors: [tensor]) { _, sink in try sink.write(values.span) }
    let file = try SafetensorsFile(path: path)
    #expect(file.tensors == [tensor])
    #expect(try file.array(of: "values", as: T.self) == values)
    for start in values.indices {
      var part = Array(values[start...].reversed())
      var span = part.mutableSpan
      try file.copy("values", range: start..<values.count, into: &span)
      #expect(part == Array(values[start...]))
    }
  }

  @Test func everyType() throws {
    try checkRoundTrip(.f32, [0, -0.0, 1.5, -.infinity, .greatestFiniteMagnitude, Float.leastNonzeroMagnitude])
    try checkRoundTrip(.f64, [0, -1.5, .infinity, Double.pi])
    try checkRoundTrip(.u8, [0, 1, 127, 128, UInt8.max])
    try checkRoundTrip(.u32, [0, 0x0102_0304, UInt32.max])
    try checkRoundTrip(.i64, [0, -1, Int64.min, Int64.max])
    try checkRoundTrip(.u64, [0, 0x0102_0304_0506_0708, UInt64.max])
    try checkRoundTrip(.bf16, [0, 0x3f80, UInt16.max])
    try checkRoundTrip(.f16, [0, 0x3c00, UInt16.max])
    #if !(os(macOS) && arch(x86_64))
    try checkRoundTrip(.f16, [0, 1.5, -2, Float16.infinity])
    #endif
    // The bits of NaN survive, and so does every type read as bare bits of its width.
    try checkRoundTrip(.f32, [Float.nan.bitPattern, 0xffc0_1234] as [UInt32])
    try checkRoundTrip(.i64, [-1, Int.max] as [Int])
  }

  @Test func widths() {
    #expect(TensorType.allCases.map(\.byteWidth) == [4, 2, 2, 1, 4, 8, 8, 8])
    #expect(
      TensorDescription.byteCount(of: [], type: .f64) == 8 && TensorDescription.byteCount(of: [3, 0], type: .u8) == 0)
    #expect(TensorDescription.byteCount(of: [-1], type: .u8) == nil)
    #expect(TensorDescription.byteCount(of: [0, -1], type: .u8) == nil)
    #expect(TensorDescription.byteCount(of: [Int.max], type: .u8) == Int.max)
    #expect(TensorDescription.byteCount(of: [Int.max], type: .f16) == nil)
    #expect(TensorDescription.byteCount(of: [1 << 32, 1 << 31], type: .u8) == nil)
  }

  @Test func nothingAtAll() throws {
    try SafetensorsWriter.write(to: folder.file(), tensors: []) { _, _ in Issue.record("there is nothing to write") }
    let file = try SafetensorsFile(path: folder.file())
    #expect(file.tensors.isEmpty && file.metadata.isEmpty)
    file.adviseSequential()
  }

  @Test func scalarsAndEmptyTensors() throws {
    let tensors = [
      TensorDescription(name: "a", type: .f32, shape: [0]), TensorDescription(name: "b", type: .f32, shape: []),
      TensorDescription(name: "c", type: .f32, shape: [2, 0, 5]),
    ]
    try SafetensorsWriter.write(to: folder.file(), tensors: tensors) { tensor, sink in
      if tensor.name == "b" { try sink.write([Float(3)].span) }
    }
    let file = try SafetensorsFile(path: folder.file())
    #expect(file.tensors == tensors)
    #expect(try file.array(of: "a", as: Float.self) == [])
    #expect(try file.array(of: "b", as: Float.self) == [3])
    #expect(try file.withBytes(of: "c") { $0.byteCount } == 0)
  }

  @Test func orderIsByWidthThenByBytesOfTheName() throws {
    // "\u{e9}" is two bytes, the first of them above all ASCII; "Z" comes before "a".
    let expected = ["Z", "a", "\u{e9}", "wide float", "x", "half", "byte"]
    let types: [TensorType] = [.u64, .f64, .i64, .f32, .u32, .bf16, .u8]
    let tensors = zip(expected, types).map { TensorDescription(name: $0, type: $1, shape: [3]) }
    for seed in 0..<10 {
      var generator = SeededGenerator(state: UInt64(seed))
      var written: [String] = []
      try SafetensorsWriter.write(to: folder.file(), tensors: tensors.shuffled(using: &generator)) { tensor, sink in
        written.append(tensor.name)
        let bytes = [UInt8](repeating: 1, count: tensor.byteCount)
        try sink.write(unsafe bytes.span.bytes)
      }
      #expect(written == expected)
      #expect(try SafetensorsFile(path: folder.file()).tensors == tensors)
    }
  }

  @Test func metadataIsKept() throws {
    let metadata = [
      "": "", "plain": "value", "quotes \" and \\": "line\nfeed\ttab\u{0}zero\u{1f}\u{7f}", "é": "日本語 🎲",
      "/": "\u{2028}",
    ]
    try SafetensorsWriter.write(to: folder.file(), metadata: metadata, tensors: []) { _, _ in }
    #expect(try SafetensorsFile(path: folder.file()).metadata == metadata)
  }

  /// A file larger than the writer's buffer, written in pieces of all sizes, which must not change a byte.
  @Test func piecesOfAnySize() throws {
    let values = (0..<1_000_000).map { UInt32(truncatingIfNeeded: $0 &* 2_654_435_761) }
    let tensor = TensorDescription(name: "large", type: .u32, shape: [1000, 1000])
    var files: [[UInt8]] = []
    for piece in [1_000_000, 262_144, 262_143, 99_999, 1021] {
      try SafetensorsWriter.write(to: folder.file(), tensors: [tensor]) { _, sink in
        for start in stride(from: 0, to: values.count, by: piece) {
          try sink.write(values.span.extracting(start..<min(start + piece, values.count)))
        }
        #expect(sink.writtenByteCount == 4_000_000)
      }
      files.append(try bytes(ofFile: folder.file()))
    }
    #expect(files.allSatisfy { $0 == files[0] })
    #expect(try SafetensorsFile(path: folder.file()).array(of: "large") == values)
  }

  @Test func aFileMayBeReplacedWhileItIsRead() throws {
    let tensor = TensorDescription(name: "a", type: .u8, shape: [1])
    try SafetensorsWriter.write(to: folder.file(), tensors: [tensor]) { _, sink in try sink.write([UInt8(1)].span) }
    let old = try SafetensorsFile(path: folder.file())
    try SafetensorsWriter.write(to: folder.file(), tensors: [tensor]) { _, sink in try sink.write([UInt8(2)].span) }
    #expect(try old.array(of: "a") == [UInt8(1)])
    #expect(try SafetensorsFile(path: folder.file()).array(of: "a") == [UInt8(2)])
  }
}
