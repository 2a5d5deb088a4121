import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloTraining

/// Settings given at a resume that can no longer have an effect.
@Suite("Configuration: resuming")
struct ResumeWarningTests {
  private static let base = """
    network.patterns: "0123 4567"
    averaging.every_games: 0
    learner: {alpha: 0.5, warm_up_games: 20, alpha_schedule: [40=0.1, 60=0.02]}
    training: {games: 80, games_at_once: 1}
    """

  private func warnings(_ overrides: [String], after games: Int, yaml: String = base) throws -> [String] {
    let past = RunConfiguration.Past(try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml"), games: games)
    var warnings: [String] = []
    _ = try RunConfiguration.load(
      yaml: yaml, sourceName: "x.yaml", environment: [:], overrides: overrides, resuming: past
    ) { warnings.append("\($0)") }
    return warnings
  }

  @Test(
    arguments: [
      ("learner.alpha=1", 80, "--set learner.alpha: has no effect any more after 80 games: learner.alpha_schedule"),
      ("learner.alpha=0.5", 40, "--set learner.alpha: has no effect any more after 40 games: learner.alpha_schedule"),
      ("learner.initial_value=5000", 10, "--set learner.initial_value: has no effect any more after 10 games: the"),
      ("learner.warm_up_games=10", 20, "--set learner.warm_up_games: has no effect any more after 20 games: the"),
      ("learner.warm_up_alpha=0.9", 20, "--set learner.warm_up_alpha: has no effect any more after 20 games: the"),
      ("learner.alpha_schedule=[50=0.02]", 60, "--set learner.alpha_schedule: has no effect any more after 60 games:"),
      ("training.solo_games=5", 1000, "--set training.solo_games: has no effect any more after 1000 games: they have"),
    ] as [(String, Int, String)]) func theyAreTold(setting: String, games: Int, warning: String) throws
  {
    let told = try warnings([setting], after: games)
    #expect(told.count == 1 && matches(told[0], warning), "\(told)")
  }

  @Test(
    arguments: [
      ("learner.alpha=1", 39), ("learner.alpha=1", 10), ("learner.warm_up_games=10", 15),
      ("learner.warm_up_games=30", 25),
      ("learner.warm_up_alpha=0.9", 19), ("learner.alpha_schedule=[60=0.5]", 60),
      ("learner.alpha_schedule=[40=0.1]", 50),
      ("learner.alpha_schedule=[]", 70), ("training.solo_games=2000", 1000), ("training.games=90", 80),
      ("learner.lambda=0.5", 80),
    ] as [(String, Int)]) func othersAreNot(setting: String, games: Int) throws
  {
    #expect(try warnings([setting], after: games) == [])
  }

  /// A plain resume gives no warnings, whatever the checkpoint's own settings are.
  @Test(arguments: [0, 30, 80]) func whatTheRunHadIsNotTold(games: Int) throws {
    #expect(try warnings([], after: games) == [])
  }

  @Test func stagesThatHaveBegunAreTold() throws {
    let yaml = """
      rules: {rows: 2, columns: 3}
      network: {patterns: "012 345", stages: largest=16}
      stages.after_games: 20
      """
    func paths(_ overrides: [String], _ games: Int) throws -> [String] {
      try warnings(overrides, after: games, yaml: yaml).map { String($0.dropFirst(6).prefix { $0 != ":" }) }
    }
    #expect(try paths(["stages.after_games=15"], 19) == [])
    #expect(try paths(["stages.after_games=15"], 20) == ["stages.after_games"])
  }

  /// The warning is true: with and without the setting, the weights are the same, bit for bit. A setting without a
  /// warning gives other weights.
  @Test(
    .slow,
    arguments: [
      ("learner.alpha=1", true), ("learner.initial_value=5000", true), ("learner.warm_up_alpha=0.9", true),
      ("learner.warm_up_games=10", true), ("learner.alpha_schedule=[50=0.02]", true),
      ("learner.alpha_schedule=[60=0.5]", false),
    ] as [(String, Bool)]) func aWarningIsTrue(setting: String, isWithoutEffect: Bool) throws
  {
    let path = TemporaryFile.path("warned.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(RunConfiguration.parse(yaml: Self.base, sourceName: "x.yaml"))
    try trainer.train(until: 60, reportGames: 100, shouldStop: { false }, onRound: { _ in })
    try trainer.save(to: path)
    let checkpoint = try Checkpoint(path: path)
    func weights(_ overrides: [String]) throws -> [Float] {
      let changed = try RunConfiguration.load(
        yaml: checkpoint.configuration.yaml, sourceName: path, environment: [:], overrides: overrides)
      let resumed = try checkpoint.resume(with: changed, allowingChanges: true)
      try resumed.train(until: 80, reportGames: 100, shouldStop: { false }, onRound: { _ in })
      let file = TemporaryFile.path("resumed.safetensors")
      defer { TemporaryFile.remove(file) }
      try resumed.save(to: file)
      return try SafetensorsFile(path: file).array(of: "weights.0", as: Float.self)
    }
    #expect(try (weights([]) == weights([setting])) == isWithoutEffect)
    #expect(try warnings([setting], after: 60).isEmpty != isWithoutEffect)
  }

  /// The step size in force comes from the schedule or from the warm-up.
  @Test(
    arguments: [
      (0, "temporal-coherence, alpha 0.5, after 20 games of TD"),
      (5, "temporal-coherence, alpha 0.5, after 15 games more of TD, alpha 0.1"),
      (20, "temporal-coherence, alpha 0.5"), (40, "temporal-coherence, alpha 0.1"),
      (80, "temporal-coherence, alpha 0.02"),
    ] as [(Int, String)]) func theStepSizeInForceIsShown(games: Int, text: String) throws
  {
    let configuration = try RunConfiguration.parse(yaml: Self.base, sourceName: "x.yaml")
    #expect(configuration.learnerText(after: games) == text)
  }

  @Test(arguments: [("1", ""), ("episode", ", lambda 0.0 over the episode")])
  func theReturnIsShown(steps: String, text: String) throws {
    let configuration = try RunConfiguration.parse(yaml: "learner.steps: \(steps)", sourceName: "x.yaml")
    #expect(configuration.learnerText(after: 0) == "temporal-coherence, alpha 1.0" + text)
  }

  /// A command in a checkpoint from somebody else is never run: a resumed run does not have it.
  @Test func aCheckpointBringsNoCommandAlong() throws {
    let path = TemporaryFile.path("command.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try RunConfiguration.parse(yaml: Self.base, sourceName: "x.yaml")
    configuration.output.onCheckpoint = "echo \"it's\" # all"
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "x.yaml") == configuration)
    try Trainer(configuration).save(to: path)
    let checkpoint = try Checkpoint(path: path)
    #expect(checkpoint.command == "echo \"it's\" # all" && checkpoint.configuration.output.onCheckpoint == nil)
    #expect(try checkpoint.resume().configuration.output.onCheckpoint == nil)
  }

  @Test func earlyStopsNeedEvaluations() throws {
    let need = "has no meaning without evaluation.every_games, such as 10k: set it, or leave this key out"
    #expect(
      configurationProblems(yaml: "evaluation: {target: 1000, patience: 3}") == [
        "x.yaml:1: evaluation.target: \(need)", "x.yaml:1: evaluation.patience: \(need)",
      ])
    #expect(configurationProblems(yaml: "evaluation: {target: 0, patience: 0}") == [])
    #expect(configurationProblems(yaml: "evaluation: {target: 1000, patience: 3, every_games: 10}") == [])
  }

