internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

/// The state of a module: one run at a time.
final class LearnerModule: @unchecked Sendable {
  /// The only one; a page that wants two runs makes two instances of the module.
  static let shared = LearnerModule()

  let exchange = LearnerExchange()
  private(set) var run: AnyRun?

  /// The largest mean |TD error| of a call, in score points. A run beyond it has diverged, as in `Trainer`.
  private static var largestError: Double { 1e8 }

  /// Begins a run.
  ///
  /// - Parameter settings: makes the settings of the run for its network
  func begin(_ settings: (NetworkSpecification) -> LearningSettings) -> Outcome {
    var patterns: [TuplePattern] = []
    for cells in exchange.patterns {
      guard let pattern = try? TuplePattern(cells: cells) else { return .noNetwork }
      patterns.append(pattern)
    }
    guard let network = try? NetworkSpecification(patterns: patterns) else { return .noNetwork }
    guard let run = try? AnyRun(settings(network)) else { return .noMemory }
    self.run = run
    exchange.totals = LearningTotals()
    return .done
  }

  /// Plays games and learns from them; see `LearningRun.learn`.
  func learn(_ count: Int) -> Outcome {
    guard let run else { return .noNetwork }
    var totals = exchange.totals
    let (errors, moves) = (totals.errorSum, totals.moves)
    switch run {
    case .constant(let run): run.learn(count, &totals)
    case .coherent(let run): run.learn(count, &totals)
    }
    exchange.totals = totals
    let mean = (totals.errorSum - errors) / Double(max(totals.moves - moves, 1))
    return mean <= Self.largestError ? .done : .diverged
  }
}

/// The outcome of a call. There are no texts in the module: they would be half of it.
enum Outcome: Int32 {
  case done = 0
  /// The browser refuses the memory for the weights.
  case noMemory = 1
  /// The weights grew beyond all bounds.
  case diverged = 2
  /// The patterns are not a network, or no run has begun.
  case noNetwork = 3
}

/// A run by one of the two step-size rules.
enum AnyRun {
  case constant(LearningRun<ConstantStepSize>)
  case coherent(LearningRun<TemporalCoherence>)

  init(_ settings: LearningSettings) throws(WeightStorageError) {
    self =
      settings.isCoherent
      ? .coherent(try LearningRun(settings, TemporalCoherence(alpha: settings.alpha)))
      : .constant(try LearningRun(settings, ConstantStepSize(alpha: settings.alpha)))
  }

  var indexer: TupleIndexer {
    switch self {
    case .constant(let run): run.indexer
    case .coherent(let run): run.indexer
    }
  }

  func weight(at index: Int) -> Float {
    switch self {
    case .constant(let run): run.weights.weight(at: index)
    case .coherent(let run): run.weights.weight(at: index)
    }
  }

  /// Copies weights of a table in the order of files.
  func copy(table: Int, from start: Int, into values: inout [Float]) {
    switch self {
    case .constant(let run): run.indexer.copy(table: table, of: run.weights, from: start, into: &values)
    case .coherent(let run): run.indexer.copy(table: table, of: run.weights, from: start, into: &values)
    }
  }

  /// The weights that make up the value of an afterstate, feature by feature.
  func weights(of afterstate: Afterstate) -> [Float] {
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(afterstate, into: &features, slot: 0)
    return features.features(ofSlot: 0).map { weight(at: $0) }
  }

  /// The value of an afterstate, in score points.
  func value(of afterstate: Afterstate) -> Float {
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(afterstate, into: &features, slot: 0)
    switch self {
    case .constant(let run): return run.weights.sum(features, slot: 0)
    case .coherent(let run): return run.weights.sum(features, slot: 0)
    }
  }

  /// The cells that a feature looks at, one bit each.
  func cells(ofFeature feature: Int) -> Int32 {
    var features = indexer.makeBuffer(slots: 1)
    indexer.write(Afterstate(bits: 0), into: &features, slot: 0)
    let empty = features.feature(feature, ofSlot: 0)
    var cells: Int32 = 0
    for cell in 0..<16 {
      let board = Board.empty.replacing(cell: cell, with: 1)
      indexer.write(Afterstate(bits: board.bits), into: &features, slot: 0)
      if features.feature(feature, ofSlot: 0) != empty { cells |= 1 << Int32(cell) }
    }
    return cells
  }
}
