import Safetensors
import TestSupport
import Testing
import TupeloTraining

/// Cards of 1 to 10 points are drawn until the player stops. More than 21 points are worth nothing.
private struct TwentyOne: SelfPlayGame {
  struct Choices: ChoiceSet {
    var points: Int
    /// Choice 0 stops, choice 1 draws.
    var end: Int { 2 }
    func contains(_ choice: Int) -> Bool { points <= 21 }
    func reward(ofChoice choice: Int) -> Float { choice == 0 ? Float(points) : 0 }
    /// State 22 is the end of the game.
    func state(afterChoice choice: Int) -> Int { choice == 0 ? 22 : points }
  }

  var name = "twenty-one"
  static var choiceLimit: Int { 2 }

  func start(using random: inout RandomStream) -> Int { 1 + random.next(below: 10) }
  func choices(of points: Int) -> Choices { Choices(points: points) }
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Int {
    choice == 0 ? 22 : choices.points + 1 + random.next(below: 10)
  }
  func outcome(of points: Int) -> Int { points == 22 ? -3 : points * 10 }

  /// The value of drawing, by states: what the best play earns on average.
  static let drawing: [Double] = {
    var best = [Double](repeating: 0, count: 32)
    var drawing = best
    for points in (0...21).reversed() {
      drawing[points] = best[(points + 1)...(points + 10)].reduce(0, +) / 10
      best[points] = max(Double(points), drawing[points])
    }
    return drawing
  }()
}

private struct Points: FeatureEncoder {
  let layout = FeatureLayout(featureCount: 1, groupSize: 1, weightCount: 23)

  func write(_ points: Int, into features: inout FeatureBuffer, slot: Int) {
    features.set(0, ofSlot: slot, to: points)
  }
}

/// An encoder of a larger network.
private struct MorePoints: FeatureEncoder {
  let layout = FeatureLayout(featureCount: 1, groupSize: 1, weightCount: 24)

  func write(_ points: Int, into features: inout FeatureBuffer, slot: Int) {
    features.set(0, ofSlot: slot, to: points)
  }
}

/// A constant step size with a parameter of its own, which a new step size must not touch.
private struct ScaledStep: StepSizeRule {
  typealias Cell = PlainCell
  var alpha: Float
  let scale: Float
  static var reevaluates: Bool { false }
  static var updatesFour: Bool { true }

  func update(_ cell: inout PlainCell, error: Float, share: Float) { cell.weight += alpha * scale * share * error }
  func steps(_ sums: inout NoSums, error: Float, share: Float) -> SIMD4<Float> {
    SIMD4(repeating: alpha * scale * share * error)
  }
  func apply(_ cell: inout PlainCell, step: Float, error: Float) { cell.weight += alpha * scale * step }
}

/// A walk of three steps with the same reward at each.
private struct Walk: SelfPlayGame {
  struct Choices: ChoiceSet {
    var steps: Int
    let step: Float
    var end: Int { 1 }
    func contains(_ choice: Int) -> Bool { steps < 3 }
    func reward(ofChoice choice: Int) -> Float { step }
    func state(afterChoice choice: Int) -> Int { steps }
  }

  var name = "walk"
  let step: Float
  static var choiceLimit: Int { 1 }

  func start(using random: inout RandomStream) -> Int { 0 }
  func choices(of steps: Int) -> Choices { Choices(steps: steps, step: step) }
  func position(after choices: Choices, choice: Int, using random: inout RandomStream) -> Int { choices.steps + 1 }
  func outcome(of steps: Int) -> Int { steps }
}

@Suite struct OwnGameTests {
  private func configuration(games: Int, averaging: Int = 0) -> RunConfiguration {
    var configuration = RunConfiguration(name: "own", initialValue: 21)
    configuration.training.games = games
    configuration.averaging.everyGames = averaging
    return configuration
  }

  private func trainer(
    _ configuration: RunConfiguration, _ game: TwentyOne = TwentyOne(), resuming path: String? = nil
  ) throws -> Trainer {
    try Trainer(
      configuration, game: game, encoder: Points(), rule: ConstantStepSize(alpha: 0.01), resuming: path)
  }

