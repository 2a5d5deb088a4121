import Safetensors
import TestSupport
import Testing
import TupeloBase

/// Mistakes of the caller are refused. Nothing is written, and the earlier file is still there.
@Suite struct RefusedContentsTests {
  private let folder: TemporaryFolder
  private let old: [UInt8] = [1, 2, 3]
  private let tensor = TensorDescription(name: "a", type: .u32, shape: [4])
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    try write(old, toFile: path)
  }

  private func check(
    _ expected: any Error & Equatable, tensors: [TensorDescription]? = nil, location: SourceLocation = #_sourceLocation,
    _ contents: (TensorDescription, inout TensorSink) throws -> Void = { _, _ in }
  ) throws {
    do {
      try SafetensorsWriter.write(to: path, tensors: tensors ?? [tensor], contents: contents)
      Issue.record("it was written", sourceLocation: location)
    } catch {
      #expect("\(error)" == "\(expected)" && type(of: error) == type(of: expected), sourceLocation: location)
    }
    #expect(try bytes(ofFile: path) == old, sourceLocation: location)
    #expect(try folder.names == ["test.bin"], sourceLocation: location)
  }

  @Test func closureThrows() throws {
    struct Mine: Error, Equatable {}
    try check(Mine()) { _, _ in throw Mine() }
    try check(Mine()) { _, sink in
      try sink.write([1, 2, 3, 4].span as Span<UInt32>)
      throw Mine()
    }
  }

  @Test func wrongCounts() throws {
    func few(_ found: Int) -> SafetensorsError { .tooFewBytes(path: path, name: "a", expected: 16, found: found) }
    func many(_ found: Int) -> SafetensorsError { .tooManyBytes(path: path, name: "a", expected: 16, found: found) }
    try check(few(0))
    try check(few(12)) { _, sink in try sink.write([1, 2, 3].span as Span<UInt32>) }
    try check(many(20)) { _, sink in try sink.write([1, 2, 3, 4, 5].span as Span<UInt32>) }
    try check(many(17)) { _, sink in
      try sink.write([1, 2, 3, 4].span as Span<UInt32>)
      let byte = [UInt8(5)]
      try sink.write(unsafe byte.span.bytes)
    }
  }

  @Test func wrongWidth() throws {
    try check(SafetensorsError.wrongElementWidth(path: path, name: "a", type: .u32, width: 8)) { _, sink in
      try sink.write([1, 2].span as Span<Double>)
    }
  }

  /// An error of the sink that the closure keeps to itself still fails the file.
  @Test func swallowedErrors() throws {
    try check(SafetensorsError.tooManyBytes(path: path, name: "a", expected: 16, found: 20)) { _, sink in
      do {
        try sink.write([1, 2, 3, 4, 5].span as Span<UInt32>)
      } catch {
        try sink.write([1, 2, 3, 4].span as Span<UInt32>)
      }
    }
    try check(SafetensorsError.wrongElementWidth(path: path, name: "a", type: .u32, width: 1)) { tensor, sink in
      let full = [UInt32](repeating: 0, count: tensor.elementCount)
      try sink.write(full.span)
      do { try sink.write([1].span as Span<UInt8>) } catch {}
    }
    // Later tensors do not hide the error of the first one.
    let two = [tensor, TensorDescription(name: "b", type: .u32, shape: [4])]
    try check(SafetensorsError.tooManyBytes(path: path, name: "a", expected: 16, found: 32), tensors: two) { _, sink in
      try sink.write([1, 2, 3, 4].span as Span<UInt32>)
      do { try sink.write([5, 6, 7, 8].span as Span<UInt32>) } catch {}
    }
  }

  @Test func names() throws {
    let twice = [tensor, TensorDescription(name: "b", type: .u8, shape: []), tensor]
    try check(SafetensorsError.duplicateTensor(path: path, name: "a"), tensors: twice)
    try check(
      SafetensorsError.reservedName(path: path),
      tensors: [TensorDescription(name: "__metadata__", type: .u8, shape: [])])
  }

  @Test(.slow) func tooLarge() throws {
    let half = (0..<3).map { TensorDescription(name: "t\($0)", type: .u8, shape: [1 << 62]) }
    try check(SafetensorsError.contentsTooLarge(path: path), tensors: half)
    let long = [TensorDescription(name: String(repeating: "n", count: 100_000_000), type: .u8, shape: [])]
    try check(
      SafetensorsError.headerTooLarge(path: path, length: 100_000_056, limit: 100_000_000), tensors: long)
  }
}
