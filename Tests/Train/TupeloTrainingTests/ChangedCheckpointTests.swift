import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloLearning
import TupeloTraining

/// Checkpoints with contents that no run writes.
@Suite struct ChangedCheckpointTests {
  /// Changes some tensors and some metadata of a checkpoint; `nil` removes one.
  static func change(
    _ path: String, tensors: [String: (TensorType, [Int], [UInt64])?] = [:], metadata: [String: String?] = [:]
  ) throws {
    let file = try SafetensorsFile(path: path)
    var facts = file.metadata
    for (key, value) in metadata { facts[key] = value }
    var contents: [String: [UInt8]] = [:]
    var descriptions: [TensorDescription] = []
    for tensor in file.tensors {
      guard let change = tensors[tensor.name] else {
        contents[tensor.name] = try file.withBytes(of: tensor.name) { bytes in bytes.withUnsafeBytes { [UInt8]($0) } }
        descriptions.append(tensor)
        continue
      }
      guard let (type, shape, words) = change else { continue }
      contents[tensor.name] = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      descriptions.append(TensorDescription(name: tensor.name, type: type, shape: shape))
    }
    try SafetensorsWriter.write(to: path, metadata: facts, tensors: descriptions) { tensor, sink in
      let bytes = contents[tensor.name] ?? []
      try sink.write(bytes.span.bytes)
    }
  }

  /// Resumes a changed checkpoint and trains a little. One of the two must be refused in one line that names the file.
  private static func expectRefused(
    _ configuration: RunConfiguration, tensors: [String: (TensorType, [Int], [UInt64])?] = [:],
    metadata: [String: String?] = [:], _ word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = TemporaryFile.path("changed.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(configuration)
    try CheckpointTests.train(trainer, until: 5)
    try trainer.save(to: path)
    try change(path, tensors: tensors, metadata: metadata)
    let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) {
      try Checkpoint(path: path).resume()
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasPrefix(path) && text.contains(word) && !text.contains("\n"), sourceLocation: sourceLocation)
  }

  /// Counters that are larger than in any run would overflow during training.
  @Test func countersHaveBounds() throws {
    let configuration = try CheckpointTests.configuration(.constant(alpha: 0.1), patterns: ["01"])
    let most = UInt64(Int64.max)
    for counters in [[most, 5], [5, most], [1_000_000_000_001, 5], [5, 1 << 53 + 1]] as [[UInt64]] {
      try Self.expectRefused(configuration, tensors: ["training.counters": (.i64, [2], counters)], "training.counters")
    }
    try Self.expectRefused(
      configuration, tensors: ["training.starts": (.u64, [3], [2, .max, 0])], "training.starts")
  }

  /// Tensors of another type or shape, and a number of random streams that differs from the number of threads, are
  /// refused.
  @Test func stateTensorsAreOfTheirTypes() throws {
    let configuration = try CheckpointTests.configuration(.constant(alpha: 0.1), patterns: ["01"])
    for (type, shape) in [(TensorType.f64, [2]), (.u64, [2]), (.i64, [2, 1])] {
      try Self.expectRefused(
        configuration, tensors: ["training.counters": (type, shape, [5, 50])], "training.counters")
    }
    let words: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]
    for (type, shape) in [(TensorType.u64, [2, 4]), (.f64, [1, 4]), (.u64, [4])] {
      let part = Array(words.prefix(shape.reduce(1, *)))
      try Self.expectRefused(configuration, tensors: ["training.random": (type, shape, part)], "training.random")
    }
    try Self.expectRefused(configuration, tensors: ["training.starts": (.i64, [3], [2, 5, 0])], "training.starts")
    try Self.expectRefused(configuration, metadata: ["tupelo.format": "-1"], "format")
  }

  /// The tensor may be missing only where all episodes start from a new board.
  @Test func missingStartsAreMissed() throws {
    var configuration = try CheckpointTests.configuration(.constant(alpha: 0.1), patterns: ["01"])
    configuration.start = .restart(moves: 10)
    try Self.expectRefused(configuration, tensors: ["training.starts": nil], "training.starts")
    configuration.start = .fresh
    #expect(throws: Never.self) {
      let path = TemporaryFile.path("old.safetensors")
      defer { TemporaryFile.remove(path) }
      try Trainer(configuration).save(to: path)
      try Self.change(path, tensors: ["training.starts": nil])
      _ = try Checkpoint(path: path).resume()
    }
  }
}
