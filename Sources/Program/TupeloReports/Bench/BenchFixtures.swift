internal import TupeloBase
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables
internal import TupeloTraining

/// The data that benchmark rows share: networks, each trained once, and large tables. Each is made when a row first
/// needs it.
final class BenchFixtures {
  private let warmUp: Int
  private var constant: [String: TrainedNetwork<ConstantStepSize>] = [:]
  private var coherent: [String: TrainedNetwork<TemporalCoherence>] = [:]
  private var players: [String: NTupleNetwork] = [:]
  private var sparsePlayers: [String: SparseNetwork] = [:]
  private var tables: [String: [TableHalf]] = [:]

  /// - Parameter warmUp: the number of games that each network is trained for.
  init(warmUp: Int) { self.warmUp = warmUp }

  func constant(_ layout: NamedLayout) throws -> TrainedNetwork<ConstantStepSize> {
    try made(&constant[layout.name]) {
      try TrainedNetwork(ConstantStepSize(alpha: 0.1), layout.specification(), games: warmUp)
    }
  }

  func coherent(_ layout: NamedLayout) throws -> TrainedNetwork<TemporalCoherence> {
    try made(&coherent[layout.name]) {
      try TrainedNetwork(TemporalCoherence(alpha: 1), layout.specification(), games: warmUp)
    }
  }

  /// The network trained with temporal coherence, before any row trains it further.
  func player(_ layout: NamedLayout) throws -> NTupleNetwork {
    let trained = try coherent(layout)
    return try made(&players[layout.name]) {
      let network = try NTupleNetwork(trained.indexer.specification)
      network.weights.exclusively { weights in
        trained.weights.reading { weights.copyWeights(of: $0) }
      }
      return network
    }
  }

  /// A copy of `player(_:)` with memory for blocks of weights that are not zero alone.
  func sparsePlayer(_ layout: NamedLayout) throws -> SparseNetwork {
    let network = try player(layout)
    return try made(&sparsePlayers[layout.name]) { try SparseNetwork(network) }
  }

  /// Tables for passes over all weights of a network, in two halves.
  func halves(_ layout: NamedLayout) throws -> [TableHalf] {
    try made(&tables[layout.name]) {
      let count = try layout.specification().weightCount
      return [try TableHalf(count: count / 2), try TableHalf(count: count - count / 2)]
    }
  }

  private func made<Value>(_ place: inout Value?, _ make: () throws -> Value) rethrows -> Value {
    if let value = place { return value }
    let value = try make()
    place = value
    return value
  }
}

/// A network in training, which any number of rows may train further.
final class TrainedNetwork<Rule: StepSizeRule>: Sendable {
  let indexer: TupleIndexer
  let weights: WeightStorage<Rule.Cell>
  private let rule: Rule

  init(_ rule: Rule, _ specification: NetworkSpecification, games: Int) throws {
    self.rule = rule
    indexer = TupleIndexer(specification)
    weights = try WeightStorage<Rule.Cell>(count: specification.weightCount)
    _ = try workers(1).playRound(
      PlayRound(games: games, workers: 1, .clock(.now + .seconds(86400), shouldStop: { false })))
  }

  /// - Parameter batch: the number of states that are learned together.
  func workers(_ threads: Int, batch: Int = 1) throws -> any SelfPlayPool {
    var configuration = RunConfiguration(network: indexer.specification)
    configuration.stepSize = Rule.Cell.sumCount > 0 ? .temporalCoherence() : .constant()
    configuration.batch = batch
    let streams = (0..<threads).map { RandomStream(seed: 1, stream: UInt64($0)) }
    let run = NewRun(configuration: configuration, streams: streams)
    return try TableWorkers(Tables2048(configuration, indexer: indexer), rule, run, over: weights).makePool(streams)
  }
}
