internal import Safetensors
internal import TupeloLearning
internal import TupeloNetwork

/// Visit counts in a checkpoint, so that a resumed run continues as if it had never stopped. For use between rounds.
extension VisitTable {
  var tensor: TensorDescription {
    TensorDescription(name: Self.tensorName, type: .f32, shape: [placeCount])
  }

  private var chunk: Int { min(placeCount, 1 << 16) }

  func write(to sink: inout TensorSink) throws {
    var values = [Float](repeating: 0, count: chunk)
    for start in stride(from: 0, to: placeCount, by: chunk) {
      for index in values.indices { values[index] = visits(at: start + index) }
      try sink.write(values.span)
    }
  }

  /// Reads the counts from a checkpoint.
  ///
  /// - Throws: `ModelFileError` when the tensor is missing or has another size, `CheckpointError` when its numbers are
  ///   not counts; `SafetensorsError`.
  func read(from file: SafetensorsFile) throws {
    try file.check(tensor)
    var values = [Float](repeating: 0, count: chunk)
    for start in stride(from: 0, to: placeCount, by: chunk) {
      var span = values.mutableSpan
      try file.copy(tensor.name, range: start..<start + chunk, into: &span)
      guard values.allSatisfy({ $0 >= 0 && $0 <= 0x1p24 && $0.rounded() == $0 }) else {
        throw CheckpointError.badState(path: file.path, name: tensor.name)
      }
      for index in values.indices { set(visits: values[index], at: start + index) }
    }
  }
}
