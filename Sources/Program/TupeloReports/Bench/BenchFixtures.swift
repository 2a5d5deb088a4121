internal import TupeloBase
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables
internal import TupeloTraining

/// The data that benchmark rows share: networks, each trained once, and large tables. Each is made when a row first
/// needs it.
final class BenchFixtures {
  private let warmUp: Int
  private var constant: [String: TrainedNetwork<PlainCell>] = [:]
  private var coherent: [String: TrainedNetwork<CoherenceCell>] = [:]
  private var players: [String: NTupleNetwork] = [:]
  private var sparsePlayers: [String: SparseNetwork] = [:]
  private var tables: [String: [TableHalf]] = [:]

  /// - Parameter warmUp: the number of games that each network is trained for.
  init(warmUp: Int) { self.warmUp = warmUp }

  func constant(_ layout: NamedLayout) throws -> TrainedNetwork<PlainCell> {
    try made(&constant[layout.name]) {
      try TrainedNetwork(layout.specification(), games: warmUp) { tables, run, weights in
        try tables.pool(ConstantStepSize(alpha: 0.1), run, over: weights)
      }
    }
  }

  func coherent(_ layout: NamedLayout) throws -> TrainedNetwork<CoherenceCell> {
    try made(&coherent[layout.name]) {
      try TrainedNetwork(layout.specification(), games: warmUp) { tables, run, weights in
        try tables.pool(TemporalCoherence(alpha: 1), run, over: weights)
      }
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
final class TrainedNetwork<Cell: WeightCell>: Sendable {
  typealias MakePool = @Sendable (Tables2048, RunInput, WeightStorage<Cell>) throws -> any SelfPlayPool

  let indexer: TupleIndexer
  let weights: WeightStorage<Cell>
  private let makePool: MakePool

  init(_ specification: NetworkSpecification, games: Int, makePool: @escaping MakePool) throws {
    self.makePool = makePool
    indexer = TupleIndexer(specification)
    weights = try WeightStorage<Cell>(count: specification.weightCount)
    _ = try workers(1).playRound(
      PlayRound(games: games, workers: 1, .clock(.now + .seconds(86400), shouldStop: { false })))
  }

  /// - Parameter batch: the number of states that are learned together.
  func workers(_ threads: Int, batch: Int = 1) throws -> any SelfPlayPool {
    var configuration = RunConfiguration(network: indexer.specification)
    configuration.stepSize = Cell.sumCount > 0 ? .temporalCoherence() : .constant()
    configuration.batch = batch
    let streams = (0..<threads).map { RandomStream(seed: 1, stream: UInt64($0)) }
    let run = RunInput(configuration: configuration, streams: streams)
    return try makePool(Tables2048(configuration, indexer: indexer), run, weights)
  }
}
