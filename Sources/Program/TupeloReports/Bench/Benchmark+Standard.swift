internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
public import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

extension Benchmark {
  /// All rows: the engine, each layout's play and training, handovers between threads, passes over each layout's whole
  /// table, and dense networks.
  ///
  /// - Parameter threads: training is measured on 1 to this many threads; above 1 there is also a row for handovers.
  public static func standard(layouts: [NamedLayout], threads: Int) -> [Benchmark] {
    var rows = [engine]
    for layout in layouts {
      rows += [1, 2, 3].map { play(layout, plies: $0) }
      rows += [1, 3].map { playSparse(layout, plies: $0) }
      for coherent in [false, true] { rows += (1...threads).map { train(layout, coherent: coherent, threads: $0) } }
      rows += [false, true].map { train(layout, coherent: $0, batch: 64) }
    }
    if threads > 1, Processors.count > 1 { rows.append(handover) }
    for layout in layouts { rows += tables(layout) }
    return rows + dense()
  }

  /// Measures random play by the engine alone: the cost of move generation and chance.
  static var engine: Benchmark {
    Benchmark(name: "engine random games", unit: "games") { _ in
      { duration in
        let deadline = ContinuousClock.now + duration
        let playout = RandomPlayout()
        var random = RandomStream(seed: 1)
        var games = 0
        repeat {
          for _ in 0..<100 { _ = playout.play(Rules.standard.startBoard(using: &random), using: &random) }
          games += 100
        } while ContinuousClock.now < deadline
        return games
      }
    }
  }

  /// Measures greedy play (1-ply) and search, with as many interleaved games as suits the agent.
  static func play(_ layout: NamedLayout, plies: Int) -> Benchmark {
    Benchmark(name: "play \(plies)-ply \(layout.name)", unit: "moves") { fixtures in
      playing(try fixtures.player(layout), plies: plies)
    }
  }

  /// Measures the same play by the same network in memory for weights that are not zero.
  static func playSparse(_ layout: NamedLayout, plies: Int) -> Benchmark {
    Benchmark(name: "sparse \(plies == 1 ? "greedy" : "\(plies)-ply") \(layout.name)", unit: "moves") { fixtures in
      playing(try fixtures.sparsePlayer(layout), plies: plies)
    }
  }

  private static func playing(_ network: some InterleavingEvaluator, plies: Int) -> @Sendable (Duration) -> Int {
    { duration in
      let deadline = ContinuousClock.now + duration
      var agent = plies == 1 ? AnyAgent(Greedy(network)) : AnyAgent(Expectimax(network, plies: plies))
      var games = (0..<agent.gamesAtOnce).map { Game(seed: 1, number: UInt64($0)) }
      var (begun, moves, isOver) = (0, 0, false)
      Turns.play(seats: games.count) { seat in
        guard !isOver else { return false }
        games[seat] = Game(seed: 1, number: UInt64(begun))
        begun += 1
        agent.expect(games[seat].board)
        return true
      } move: { seat in
        if moves > 0 && (moves & 63 == 0 || plies > 2) && ContinuousClock.now >= deadline { isOver = true }
        guard !isOver, let move = agent.move(on: games[seat].board) else { return false }
        games[seat].play(move)
        moves += 1
        agent.expect(games[seat].board)
        return true
      }
      return moves
    }
  }

  /// Measures training that continues from the network's present weights. Rows of one network train the same weights.
  ///
  /// - Parameter batch: the number of states that are learned together.
  static func train(_ layout: NamedLayout, coherent: Bool, threads: Int = 1, batch: Int = 1) -> Benchmark {
    let name = "train \(coherent ? "TC" : "TD") \(layout.name)" + (threads > 1 ? " x\(threads)" : "")
    return Benchmark(name: name + (batch > 1 ? " batch \(batch)" : ""), unit: "moves") { fixtures in
      coherent
        ? training(try fixtures.coherent(layout).workers(threads, batch: batch))
        : training(try fixtures.constant(layout).workers(threads, batch: batch))
    }
  }

  private static func training(_ pool: any SelfPlayPool) -> @Sendable (Duration) -> Int {
    { duration in
      pool.playRound(
        PlayRound(games: .max, workers: .max, .clock(.now + duration, shouldStop: { false }))
      ).moves
    }
  }
}
