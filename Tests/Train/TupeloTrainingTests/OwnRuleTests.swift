import Safetensors
import TestSupport
import Testing
import TupeloTraining

/// Temporal coherence, written again by its equation alone (Jaskowski 2018, eq. 7 and 8).
private struct Copied: StepSizeRule {
  var alpha: Float = 0.7
  static var sumsErrors: Bool { true }

  func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    let rate = cell.absoluteErrorSum > 0 ? abs(cell.errorSum) / cell.absoluteErrorSum : 1
    cell.errorSum += error
    cell.absoluteErrorSum += abs(error)
    cell.weight += alpha * share * rate * error
  }
}

/// A rule whose two numbers are not sums of errors: the number of updates, and nothing.
private struct Counting: StepSizeRule {
  var alpha: Float = 0.5

  func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    cell.errorSum += 1
    cell.weight += alpha * share * error / cell.errorSum
  }
}

private struct Broken: StepSizeRule {
  var alpha: Float = 0.5

  func update(_ cell: inout PlainCell, error: Float, share: Float) { cell.weight += share * error / 0 - share / 0 }
}

/// TD(0) without any delay: the state before a choice learns as soon as the choice is made.
private struct PromptLearner<Rule: StepSizeRule, Encoder: FeatureEncoder>: TableLearner {
  var table: ValueTable<Rule>
  var encoder: Encoder
  var window = 2

  typealias Episode = LearningStep<Encoder.State>?

  func makeEpisode() -> Episode { nil }
  func begin(_ episode: inout Episode) { episode = nil }
  func prefetch(_ features: borrowing FeatureBuffer, slot: Int) { table.prefetch(features, slot: slot) }
  func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float { table.promotedValue(features, slot: slot) }

  func append(
    _ step: LearningStep<Encoder.State>, to episode: inout Episode, _ features: inout FeatureBuffer,
    errors: inout Double
  ) {
    learn(episode, step.reward + step.value, features, &errors)
    episode = step
  }

  func finish(_ episode: inout Episode, _ features: inout FeatureBuffer, errors: inout Double) {
    learn(episode, 0, features, &errors)
  }

  private func learn(_ episode: Episode, _ target: Float, _ features: borrowing FeatureBuffer, _ errors: inout Double) {
    guard let episode else { return }
    errors += Double(abs(table.learn(features, slot: episode.slot, value: episode.value, target: target)))
  }
}

/// A learner that does nothing.
private struct Idle: Learner {
  var encoder: TupleIndexer
  var window: Int { 1 }
  var scratchSlots: Int { 0 }
  func makeEpisode() -> Int { 0 }
  func begin(_ episode: inout Int) {}
  func prefetch(_ features: borrowing FeatureBuffer, slot: Int) {}
  func value(_ features: borrowing FeatureBuffer, slot: Int) -> Float { 0 }
  func append(
    _ step: LearningStep<Afterstate>, to episode: inout Int, _ features: inout FeatureBuffer, errors: inout Double
  ) {}
  func finish(_ episode: inout Int, _ features: inout FeatureBuffer, errors: inout Double) {}
  func setStepSize(_ alpha: Float, isWarmUp: Bool) {}
}

/// A feature for each cell and tile, and one for the free cells.
private struct Cells: FeatureEncoder {
  var layout = FeatureLayout(featureCount: 17, groupSize: 1, weightCount: 16 * 16 + 17)

  func write(_ state: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    for cell in 0..<16 { features.set(cell, ofSlot: slot, to: cell * 16 + Int(state.bits >> UInt64(4 * cell) & 0xf)) }
    features.set(16, ofSlot: slot, to: 256 + 16 - state.occupiedMask.nonzeroBitCount)
  }
}

@Suite struct OwnRuleTests {
  private func configuration(
    games: Int = 60, returns: LambdaReturn = .oneStep, _ change: (inout RunConfiguration) -> Void = { _ in }
  ) throws -> RunConfiguration {
    var configuration = RunConfiguration(name: "own", network: try network("0123 4567 0145"), returns: returns)
    configuration.training.games = games
    configuration.averaging.everyGames = 0
    change(&configuration)
    return configuration
  }

  private func network(_ patterns: String, on shape: BoardShape = .standard) throws -> NetworkSpecification {
    let patterns = try patterns.split(separator: " ").map { try TuplePattern(text: $0, shape: shape) }
    return try NetworkSpecification(patterns: patterns, shape: shape)
  }

  private func weights(_ trainer: Trainer) throws -> String { try trainer.model().identity }

