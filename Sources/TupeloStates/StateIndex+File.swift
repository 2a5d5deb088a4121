package import Safetensors
internal import TupeloNetwork

/// Reads and writes the known states: a tensor of the tags by slot, 0 for an empty slot.
extension StateIndex {
  package static let tensorName = "states"

  package var tensor: TensorDescription {
    TensorDescription(name: Self.tensorName, type: .u32, shape: [count])
  }

  /// Tags per read or write.
  private var chunk: Int { min(count, 1 << 16) }

  /// Writes the tags of all slots.
  ///
  /// - Precondition: no worker trains.
  package func write(to sink: inout TensorSink) throws {
    var tags = [UInt32](repeating: 0, count: chunk)
    for start in stride(from: 0, to: count, by: chunk) {
      for index in tags.indices { tags[index] = self[start + index] }
      try sink.write(tags.span)
    }
  }

  /// Replaces the known states by those of a file.
  ///
  /// - Throws: `ModelFileError` when the tensor is missing; `StateModelError` when it has another shape or type;
  ///   `SafetensorsError`.
  package func read(from file: SafetensorsFile) throws {
    guard let found = file.tensor(named: tensor.name) else {
      throw ModelFileError.missingTensor(path: file.path, name: tensor.name)
    }
    guard found.shape == tensor.shape, found.type == tensor.type else {
      throw StateModelError.otherStates(path: file.path, expected: count)
    }
    var tags = [UInt32](repeating: 0, count: chunk)
    for start in stride(from: 0, to: count, by: chunk) {
      var span = tags.mutableSpan
      try file.copy(tensor.name, range: start..<start + chunk, into: &span)
      for index in tags.indices { self[start + index] = tags[index] }
    }
  }
}