  /// Rewards may be fractions and negative: a score is their sum.
  @Test(arguments: [0.25, -1.5] as [Float]) func rewardsNeedNotBeWhole(_ step: Float) throws {
    let trainer = try Trainer(
      configuration(games: 40), game: Walk(step: step), encoder: Points(), rule: ConstantStepSize(alpha: 0.5))
    var progress = TrainingProgress()
    try trainer.train { progress.add($0) }
    #expect(progress.scoreMean == Double(3 * step) && progress.scoreMax == Double(3 * step))
  }

  @Test(arguments: [Float.nan, .infinity]) func rewardsAreFinite(_ step: Float) throws {
    let trainer = try Trainer(
      configuration(games: 40), game: Walk(step: step), encoder: Points(), rule: ConstantStepSize(alpha: 0.5))
    #expect(throws: TrainingError.badReward(game: "walk")) { try trainer.train() }
  }

  private func weights(_ trainer: Trainer) throws -> [Float] {
    var evaluator = try trainer.values(Points()).makeEvaluator()
    return (0...22).map { evaluator.value(of: $0) }
  }

  /// Learners of all kinds: backward, delayed, one-step, and batches.
  @Test(
    arguments: [
      (LambdaReturn.oneStep, 1), (LambdaReturn(lambda: 0.5, steps: nil), 1), (LambdaReturn(lambda: 1, steps: 3), 1),
      (LambdaReturn.oneStep, 8),
    ] as [(LambdaReturn, Int)])
  func learnsWhatTheBestPlayEarns(_ returns: LambdaReturn, batch: Int) throws {
    var configuration = configuration(games: 60_000, averaging: 500)
    (configuration.returns, configuration.batch) = (returns, batch)
    let trainer = try trainer(configuration)
    try trainer.train()
    let learned = try weights(trainer)
    // From 14 points on the best play stops, and at 13 drawing is little better: once it looks worse, it is not tried.
    for points in 4...12 {
      #expect(abs(Double(learned[points]) - TwentyOne.drawing[points]) < 0.7, "\(points) points: \(learned[points])")
    }
    for points in 15...21 { #expect(learned[points] < Float(points)) }
  }

  @Test func aLearnerOfOnesOwnLearnsTheSame() throws {
    let configuration = configuration(games: 300)
    let usual = try trainer(configuration)
    let rule = ConstantStepSize(alpha: 0.01)
    let own = try Trainer(configuration, game: TwentyOne(), encoder: Points(), rule: rule) {
      OneStepLearner($0, encoder: $1)
    }
    for trainer in [usual, own] { try trainer.train() }
    #expect(try weights(usual) == weights(own))
  }

  @Test func aRuleKeepsItsParameters() throws {
    var configuration = configuration(games: 400)
    configuration.schedule.changes = [.init(games: 200, alpha: 0.02)]
    let scaled = try Trainer(
      configuration, game: TwentyOne(), encoder: Points(), rule: ScaledStep(alpha: 0.04, scale: 0.25))
    try scaled.train()
    configuration.schedule.changes = [.init(games: 200, alpha: 0.005)]
    let plain = try trainer(configuration)
    try plain.train()
    #expect(try weights(scaled) == weights(plain))
  }

  @Test func goesOnFromACheckpoint() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint.safetensors")
    let whole = try trainer(configuration(games: 600, averaging: 50))
    try whole.train()
    let first = try trainer(configuration(games: 600, averaging: 50))
    try first.train(until: 240)
    try first.save(to: path)
    let second = try trainer(configuration(games: 600, averaging: 50), resuming: path)
    #expect(second.games == 240 && second.moves == first.moves)
    try second.train()
    #expect(try weights(whole) == weights(second))
    var saved = try LearnedValues(path: path, game: "twenty-one", encoder: Points()).makeEvaluator()
    #expect(try weights(first) == (0...22).map { saved.value(of: $0) })
  }