  /// A rule written again learns bit for bit what the rule of the package learns, whatever the learner.
  @Test(
    arguments: [LambdaReturn.oneStep, LambdaReturn(lambda: 0.5, steps: 3), LambdaReturn(lambda: 0.8, steps: nil)])
  func aCopiedRuleLearnsTheSame(_ returns: LambdaReturn) throws {
    let configuration = try configuration(games: 100, returns: returns) {
      $0.stepSize = .temporalCoherence(alpha: 0.7)
      $0.schedule.changes = [.init(games: 60, alpha: 0.3)]
    }
    let ours = try Trainer(configuration)
    let copied = try Trainer(configuration, rule: Copied())
    let shipped = try Trainer(configuration, rule: TemporalCoherence(alpha: 0.1))
    for trainer in [ours, copied, shipped] { try trainer.train() }
    #expect(try weights(ours) == weights(copied) && weights(ours) == weights(shipped))
    #expect(shipped.configuration == ours.configuration && copied.configuration != ours.configuration)
    #expect(copied.configuration.learnerText(after: 0).hasPrefix("Copied, alpha 0.7"))
  }

  /// `learner.alpha` counts if somebody gives it, even the number that is the default of another rule.
  @Test func alphaOfTheConfigurationReachesTheRule() throws {
    func trained(_ yaml: String, _ rule: Copied) throws -> (String, Float) {
      var configuration = try RunConfiguration.parse(yaml: yaml, sourceName: "x")
      configuration.network = try network("0123 4567 0145")
      configuration.training.games = 40
      let trainer = try Trainer(configuration, rule: rule)
      try trainer.train()
      return (try weights(trainer), trainer.configuration.stepSize.alpha)
    }
    let own = try trained("seed: 1", Copied(alpha: 0.2))
    let given = try trained("learner.alpha: 0.2", Copied(alpha: 0.9))
    let usual = try trained("learner.alpha: 1", Copied(alpha: 0.2))
    #expect(own == given && own != usual && own.1 == 0.2 && usual.1 == 1)
  }

  @Test func aLearnerOfOnesOwnLearnsTheSame() throws {
    let configuration = try configuration(games: 100)
    let ours = try Trainer(configuration)
    let own = try Trainer(configuration, rule: TemporalCoherence(alpha: 1)) { PromptLearner(table: $0, encoder: $1) }
    for trainer in [ours, own] { try trainer.train() }
    #expect(try weights(ours) == weights(own))
  }

