public import Safetensors
internal import TupeloBase
internal import TupeloLearning
public import TupeloModels
public import TupeloNetwork
internal import TupeloTables

/// Statistics of the weights of one table.
public struct WeightDiagnostics: Hashable, Sendable {
  public let table: NetworkTable
  /// The Euclidean norm of the weights, in score points.
  public let norm: Double
  /// The share of weights that training has reached, in 0...1. With temporal coherence these are the updated weights,
  /// otherwise the weights that are not zero.
  public let visitedShare: Double
  /// The mean of |E| / A over visited weights, in 0...1: the share of a full step that temporal coherence allows a
  /// weight. `nil` without coherence sums.
  public let meanStepSize: Double?

  init(_ table: NetworkTable, _ diagnostics: TableDiagnostics, isCoherent: Bool) {
    self.table = table
    norm = diagnostics.norm
    visitedShare = diagnostics.visitedShare
    meanStepSize = isCoherent ? diagnostics.meanStepSize : nil
  }

  /// Statistics of the weights in a model or checkpoint. In a checkpoint with an average, they are of the weights that
  /// training continues with, not of the average.
  ///
  /// - Parameter catalogue: the games that the model may belong to
  /// - Throws: `ModelFileError` or `SafetensorsError` when a tensor is missing or has another shape.
  /// - Complexity: one pass over the file, with buffers of 64 Ki numbers.
  public static func diagnostics(
    of file: SafetensorsFile, in catalogue: GameCatalogue = .standard
  ) throws -> [WeightDiagnostics] {
    let specification = try ModelDescription(in: file, of: catalogue)
    // A rule of another program may keep other numbers in these planes.
    let own = try file.metadata[Checkpoint.Key.configuration].map {
      try RunConfiguration.parse(yaml: $0, sourceName: "\(file.path) (configuration)", of: catalogue).own
    }
    let isCoherent = own?.rule == nil && file.tensor(named: CoherenceCell.planes[1] + ".0") != nil
    let planes = isCoherent ? CoherenceCell.planes : PlainCell.planes
    file.adviseSequential()
    return try specification.tables.enumerated().map { number, table in
      let names = planes.map { "\($0).\(number)" }
      for name in names { try file.header.checked(TensorDescription(name: name, type: .f32, shape: table.axes)) }
      return WeightDiagnostics(
        table, try diagnostics(of: file, names: names, count: table.size), isCoherent: isCoherent)
    }
  }

  /// Statistics of one table. The method arranges the planes of the file as in memory.
  private static func diagnostics(of file: SafetensorsFile, names: [String], count: Int) throws -> TableDiagnostics {
    let length = min(count, 1 << 16)
    var weights = [Float](repeating: 0, count: length)
    var plane = weights
    var sums = [Float](repeating: 0, count: (names.count - 1) * length)
    var table = TableDiagnostics()
    for start in stride(from: 0, to: count, by: length) {
      var span = weights.mutableSpan
      try file.copy(names[0], range: start..<start + length, into: &span)
      for (number, name) in names.dropFirst().enumerated() {
        var span = plane.mutableSpan
        try file.copy(name, range: start..<start + length, into: &span)
        for index in 0..<length { sums[index * 2 + number] = plane[index] }
      }
      if sums.isEmpty { table.add(weights.span) } else { table.add(weights.span, sums: sums.span) }
    }
    return table
  }
}

extension Trainer {
  /// Statistics of the present weights, table by table. Call it between rounds.
  ///
  /// - Complexity: one pass over the weights.
  public func diagnostics() -> [WeightDiagnostics] {
    zip(state.tables, state.diagnostics()).map { WeightDiagnostics($0, $1, isCoherent: state.keepsSums) }
  }

  /// Numbers of the step-size rule, by their names; see `StepSizeRule.scalars(of:)`. Call this method between rounds.
  ///
  /// - Complexity: a look at 2^19 weights
  public func scalars() -> [String: Double] { state.scalars() }

  /// The norm of the weights' change since the last call, in score points; `nil` for the first call. It is estimated
  /// from one weight in 64. Call it between rounds.
  ///
  /// - Complexity: O(weights / 64)
  public func updateNorm() -> Double? {
    state.updateNorm(since: &look)
  }
}
