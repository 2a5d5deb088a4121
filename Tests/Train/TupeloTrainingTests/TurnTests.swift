import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// Interleaved games, which one thread plays.
@Suite struct TurnTests {
  private static func configuration(_ gamesAtOnce: Int) throws -> RunConfiguration {
    var configuration = try CheckpointTests.configuration(
      .temporalCoherence(alpha: 1), patterns: ["0123", "4567", "0145", "5678"])
    configuration.training.gamesAtOnce = gamesAtOnce
    configuration.seed = 5
    return configuration
  }

  /// Interleaved games equal a few plain loops without prefetching, banks and slots; learning is after every move, or
  /// backward over the episode.
  @Test(arguments: [1, 2, 3], [0, 0.5]) func equalsReference(gamesAtOnce: Int, lambda: Double) throws {
    var configuration = try Self.configuration(gamesAtOnce)
    if lambda > 0 { configuration.returns = LambdaReturn(lambda: Float(lambda), steps: nil) }
    let trainer = try Trainer(configuration)
    try trainer.train(until: 130, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
    let network = try trainer.network()
    var reference = try Reference(configuration)
    reference.play(games: 130, atOnce: gamesAtOnce)
    #expect(trainer.moves == reference.moves)
    var learned = 0
    for pattern in configuration.network.patterns.indices {
      for index in 0..<1 << 16 {
        let place = reference.indexer.storageIndex(pattern: pattern, standardIndex: index)
        let weight = reference.table.weights[place].weight
        learned += weight == 0 ? 0 : 1
        guard network[pattern: pattern, standardIndex: index] == weight else {
          Issue.record("weight \(index) of pattern \(pattern)")
          return
        }
      }
    }
    #expect(learned > 10_000)
  }

  /// A run that is stopped after whole groups and resumed gives the same bits.
  @Test(.slow, arguments: [RunConfiguration.StepSize.constant(alpha: 0.1), .temporalCoherence(alpha: 1)], [2, 5])
  func resumesBitForBit(_ stepSize: RunConfiguration.StepSize, gamesAtOnce: Int) throws {
    var configuration = try Self.configuration(gamesAtOnce)
    configuration.stepSize = stepSize
    configuration.averaging.everyGames = 90
    try expectResumesBitForBit(configuration, games: 210, stops: [20, 100, 140])
    configuration.returns = LambdaReturn(lambda: 0.5, steps: 3)
    configuration.start = .restart(moves: 10)
    try expectResumesBitForBit(configuration, games: 210, stops: [60])
    configuration.returns = LambdaReturn(lambda: 0.5, steps: nil)
    try expectResumesBitForBit(configuration, games: 210, stops: [60])
  }

  /// A run that is stopped at any time stops after a whole group, and its result is that of a run without a stop.
  @Test func stopsBetweenGroups() throws {
    let configuration = try Self.configuration(2)
    let files = (TemporaryFile.path("straight.safetensors"), TemporaryFile.path("stopped.safetensors"))
    defer { [files.0, files.1].forEach(TemporaryFile.remove) }
    let straight = try Trainer(configuration)
    try straight.train(until: 300, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
    try straight.save(to: files.0)
    let stopped = try Trainer(configuration)
    let asked = Counter()
    var stops: Set<Int> = []
    while stopped.games < 300 {
      try stopped.train(until: 300, reportGames: 1000, shouldStop: { asked.next() % 8 >= 6 }, onRound: { _ in })
      stops.insert(stopped.games)
    }
    try stopped.save(to: files.1)
    #expect(stops.count > 3 && stops.allSatisfy { $0 % Turns.groupGames == 0 }, "\(stops)")
    #expect(FileManager.default.contentsEqual(atPath: files.0, andPath: files.1))
    // Groups count from the first game of the run, also after a session that ended within one.
    let short = try Trainer(configuration)
    try short.train(until: 30, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
    let more = Counter()
    try short.train(until: 300, reportGames: 1000, shouldStop: { more.next() > 3 }, onRound: { _ in })
    #expect(short.games > 30 && short.games % Turns.groupGames == 0, "\(short.games)")
  }

  /// The default number of interleaved games for a network and a learner.
  @Test(arguments: [("4x6", 2, 2), ("4x5", 1, 1), ("5x6", 1, 2), ("8x6", 1, 2), ("17x4", 1, 1)])
  func defaultGoesByNetworkAndLearner(layout: String, online: Int, withoutSums: Int) throws {
    func gamesAtOnce(_ overrides: [String]) throws -> Int {
      try RunConfiguration.load(
        yaml: "network: {layout: \(layout)}", sourceName: "x.yaml", environment: [:], overrides: overrides
      ).gamesAtOnce
    }
    #expect(try gamesAtOnce([]) == online)
    #expect(try gamesAtOnce(["learner.lambda=0.5", "learner.steps=4"]) == online)
    #expect(try gamesAtOnce(["learner.lambda=0.5", "learner.steps=episode"]) == withoutSums)
    #expect(try gamesAtOnce(["learner.step_size=constant"]) == withoutSums)
    #expect(try gamesAtOnce(["learner.step_size=constant", "training.games_at_once=3"]) == 3)
  }
}

/// Counts calls, from any thread.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}

/// Temporal coherence over some interleaved games, in groups of twenty: TD(0), or backward where the configuration says
/// so.
private struct Reference: ~Copyable {
  let indexer: TupleIndexer
  let table: ValueTable<TemporalCoherence>
  private(set) var moves = 0
  private let rules: Rules
  private let chance: ChanceModel
  private var features: FeatureBuffer
  private let returns: LambdaReturn
  private var random: RandomStream

  private final class InProgress {
    var board: Board
    var last: Afterstate?
    var lesson: (state: Afterstate, target: Float)?
    /// The moves of a game that is learned when it is over.
    var steps: [MoveOutcome] = []

    init(_ board: Board) { self.board = board }
  }

  init(_ configuration: RunConfiguration) throws {
    indexer = TupleIndexer(configuration.network)
    table = ValueTable(
      weights: try WeightStorage(count: configuration.network.weightCount), rule: TemporalCoherence(alpha: 1),
      featureCount: indexer.featureCount)
    rules = configuration.rules
    returns = configuration.returns
    chance = ChanceModel(rules)
    features = indexer.makeBuffer(slots: 1)
    random = RandomStream(seed: configuration.seed, stream: 0)
  }

  mutating func play(games: Int, atOnce: Int) {
    for start in stride(from: 0, to: games, by: 20) {
      var left = min(20, games - start)
      var playing: [InProgress] = []
      while playing.count < atOnce, left > 0 {
        playing.append(InProgress(rules.startBoard(using: &random)))
        left -= 1
      }
      while !playing.isEmpty {
        var turn = 0
        while turn < playing.count {
          if move(playing[turn]) {
            turn += 1
          } else if left > 0 {
            playing[turn] = InProgress(rules.startBoard(using: &random))
            left -= 1
            turn += 1
          } else {
            playing[turn] = playing[playing.count - 1]
            playing.removeLast()
          }
        }
      }
    }
  }

  private mutating func move(_ game: InProgress) -> Bool {
    if let lesson = game.lesson { learn(lesson.state, lesson.target) }
    game.lesson = nil
    var best: (outcome: MoveOutcome, sum: Float)?
    for move in Move.allCases {
      guard let outcome = game.board.afterstate(of: move) else { continue }
      let sum = Float(outcome.reward) + value(outcome.afterstate)
      if sum > best?.sum ?? -.infinity { best = (outcome, sum) }
    }
    guard let best else {
      if let last = game.last { learn(last, 0) }
      learn(game.steps)
      return false
    }
    if returns.steps == nil {
      game.steps.append(best.outcome)
    } else {
      keepLesson(best, game)
    }
    game.board = chance.board(after: best.outcome.afterstate, using: &random)
    moves += 1
    return true
  }

  private func keepLesson(_ best: (outcome: MoveOutcome, sum: Float), _ game: InProgress) {
    if let last = game.last { game.lesson = (last, best.sum) }
    game.last = best.outcome.afterstate
  }

  private mutating func learn(_ steps: [MoveOutcome]) {
    var (target, value, reward): (Float, Float, Float) = (0, 0, 0)
    for step in steps.reversed() {
      target = returns.value(reward: reward, value: value, next: target)
      value = learn(step.afterstate, target)
      reward = Float(step.reward)
    }
  }

  private mutating func value(_ state: Afterstate) -> Float {
    indexer.write(state, into: &features, slot: 0)
    return table.value(features, slot: 0)
  }

  @discardableResult
  private mutating func learn(_ state: Afterstate, _ target: Float) -> Float {
    let value = value(state)
    return table.update(features, slot: 0, error: target - value)
  }
}