  @Test func refusesWhatIsNotOfTheGame() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint.safetensors")
    try trainer(configuration(games: 10)).save(to: path)
    let unknown = ModelFileError.otherGame(path: path, game: "twenty-one")
    #expect(throws: unknown) { try Checkpoint(path: path) }
    #expect(throws: unknown) { try TrainedModel(path: path) }
    let text =
      ": belongs to the game twenty-one, which this program does not know: open it with the program that wrote it"
    #expect("\(unknown)" == path + text)
    #expect(throws: unknown) { try trainer(configuration(games: 10), TwentyOne(name: "black-jack"), resuming: path) }
    var other = configuration(games: 10)
    other.returns = LambdaReturn(lambda: 0.5, steps: nil)
    #expect(throws: CheckpointError.self) { try trainer(other, resuming: path) }
    _ = try Trainer(
      other, game: TwentyOne(), encoder: Points(), rule: ConstantStepSize(alpha: 0.01), resuming: path,
      allowingChanges: true)
    for name in ["", "2048", "Twenty One", "a/b"] {
      #expect(throws: TrainingError.badName(game: name)) { try trainer(configuration(games: 1), TwentyOne(name: name)) }
    }
    var rules = configuration(games: 1)
    rules.rules = try Rules(shape: .standard, fourProbability: 0.5)
    #expect(throws: TrainingError.notOfGame(game: "twenty-one", key: "rules.four_probability")) { try trainer(rules) }
    var replicas = configuration(games: 1)
    replicas.training.replicas = 2
    #expect(throws: TrainingError.notOfGame(game: "twenty-one", key: "training.replicas")) { try trainer(replicas) }
    // These settings belong to dense networks, and have no effect here with or without hidden layers.
    let settings: [(key: String, set: (inout RunConfiguration) -> Void)] = [
      ("network.dense.hidden", { $0.dense.hidden = [8] }), ("network.dense.embedding", { $0.dense.embedding = 31 }),
      ("network.dense.linear", { $0.dense.linear.toggle() }), ("network.dense.sums", { $0.dense.sums = .all }),
      ("learner.weight_decay", { $0.weightDecay = 0.1 }), ("learner.row_patience", { $0.rowPatience = 5 }),
      ("learner.clip", { $0.clip = 1 }), ("network.initial_model", { $0.initialModel = "x" }),
    ]
    for (key, set) in settings {
      var other = configuration(games: 1)
      set(&other)
      #expect(throws: TrainingError.notOfGame(game: "twenty-one", key: key)) { try trainer(other) }
    }
    #expect(throws: TrainingError.ownGame("twenty-one")) { try trainer(configuration(games: 1)).model() }
    let larger = TrainingError.otherEncoder(features: 1, weights: 24, of: 1, 23)
    #expect(throws: larger) { try trainer(configuration(games: 1)).values(MorePoints()) }
  }

  /// A step size that varies by weight has a mean; a constant one has no mean to report.
  @Test func onlyCoherentTablesHaveAMeanStepSize() throws {
    let constant = try trainer(configuration(games: 20))
    try constant.train()
    #expect(constant.diagnostics().map(\.meanStepSize) == [nil])
    let coherent = try Trainer(
      configuration(games: 20), game: TwentyOne(), encoder: Points(), rule: TemporalCoherence(alpha: 1))
    try coherent.train()
    #expect(coherent.diagnostics().allSatisfy { $0.meanStepSize != nil })
  }

  /// Training of a game without models gives one line, and not a crash.
  @Test func aGameWithoutModelsIsRefused() {
    var configuration = RunConfiguration()
    configuration.game = GameKind(name: "bare", title: "Bare")
    #expect(throws: TrainingError.untrained("Bare")) { try Trainer(configuration) }
    #expect(Trainer.memory(of: configuration) == 0)
  }

  @Test func greedyGamesAreTheSameOnAnyThreads() throws {
    struct Cautious: StateEvaluator {
      /// The value makes the player stop at 12 points.
      func value(of points: Int) -> Float { points == 22 ? 0 : points < 12 ? 30 : -1 }
    }
    let one = GreedyGames(TwentyOne(), games: 500, seed: 3).results { Cautious() }
    let three = GreedyGames(TwentyOne(), games: 500, seed: 3, threads: 3).results { Cautious() }
    #expect(one == three && one.count == 500)
    #expect(one.allSatisfy { (12...21).contains($0.score) && $0.outcome == -3 })
    let mean = try #require(one.meanScore)
    #expect(mean.margin > 0 && mean.margin < 1)
    #expect(GreedyGames(TwentyOne(), games: 0, seed: 3).results { Cautious() }.isEmpty)
  }
}
