internal import TupeloBLAS
internal import TupeloEngine
internal import TupeloLearning
public import TupeloNetwork
internal import TupeloSearch

extension Benchmark {
  /// Random play by the engine alone: what move generation and chance cost.
  public static var engine: Benchmark {
    Benchmark(name: "engine random play", unit: "games") { duration in
      let deadline = ContinuousClock.now + duration
      let playout = RandomPlayout()
      var random = RandomStream(seed: 1)
      var games = 0
      while ContinuousClock.now < deadline {
        games += playout.playMany(500, using: &random) { Rules.standard.startBoard(using: &$0) }.games
      }
      return games
    }
  }

  /// Greedy and deeper play by a network trained for `warmUp` games.
  public static func play(_ layout: NamedLayout, plies: Int, warmUp: Int) throws -> Benchmark {
    let state = try state(TemporalCoherence(alpha: 1), layout: layout, warmUp: warmUp, threads: 1)
    let network = try state.network()
    return Benchmark(name: "play \(plies)-ply \(layout.name)", unit: "moves") { duration in
      let deadline = ContinuousClock.now + duration
      var agent = Expectimax(network, plies: plies)
      var moves = 0
      var number: UInt64 = 0
      while true {
        var game = Game(seed: 1, number: number)
        number += 1
        while let move = agent.move(on: game.board) {
          game.play(move)
          moves += 1
          if (moves & 63 == 0 || plies > 2) && ContinuousClock.now >= deadline { return moves }
        }
      }
    }
  }

  /// Training from the state after `warmUp` games.
  public static func train(
    _ layout: NamedLayout, coherent: Bool, threads: Int, warmUp: Int
  ) throws -> Benchmark {
    let name = "train \(coherent ? "TC" : "TD") \(layout.name)" + (threads > 1 ? " x\(threads)" : "")
    let state: any TrainingState =
      coherent
      ? try state(TemporalCoherence(alpha: 1), layout: layout, warmUp: warmUp, threads: threads)
      : try state(ConstantStepSize(alpha: 0.1), layout: layout, warmUp: warmUp, threads: threads)
    return Benchmark(name: name, unit: "moves") { duration in
      state.playRound(games: .max, workers: threads, until: .now + duration, shouldStop: { false }).moves
    }
  }

  /// One merge of a table's weights into their average, by BLAS and by a plain loop: the whole-table pass of `WeightAverage`.
  ///
  /// - Parameter coherent: with the sums of temporal coherence between the weights, three words apart; else contiguous.
  public static func averaging(coherent: Bool) throws -> [Benchmark] {
    let count = 1 << 24
    let name = "average \(coherent ? "TC" : "TD") table"
    let average = try WeightStorage<PlainCell>(count: count)
    for index in 0..<count { average[index] = PlainCell(weight: 1) }
    if coherent {
      let weights = try WeightStorage<CoherenceCell>(count: count)
      for index in 0..<count { weights[index].weight = 2 }
      return [
        pass("\(name), BLAS", weights, average) { BLAS.axpby(0.5, $0, stride: 3, 0.5, &$1) },
        pass("\(name), loop", weights, average) { PlainLoops.axpby(0.5, $0, stride: 3, 0.5, &$1) },
      ]
    }
    let weights = try WeightStorage<PlainCell>(count: count)
    for index in 0..<count { weights[index].weight = 2 }
    return [
      pass("\(name), BLAS", weights, average) { BLAS.axpby(0.5, $0, 0.5, &$1) },
      pass("\(name), loop", weights, average) { PlainLoops.axpby(0.5, $0, 0.5, &$1) },
    ]
  }

  private static func pass<Cell: WeightCell>(
    _ name: String, _ weights: WeightStorage<Cell>, _ average: WeightStorage<PlainCell>,
    _ merge: @escaping @Sendable (Span<Float>, inout MutableSpan<Float>) -> Void
  ) -> Benchmark {
    Benchmark(name: name, unit: "weights") { duration in
      let deadline = ContinuousClock.now + duration
      var passes = 0
      while ContinuousClock.now < deadline {
        weights.withWords { words in average.withMutableWords { merge(words, &$0) } }
        passes += 1
      }
      return passes * average.count
    }
  }

  private static func state<Rule: StepSizeRule>(
    _ rule: Rule, layout: NamedLayout, warmUp: Int, threads: Int
  ) throws -> RuleState<Rule> {
    let streams = (0..<threads).map { RandomStream(seed: 1, stream: UInt64($0)) }
    let state = try RuleState(
      rule, specification: layout.specification(), rules: .standard, streams: streams)
    _ = state.playRound(games: warmUp, workers: threads, until: .now + .seconds(86400), shouldStop: { false })
    return state
  }
}
