internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTables
internal import TupeloTraining

/// The signature of behaviour: a number that changes only when behaviour changes. It hashes results of the engine, the
/// learners and the search from fixed seeds.
public enum BenchSignature {
  /// The signature as 16 hex digits. It takes a second or two.
  public static func compute() throws -> String {
    var hash = Hash()
    try addEngine(to: &hash)
    let network = try NetworkSpecification(patterns: ["0123", "4567", "0145"].map { try TuplePattern(text: $0) })
    hash.add(try trained(network, .constant(alpha: 0.1)))
    hash.add(try trained(network, .temporalCoherence(alpha: 1)))
    let digits = String(hash.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Adds random games under several rules, and perft.
  private static func addEngine(to hash: inout Hash) throws {
    for (rows, columns, four) in [(4, 4, 0.1), (3, 3, 0.5), (2, 3, 0.0)] {
      let shape = try BoardShape(rows: rows, columns: columns)
      let rules = try Rules(shape: shape, fourProbability: four)
      var agent = RandomAgent(shape: shape, seed: 1)
      for number in 0..<100 as Range<UInt64> {
        agent.beginGame(seed: 1, number: number)
        var game = Game(rules: rules, seed: 1, number: number)
        while let move = agent.move(on: game.board) { game.play(move) }
        hash.add(game.board.bits)
        hash.add(UInt64(game.score))
      }
    }
    hash.add(UInt64(perft(Board(bits: 0x1000_0000_0000_0001), depth: 2)))
  }

  /// A hash of the scores of 300 training games, then of 20 greedy games and 2 deeper ones.
  private static func trained(
    _ network: NetworkSpecification, _ stepSize: RunConfiguration.StepSize
  ) throws -> UInt64 {
    var hash = Hash()
    var configuration = RunConfiguration(seed: 7, network: network, stepSize: stepSize)
    configuration.averaging.everyGames = 0
    configuration.training.gamesAtOnce = 2
    let trainer = try Trainer(configuration)
    let progress = trainer.state.pool.playRound(
      PlayRound(games: 300, workers: 1, .clock(.now + .seconds(3600), shouldStop: { false })))
    hash.add(UInt64(progress.scoreSum))
    hash.add(UInt64(progress.moves))
    hash.add(progress.absoluteErrorSum.bitPattern)
    let network = try trainer.network()
    for (plies, games) in [(1, 20), (2, 2)] {
      let evaluation = Evaluation(games: games, seed: 3, threads: 1)
      var agent = Expectimax(network, plies: plies)
      for game in 0..<games { hash.add(UInt64(evaluation.play(game: game, by: &agent).score)) }
    }
    return hash.value
  }

  /// FNV-1a over 64-bit words.
  private struct Hash {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ word: UInt64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        value = (value ^ (word >> UInt64(shift) & 0xff)) &* 0x0000_0100_0000_01b3
      }
    }
  }
}
