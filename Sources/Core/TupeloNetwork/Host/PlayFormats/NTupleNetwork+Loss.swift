package import Safetensors
internal import TupeloBase
internal import TupeloTables

extension NTupleNetwork {
  /// The tensors of a checkpoint with A, the sum of the absolute errors that each weight has learned from.
  private static let useName = "coherence.absolute_error"

  /// Whether a file has the use of its weights, as checkpoints of temporal coherence do.
  package static func knowsUse(_ file: SafetensorsFile) -> Bool { file.tensor(named: "\(useName).0") != nil }

  /// Sets weights to 0 that are small or were hardly used in training, the least important first.
  ///
  /// Without a weight w, the value of a state that uses it changes by |w| points. The sum A of the absolute errors that
  /// the weight has learned from measures its use. So its importance is |w| A. The importance of all dropped weights,
  /// divided by the sum of all A, is the mean change of a feature in points. A weight with A = 0 was copied, for
  /// example from an earlier stage, and stays.
  ///
  /// Memory: two buffers. Importances are counted in classes of 1/16 octave.
  ///
  /// - Parameters:
  ///   - file: the checkpoint that the network was loaded from
  ///   - loss: the mean change of a feature that is allowed, in points
  /// - Throws: `ModelFileError` when the sums are missing, of another shape or not finite; `SafetensorsError`;
  ///   `CompactModelError.lossTooLarge` when every weight would be dropped.
  package func dropLittleUsed(in file: SafetensorsFile, loss: Float) throws {
    var total = 0.0
    var classes = [Double](repeating: 0, count: Importance.classCount)
    try forEachChunk(file) { weights, uses in
      for index in weights.indices {
        total += Double(uses[index])
        let importance = Importance(weights[index], uses[index])
        classes[importance.number] += Double(importance.value)
      }
      return false
    }
    var (sum, limit) = (0.0, 0)
    while limit < classes.count, sum + classes[limit] <= Double(loss) * total {
      sum += classes[limit]
      limit += 1
    }
    var (had, kept) = (0, 0)
    try forEachChunk(file) { weights, uses in
      var hasChanged = false
      had += weights.count { $0 != 0 }
      for index in weights.indices
      where uses[index] > 0 && Importance(weights[index], uses[index]).number < limit {
        weights[index] = 0
        hasChanged = true
      }
      kept += weights.count { $0 != 0 }
      return hasChanged
    }
    guard kept > 0 || had == 0 else { throw CompactModelError.lossTooLarge(path: file.path, loss: loss) }
  }

  /// Calls `body` with the weights and A of each part of each table, in the order of files. Weights are written back
  /// where it returns true.
  private func forEachChunk(_ file: SafetensorsFile, _ body: (inout [Float], [Float]) -> Bool) throws {
    let map = indexer.tableMap
    for (number, table) in map.tables.enumerated() {
      let tensor = map.tensor(Self.useName, number)
      try file.header.checked(tensor)
      let position = map.storageMap(number)
      var weights = [Float](repeating: 0, count: min(1 << 16, table.size))
      var uses = weights
      for start in stride(from: 0, to: table.size, by: weights.count) {
        position.gather(from: start, into: &weights) { self.weights.weight(at: $0) }
        let range = start..<start + uses.count
        var span = uses.mutableSpan
        try file.copy(tensor.name, range: range, into: &span)
        // A weight that is fixed at zero has an infinite A.
        for index in uses.indices where uses[index] == .infinity && weights[index] == 0 { uses[index] = 0 }
        if let offset = uses.firstIndex(where: { !($0.isFinite && $0 >= 0) }) {
          throw ModelFileError.notFinite(path: file.path, name: tensor.name, index: start + offset)
        }
        guard body(&weights, uses) else { continue }
        self.weights.exclusively { storage in
          storage.withMutableWeights { position.scatter(weights.span, width: 1, word: 0, from: start, into: &$0) }
        }
      }
    }
  }

  /// The importance of a weight, and its class.
  private struct Importance {
    let value: Float

    init(_ weight: Float, _ use: Float) { value = min(abs(weight) * use, .greatestFiniteMagnitude) }

    /// The sign, the exponent and four bits of the fraction: larger importances have larger numbers.
    var number: Int { Int(value.bitPattern >> 19) }

    static let classCount = 1 << 12
  }
}