  @Test func settingsWithoutEffectAreRefused() throws {
    func refuses(_ key: String, _ change: (inout RunConfiguration) -> Void) throws {
      let configuration = try configuration(change)
      let error = #expect(throws: (any Error).self, "\(key)") { try Trainer(configuration, rule: Counting()) }
      #expect("\(try #require(error))".contains(key), "\(String(describing: error))")
    }
    try refuses("learner.step_size has no effect with the rule Counting") { $0.stepSize = .constant() }
    try refuses("learner.warm_up_games has no effect with the rule Counting") { $0.schedule.warmUpGames = 5 }
    try refuses("learner.zeros has no effect with the rule Counting") { $0.zeros = .stay }
    try refuses("training.replicas has no effect with the rule Counting") { $0.training.replicas = 2 }
    try refuses("network.dense.hidden has no effect with the rule Counting") { $0.dense.hidden = [8] }
    try refuses("learner.alpha") { $0.stepSize = .temporalCoherence(alpha: 2) }

    let far = try configuration(returns: LambdaReturn(lambda: 0.5, steps: 4))
    let rule = TemporalCoherence(alpha: 1)
    #expect(throws: TrainingError.notOfLearner("PromptLearner", key: "learner.lambda")) {
      try Trainer(far, rule: rule) { PromptLearner(table: $0, encoder: $1) }
    }
    _ = try Trainer(far, rule: rule, learnerKeys: ["learner.lambda", "learner.steps"]) {
      PromptLearner(table: $0, encoder: $1)
    }
    #expect(throws: TrainingError.badWindow(learner: "PromptLearner", window: 0, scratchSlots: 0)) {
      try Trainer(configuration(), rule: rule) { PromptLearner(table: $0, encoder: $1, window: 0) }
    }
  }

  @Test func aRuleOrLearnerThatFailsIsOneLine() throws {
    let broken = try Trainer(configuration(games: 2000), rule: Broken())
    let error = #expect(throws: TrainingError.self) { try broken.train() }
    guard case .notANumber(rule: "Broken", _) = error else { Issue.record("\(String(describing: error))"); return }
    let idle = try Trainer(configuration(games: 3000), rule: TemporalCoherence(alpha: 1)) { Idle(encoder: $1) }
    let silence = #expect(throws: TrainingError.self) { try idle.train() }
    guard case .learnsNothing(learner: "Idle", _) = silence else {
      Issue.record("\(String(describing: silence))")
      return
    }
  }

  /// The checkpoint is a network that every program plays with, and only this program continues its training.
  @Test func aCheckpointNamesTheRule() throws {
    let folder = try TemporaryFolder()
    let (path, plain) = (folder.file("own.safetensors"), folder.file("plain.safetensors"))
    let configuration = try configuration(games: 80) { $0.averaging.everyGames = 20 }
    let whole = try Trainer(configuration, rule: Counting())
    try whole.train()
    let first = try Trainer(configuration, rule: Counting())
    try first.train(until: 40)
    try first.save(to: path)
    #expect(try TrainedModel(path: path).identity == weights(first))
    let resumed = try Trainer(configuration, rule: Counting(), resuming: path)
    #expect(resumed.games == 40 && resumed.moves == first.moves)
    try resumed.train()
    #expect(try weights(resumed) == weights(whole))

    let checkpoint = try Checkpoint(path: path)
    #expect(checkpoint.configuration.own.rule == "Counting")
    #expect(checkpoint.configuration.learnerText(after: 0).hasPrefix("Counting, alpha 0.5"))
    #expect(!checkpoint.configuration.yaml.contains("step_size"))
    let refusal = CheckpointError.ownParts(path: path, checkpoint.configuration.own)
    #expect(
      "\(refusal)" == path + ": trained with the rule Counting, which this program does not have: continue it with the "
        + "program that wrote it, or only play with it")
    #expect(throws: refusal) { try checkpoint.resume() }
    #expect(throws: refusal) { try checkpoint.resume(with: configuration) }
    #expect(throws: refusal) { try Trainer(configuration, rule: Copied(), resuming: path) }
    #expect(throws: TrainingError.ownParts(checkpoint.configuration.own)) { try Trainer(checkpoint.configuration) }
    #expect(throws: CheckpointError.self) {
      try Trainer(configuration, rule: Counting(), resuming: path) { PromptLearner(table: $0, encoder: $1) }
    }
    try Trainer(configuration).save(to: plain)
    #expect(throws: CheckpointError.withoutParts(path: plain, checkpoint.configuration.own)) {
      try Trainer(configuration, rule: Counting(), resuming: plain)
    }
  }

  @Test func aCheckpointNamesTheLearner() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("own.safetensors")
    let own = try Trainer(configuration(), rule: ConstantStepSize(alpha: 0.1)) {
      PromptLearner(table: $0, encoder: $1)
    }
    try own.train()
    try own.save(to: path)
    let checkpoint = try Checkpoint(path: path)
    #expect(checkpoint.configuration.own == OwnParts(learner: "PromptLearner"))
    #expect(checkpoint.configuration.stepSize == .constant(alpha: 0.1))
    #expect(throws: CheckpointError.ownParts(path: path, OwnParts(learner: "PromptLearner"))) {
      try checkpoint.resume()
    }
    #expect(try TrainedModel(path: path).identity == weights(own))
  }

  @Test(arguments: [4, 3]) func anEncoderOfOnesOwn(_ rows: Int) throws {
    let shape = try BoardShape(rows: rows, columns: rows)
    let folder = try TemporaryFolder()
    let path = folder.file("cells.safetensors")
    var configuration = RunConfiguration(name: "cells", rules: try Rules(shape: shape))
    if shape != .standard { configuration.network = try network("012 345", on: shape) }
    configuration.training.games = 200
    configuration.averaging.everyGames = 50
    let whole = try Trainer(configuration, encoder: Cells(), rule: Counting())
    try whole.train()
    let first = try Trainer(configuration, encoder: Cells(), rule: Counting())
    try first.train(until: 100)
    try first.save(to: path)
    let resumed = try Trainer(configuration, encoder: Cells(), rule: Counting(), resuming: path)
    try resumed.train()
    let games = GreedyGames(Game2048(configuration.rules), games: 20, seed: 1)
    let values = try [whole, resumed].map { try $0.values(Cells()) }
    let results = values.map { values in games.results { values.makeEvaluator() } }
    #expect(results[0] == results[1])
    let (saved, learned) = (try LearnedValues(path: path, encoder: Cells()), try first.values(Cells()))
    #expect(games.results { saved.makeEvaluator() } == games.results { learned.makeEvaluator() })

    let unknown = ModelFileError.otherEncoder(path: path, encoder: "Cells")
    #expect(throws: unknown) { try TrainedModel(path: path) }
    #expect(throws: unknown) { try Checkpoint(path: path) }
    #expect("\(unknown)".hasPrefix(path + ": its weights are for the encoder Cells, which this program does not have"))
    #expect(throws: TrainingError.ownEncoder("Cells")) { try first.model() }
    #expect(throws: ModelFileError.self) {
      try Trainer(
        configuration, encoder: Cells(layout: FeatureLayout(featureCount: 17, groupSize: 1, weightCount: 300)),
        rule: Counting(), resuming: path)
    }
    configuration.initialModel = path
    #expect(throws: TrainingError.notOf(part: "the encoder Cells", key: "network.initial_model")) {
      try Trainer(configuration, encoder: Cells(), rule: Counting())
    }
  }
}