  /// The configuration of a run after 500 games, resumed from the text that its checkpoint has.
  private func resumed(
    _ yaml: String, _ overrides: [String], environment: [String: String] = [:]
  ) throws -> (before: RunConfiguration, after: RunConfiguration) {
    let before = try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml", of: testGames)
    let after = try RunConfiguration.load(
      yaml: before.yaml, sourceName: "x.yaml", environment: environment, overrides: overrides,
      resuming: RunConfiguration.Past(before, games: 500), of: testGames)
    return (before, after)
  }

  /// 0.8^11 is the first power of 0.8 below a tenth.
  @Test func aDefaultFollowsTheSettingThatItDependsOn() throws {
    let longer = ["learner.lambda=0.8"]
    #expect(try resumed("learner.lambda: 0.5", longer).after.returns == LambdaReturn(lambda: 0.8, steps: 11))
    #expect(
      try resumed("learner: {lambda: 0.5, steps: 7}", longer).after.returns == LambdaReturn(lambda: 0.8, steps: 7))
    #expect(
      try resumed("learner.lambda: 0.5", longer + ["learner.steps=episode"]).after.returns
        == LambdaReturn(lambda: 0.8, steps: nil))
    #expect(
      try resumed("learner: {lambda: 1, steps: episode}", []).after.returns == LambdaReturn(lambda: 1, steps: nil))
  }

  /// Settings that nobody changes stay, whether they are defaults or not.
  @Test(
    arguments: [
      "", "learner: {lambda: 0.5, steps: episode}", "learner.steps: episode", "learner.step_size: constant",
      "network.dense.hidden: 8", "network.layout: 17x4",
      "network: {patterns: 0123, stages: largest=64}\nstages.frozen: 0", "game: set",
      "rules: {rows: 2, columns: 3}\nnetwork.patterns: 012", "output.directory: x\nname: y\ntraining.games_at_once: 1",
    ])
  func everythingElseStays(_ yaml: String) throws {
    let (before, after) = try resumed(yaml, [])
    #expect(before == after)
    #expect(try resumed(yaml, ["training.minutes=2"]).after.yaml.replacing("  minutes: 2.0\n", with: "") == before.yaml)
  }

  @Test func variablesCountAsAtAStart() throws {
    let environment = ["TUPELO_EVALUATION_GAMES": "7", "TUPELO_OUTPUT_KEEP": "4"]
    let run = try resumed("evaluation.games: 5", ["output.keep=3"], environment: environment).after
    #expect(run.evaluation.games == 7 && run.output.keep == 3)
  }

  @Test(arguments: [("+1000", 1500), ("+10k", 10_500), ("+1,000", 1500), ("1000", 1000), ("+0", 500)])
  func aPlusAddsToTheGamesOfTheRun(_ text: String, _ games: Int) throws {
    let overrides = ["training.games=\(text)"]
    #expect(try resumed("training.games: 800", overrides).after.training.games == games)
    #expect(try resumed("", [], environment: ["TUPELO_TRAINING_GAMES": text]).after.training.games == games)
  }

  @Test func aPlusAddsNothingToANewRun() throws {
    let run = try RunConfiguration.load(file: nil, environment: [:], overrides: ["training.games=+1000"])
    #expect(run.training.games == 1000)
    let error = #expect(throws: ConfigurationError.self) { try resumed("", ["training.games=+1000000000000"]) }
    #expect(error?.description.contains("training.games: 1000000000500 is not allowed") == true)
    #expect(throws: ConfigurationError.self) { try resumed("", ["training.games=+99999999999999999999"]) }
  }
}
