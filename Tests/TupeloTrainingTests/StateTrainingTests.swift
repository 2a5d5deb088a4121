import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloStates
import TupeloTables
import TupeloTraining

/// Training of weights for whole states: first the patterns learn, then the states.
@Suite struct StateTrainingTests {
  private static func configuration(
    _ stepSize: RunConfiguration.StepSize = .constant(alpha: 0.5), statesAfterGames: Int = 30,
    stages: StagePartition = .single
  ) throws -> RunConfiguration {
    let shape = try BoardShape(rows: 2, columns: 3)
    var configuration = RunConfiguration(seed: 3)
    configuration.rules = try Rules(shape: shape)
    configuration.network = try NetworkSpecification(
      patterns: [TuplePattern(text: "0123", shape: shape), TuplePattern(text: "124", shape: shape)], shape: shape,
      sharesSymmetries: false, stages: stages)
    configuration.states.bits = 20
    configuration.stepSize = stepSize
    configuration.returns = LambdaReturn(lambda: 0.5, steps: nil)
    configuration.states.afterGames = statesAfterGames
    configuration.averaging.everyGames = 0
    return configuration
  }

  private static func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
  }

  private static func weights(_ trainer: Trainer) throws -> (patterns: [Float], states: [Float]) {
    let network = try model(trainer)
    return (
      (0..<network.patterns.weights.count).map { network.patterns.weights.weight(at: $0) },
      (0..<network.weights.count).map { network.weights.weight(at: $0) }
    )
  }

  private static func model(_ trainer: Trainer) throws -> StateNetwork {
    guard case .board(.states(let network)) = try trainer.model() else { throw NotFound() }
    return network
  }

  private struct NotFound: Error {}

  /// Backward TD(0.5) the slow way, with a dictionary of whole boards on top of that of the patterns.
  private struct Reference {
    let rules: Rules
    /// What a state that has learned nothing is multiplied by.
    let optimism: Double
    /// Points on top for a state, over 1 + visits, and the visits of another move that make one that has learned
    /// nothing come first.
    var bonus = 0.0
    var trialVisits = Int.max
    var visits: [ReferenceBoard: Int] = [:]
    var explored = 0
    var trials = 0
    var network = DictionaryNetwork(rows: 2, columns: 3, patterns: ["0123", "124"], sharesSymmetries: false)
    var states: [ReferenceBoard: Double] = [:]
    var random = RandomStream(seed: 3, stream: 0)
    var moves = 0

    private struct Game {
      var board: ReferenceBoard
      var steps: [Step] = []
    }

    /// With the sum of reward and value of the best move, where another was made.
    private typealias Step = (after: ReferenceBoard, reward: Double, foregone: Double?)

    private static func matrix(_ board: ReferenceBoard) -> [[Int]] {
      board.tiles.map { row in row.map { $0 == 0 ? 0 : $0.trailingZeroBitCount } }
    }

    func value(_ board: ReferenceBoard, learnsStates: Bool = true) -> Double {
      let patterns = network.value(of: Self.matrix(board))
      guard learnsStates else { return patterns }
      return max(patterns, 0) + (states[board] ?? max(patterns, 0) * (optimism - 1))
    }

    /// Plays games number `first` to `last`, in groups that end at multiples of 20 where some are played in turn.
    mutating func play(_ games: Range<Int>, atOnce: Int, learnsStates: Bool) {
      var first = games.lowerBound
      while first < games.upperBound {
        let last = min((first / 20 + 1) * 20, games.upperBound)
        play(games: last - first, atOnce: atOnce, learnsStates: learnsStates)
        first = last
      }
    }

    /// Plays so many games, some of them in turn, move by move.
    private mutating func play(games: Int, atOnce: Int, learnsStates: Bool) {
      var begun = min(games, atOnce)
      var playing = (0..<begun).map { _ in
        Game(board: ReferenceBoard(rules.startBoard(using: &random), shape: rules.shape))
      }
      while !playing.isEmpty {
        var number = 0
        while number < playing.count {
          if move(&playing[number], learnsStates: learnsStates) {
            number += 1
            continue
          }
          learn(playing[number].steps, learnsStates: learnsStates)
          if begun < games {
            playing[number] = Game(board: ReferenceBoard(rules.startBoard(using: &random), shape: rules.shape))
            (begun, number) = (begun + 1, number + 1)
          } else {
            playing[number] = playing[playing.count - 1]
            playing.removeLast()
          }
        }
      }
    }

    private mutating func move(_ game: inout Game, learnsStates: Bool) -> Bool {
      let choices = [Move.up, .right, .down, .left].compactMap { game.board.moved($0) }.map { ($0.0, Double($0.1)) }
      let sums = choices.map { $0.1 + value($0.0, learnsStates: learnsStates) }
      guard let best = sums.max(), var index = sums.firstIndex(of: best) else { return false }
      var foregone: Double?
      if learnsStates {
        let counts = choices.map { visits[$0.0, default: 0] }
        let raised = zip(sums, counts).map { $0 + bonus / Double(1 + $1) }
        if let most = raised.max(), let first = raised.firstIndex(of: most) { index = first }
        if (counts.max() ?? 0) >= trialVisits,
          let trial = choices.firstIndex(where: { visits[$0.0] == nil && states[$0.0] ?? 0 == 0 })
        {
          (index, trials) = (trial, trials + 1)
        }
        visits[choices[index].0, default: 0] += 1
        if index != sums.firstIndex(of: best) { (foregone, explored) = (best, explored + 1) }
      }
      moves += 1
      game.steps.append((choices[index].0, choices[index].1, foregone))
      game.board = ReferenceBoard(
        ChanceModel(rules).board(after: choices[index].0.engineAfterstate, using: &random), shape: rules.shape)
      return true
    }

    private mutating func learn(_ steps: [Step], learnsStates: Bool) {
      var (target, next) = (0.0, 0.0)
      for (index, step) in steps.enumerated().reversed() {
        if index + 1 < steps.count {
          target = steps[index + 1].foregone ?? steps[index + 1].reward + 0.5 * next + 0.5 * target
        }
        if learnsStates {
          let before = value(step.after)
          states[step.after] = before + 0.5 * (target - before) - max(network.value(of: Self.matrix(step.after)), 0)
        } else {
          network.learnConstant(Self.matrix(step.after), target: target, alpha: 0.5)
        }
        next = value(step.after, learnsStates: learnsStates)
      }
    }
  }

  /// Weights are the slow learner's.
  @Test(arguments: [(1, 1), (1, 1.25), (4, 1.25)]) func learnsAsTheReferenceDoes(_ atOnce: Int, _ optimism: Float)
    throws
  {
    var configuration = try Self.configuration()
    configuration.states.optimism = optimism
    configuration.training.gamesAtOnce = atOnce
    let trainer = try Trainer(configuration)
    try Self.train(trainer, until: 30)
    try Self.train(trainer, until: 60)
    var reference = Reference(rules: configuration.rules, optimism: Double(optimism))
    reference.play(0..<30, atOnce: 1, learnsStates: false)
    reference.play(30..<60, atOnce: atOnce, learnsStates: true)
    try Self.expectSame(trainer, reference)
  }

  /// Weights are the slow learner's, also with exploration that begins with the states.
  @Test(arguments: [(1, 0), (1, 3), (4, 3)]) func exploresAsTheReferenceDoes(_ atOnce: Int, _ trials: Int) throws {
    var configuration = try Self.configuration()
    configuration.visits.bonus = 40
    configuration.visits.restarts = [30]
    configuration.states.trialVisits = trials
    configuration.training.gamesAtOnce = atOnce
    let trainer = try Trainer(configuration)
    try Self.train(trainer, until: 100)
    var reference = Reference(rules: configuration.rules, optimism: 1)
    reference.bonus = 40
    if trials > 0 { reference.trialVisits = trials }
    reference.play(0..<30, atOnce: 1, learnsStates: false)
    reference.play(30..<100, atOnce: atOnce, learnsStates: true)
    #expect(reference.explored > 20 && (reference.trials > 5) == (trials > 0))
    try Self.expectSame(trainer, reference)
  }

  /// Moves, weights and values are equal.
  private static func expectSame(_ trainer: Trainer, _ reference: Reference) throws {
    #expect(trainer.moves == reference.moves && reference.states.count > 100)
    let network = try model(trainer)
    for (feature, weight) in reference.network.weights {
      let own = Double(network.patterns[pattern: feature.pattern, standardIndex: feature.standardIndex])
      #expect(abs(own - weight) < 1e-3 * max(1, abs(weight)))
    }
    for board in reference.states.keys {
      let value = reference.value(board)
      #expect(abs(Double(network.value(of: board.engineAfterstate)) - value) < 1e-3 * max(1, abs(value)))
    }
    let learned = reference.states.values.count { $0 != 0 }
    #expect(try Self.weights(trainer).states.count { $0 != 0 } == learned)
  }

  /// Before the change the table is empty, after it the patterns stay as they are.
  @Test(arguments: [RunConfiguration.StepSize.constant(alpha: 0.5), .temporalCoherence()])
  func eitherLearns(_ stepSize: RunConfiguration.StepSize) throws {
    let trainer = try Trainer(Self.configuration(stepSize))
    try Self.train(trainer, until: 30)
    let before = try Self.weights(trainer)
    #expect(before.patterns.count { $0 != 0 } > 100 && before.states.allSatisfy { $0 == 0 })
    try Self.train(trainer, until: 60)
    let after = try Self.weights(trainer)
    #expect(after.patterns == before.patterns && after.states.count { $0 != 0 } > 100)
  }

  /// Without games for the patterns, the table is all there is.
  @Test func statesAlone() throws {
    let trainer = try Trainer(Self.configuration(statesAfterGames: 0))
    try Self.train(trainer, until: 30)
    let (patterns, states) = try Self.weights(trainer)
    #expect(patterns.allSatisfy { $0 == 0 } && states.count { $0 != 0 } > 100)
  }

  /// What plays knows no optimism: patterns stay as they are, and states that have learned nothing are worth what those
  /// say.
  @Test(arguments: [0, 30]) func optimismIsForTrainingAlone(_ games: Int) throws {
    var configuration = try Self.configuration(statesAfterGames: games)
    configuration.initialValue = 600
    let plain = try Trainer(configuration)
    try Self.train(plain, until: games)
    let patterns = try Self.model(plain)
    configuration.states.optimism = 1.25
    let hopeful = try Trainer(configuration)
    for trainer in [plain, hopeful] { try Self.train(trainer, until: games + 20) }
    #expect(try Self.weights(hopeful).patterns == Self.weights(plain).patterns && hopeful.moves != plain.moves)
    let network = try Self.model(hopeful)
    let states = network.states
    var (positions, unknown) = (RandomPositions(seed: 2, shape: network.specification.patterns.shape), 0)
    for _ in 0..<100 {
      let afterstate = try Afterstate(matrix: positions.matrix(largest: 5), shape: network.specification.patterns.shape)
      let weight = states.slot(of: states.hash(afterstate.bits)).map { network.weights[$0].weight } ?? 0
      if weight == 0 {
        #expect(network.value(of: afterstate) == patterns.value(of: afterstate))
        unknown += 1
      }
    }
    #expect(unknown > 50)
  }

  /// An optimistic beginning is the patterns' business.
  @Test func patternsAloneBeginOptimistic() throws {
    var configuration = try Self.configuration()
    configuration.initialValue = 600
    let (patterns, states) = try Self.weights(Trainer(configuration))
    #expect(patterns.allSatisfy { $0 == 300 } && states.allSatisfy { $0 == 0 })
  }

  /// In one go and in two, before, at and after the change: the same file, byte for byte.
  @Test(arguments: [false, true]) func resumesBitForBit(_ isStaged: Bool) throws {
    var configuration = try Self.configuration(
      .temporalCoherence(), stages: isStaged ? StagePartition(.largest, at: [16, 32]) : .single)
    configuration.averaging.everyGames = 10
    configuration.visits.bonus = 300
    configuration.states.optimism = 1.25
    if isStaged { configuration.stages.afterGames = 25 }
    try expectResumesBitForBit(configuration, games: 60, stops: [20, 30, 45])
    configuration.training.gamesAtOnce = 3
    try expectResumesBitForBit(configuration, games: 60, stops: [20, 40])
  }

  /// A state is first met in some orientation, after a resume in another: its value must not depend on that.
  @Test(arguments: [0, 20]) func resumesBitForBitWhereSymmetriesAreShared(_ trialVisits: Int) throws {
    let shape = try BoardShape(rows: 3, columns: 3)
    var configuration = RunConfiguration(seed: 1)
    configuration.rules = try Rules(shape: shape)
    configuration.network = try NetworkSpecification(
      patterns: ["012", "456"].map { try TuplePattern(text: $0, shape: shape) }, shape: shape)
    configuration.states.bits = 14
    configuration.states.afterGames = 200
    configuration.states.trialVisits = trialVisits
    if trialVisits > 0 { configuration.visits.bonus = 100 }
    configuration.returns = LambdaReturn(lambda: 0.5, steps: nil)
    try expectResumesBitForBit(configuration, games: 1000, stops: [100, 500])
  }

  /// The average that plays has the patterns as they stay, however short the states have learned.
  @Test(arguments: [false, true]) func averagesKeepThePatterns(_ isStaged: Bool) throws {
    var configuration = try Self.configuration(
      .temporalCoherence(), stages: isStaged ? StagePartition(.largest, at: [16, 32]) : .single)
    let plain = try Trainer(configuration)
    configuration.averaging.everyGames = 2
    let averaged = try Trainer(configuration)
    for trainer in [plain, averaged] { try Self.train(trainer, until: 40) }
    let (weights, average) = (try Self.weights(plain), try Self.weights(averaged))
    #expect(zip(weights.patterns, average.patterns).allSatisfy { abs($0 - $1) <= 1e-4 * max(1, abs($0)) })
    #expect(weights.states != average.states)
  }

  /// Weights are equal, and so are values of 500 random positions.
  private static func expectSame(_ first: StateNetwork, _ second: StateNetwork) throws {
    for (one, other) in [(first.weights, second.weights), (first.patterns.weights, second.patterns.weights)] {
      #expect(one.count == other.count)
      #expect((0..<one.count).allSatisfy { one[$0].weight == other[$0].weight })
    }
    let shape = first.specification.patterns.shape
    var positions = RandomPositions(seed: 2, shape: shape)
    for round in 0..<500 {
      let afterstate = try Afterstate(matrix: positions.matrix(largest: round % 4 + 1), shape: shape)
      #expect(first.value(of: afterstate) == second.value(of: afterstate))
    }
  }

  /// The file that plays is the network that plays.
  @Test func savedRunsPlayAsTheyDid() throws {
    let path = TemporaryFile.path("states.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(
      Self.configuration(.temporalCoherence(), stages: StagePartition(.largest, at: [16, 32])))
    try Self.train(trainer, until: 60)
    try trainer.save(to: path)
    try Self.expectSame(Self.model(trainer), StateNetwork(file: SafetensorsFile(path: path)))
  }

  /// A run that starts from the states of another, known as they are.
  @Test func initialModelsBringTheirStates() throws {
    let path = TemporaryFile.path("states.safetensors")
    defer { TemporaryFile.remove(path) }
    let first = try Trainer(Self.configuration())
    try Self.train(first, until: 60)
    try first.save(to: path)
    var configuration = try Self.configuration(statesAfterGames: 0)
    configuration.initialModel = path
    let second = try Trainer(configuration)
    try Self.expectSame(Self.model(second), Self.model(first))
  }

  /// Patterns are taken over whatever stands on top of them, states only where there are as many slots.
  @Test func initialModelsWithOtherTables() throws {
    let path = TemporaryFile.path("states.safetensors")
    defer { TemporaryFile.remove(path) }
    let first = try Trainer(Self.configuration())
    try Self.train(first, until: 60)
    try first.save(to: path)
    for bits in [0, 19] {
      var configuration = try Self.configuration()
      configuration.states = RunConfiguration.States()
      configuration.states.bits = bits
      configuration.initialModel = path
      let second = try Trainer(configuration)
      let (own, other) = (try second.network().weights, try first.network().weights)
      #expect((0..<own.count).allSatisfy { own[$0].weight == other[$0].weight })
      if bits > 0 { #expect(try Self.weights(second).states.allSatisfy { $0 == 0 }) }
    }
  }

  @Test func otherProgramsCannotReadThem() throws {
    let path = TemporaryFile.path("states.w")
    let trainer = try Trainer(Self.configuration())
    #expect(throws: TrainedModelError.states(path: path)) { try trainer.model().saveTDLWeightFile(to: path) }
  }

  /// The slots of two models are not the same states'.
  @Test func replicasAreNotAveraged() throws {
    let path = TemporaryFile.path("states.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(Self.configuration())
    try Self.train(trainer, until: 10)
    try trainer.save(to: path)
    #expect(throws: ReplicaMergeError.states(path: path)) {
      try ReplicaMerge.merge([path, path], by: .mean, to: path + ".merged")
    }
  }
}
