internal import Foundation
internal import TestSupport
internal import Testing
internal import TupeloTraining

/// Settings that are allowed and have no effect.
@Suite("Configuration: warnings")
struct ConfigurationWarningTests {
  @Test(
    arguments: [
      ("learner: {lambda: 0.5, steps: 1}", "x.yaml:1: learner.lambda: 0.5 has no effect with learner.steps 1: give"),
      // A lambda of at most a tenth has one step by default.
      ("learner.lambda: 0.1", "x.yaml:1: learner.lambda: 0.1 has no effect with learner.steps 1: give more steps, or"),
      ("learner.batch: 8\ntraining.games_at_once: 2", "x.yaml:2: training.games_at_once: 2 has no effect with"),
      ("learner.alpha_schedule: [500=0.5, 1k=0.1]\ntraining.games: 1000", "x.yaml:1: ...ends after 1000 games"),
    ] as [(String, String)]) func settingsWithoutEffectAreTold(yaml: String, warning: String) throws
  {
    let warnings = try configurationWarnings(yaml: yaml)
    #expect(warnings.count == 1 && matches(warnings[0], warning), "\(warnings)")
  }

  @Test(
    arguments: [
      "", "learner.lambda: 0.5", "learner: {lambda: 1, steps: 2}", "learner: {lambda: 0, steps: 1}", "learner.batch: 8",
      "learner: {lambda: 0, steps: episode}", "training.games_at_once: 2",
      "learner.batch: 8\ntraining.games_at_once: 1", "learner.alpha_schedule: [999=0.5]\ntraining.games: 1000",
    ] as [String]) func othersAreNot(yaml: String) throws
  {
    #expect(try configurationWarnings(yaml: yaml) == [])
    // The program does not warn of settings that it has written itself.
    let configuration = try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml")
    #expect(try configurationWarnings(yaml: configuration.yaml) == [])
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "x.yaml") == configuration)
  }

  /// A run that starts from a model has no sums, so a large step size destroys what the model has learned.
  @Test(
    arguments: [
      ("", true), ("learner.lambda: 0.5", true), ("learner.alpha: 0.1", false), ("learner.alpha: 1", true),
      ("learner.step_size: constant", false), ("network.dense.hidden: 8", false),
    ])
  func aModelAsAStartIsTold(_ yaml: String, _ isTold: Bool) throws {
    let text = yaml + "\nnetwork.initial_model: x"
    let warnings = try configurationWarnings(yaml: text)
    #expect(warnings.count == (isTold ? 1 : 0), "\(warnings)")
    if let warning = warnings.first {
      #expect(warning.hasPrefix("x.yaml:2: network.initial_model: ") || yaml.isEmpty)
      #expect(warning.contains("the step size 1.0") && warning.contains("set learner.alpha"))
    }
    // A run that is resumed has its sums.
    let run = try RunConfiguration.parse(yaml: text, sourceName: "x.yaml", of: testGames)
    _ = try RunConfiguration.load(
      yaml: run.yaml, sourceName: "x.yaml", environment: [:], overrides: [],
      resuming: RunConfiguration.Past(run, games: 5), of: testGames
    ) { Issue.record("\($0)") }
  }

  /// A file of comments alone would train a large network for a long time.
  @Test(arguments: ["", "# learner:\n#   alpha: 1\n", "learner:\n"])
  func aFileWithoutSettingsIsTold(_ text: String) throws {
    let path = TemporaryFile.path("empty.yaml")
    defer { TemporaryFile.remove(path) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    var warnings: [String] = []
    func load(_ path: String) throws {
      _ = try RunConfiguration.load(file: path, environment: [:], overrides: ["seed=1"]) { warnings.append("\($0)") }
    }
    try load(path)
    let text = "sets nothing: all settings have their defaults; tupelo train --help-config lists the keys"
    #expect(warnings == ["\(path): \(text)"])
    try Data("seed: 1".utf8).write(to: URL(fileURLWithPath: path))
    try load(path)
    #expect(warnings.count == 1)
  }

  @Test func theSourceIsNamed() throws {
    let yaml = "learner.alpha_schedule: [5k=0.1]"
    #expect(try configurationWarnings(yaml: yaml, overrides: ["training.games=1k"]).count == 1)
    let warnings = try configurationWarnings(
      environment: ["TUPELO_LEARNER_STEPS": "1"], overrides: ["learner.lambda=0.5"])
    #expect(warnings.count == 1 && warnings[0].hasPrefix("--set learner.lambda: 0.5 has no effect"))
  }

  /// A batch learns from one game at a time, so one game is its default.
  @Test func aBatchIsOfOneGame() throws {
    func gamesAtOnce(_ yaml: String) throws -> Int {
      try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml").gamesAtOnce
    }
    #expect(try gamesAtOnce("") == 2 && gamesAtOnce("learner.batch: 8") == 1)
  }

  @Test func variablesWithAnEffectAreThoseThatNothingOverrides() {
    let environment = [
      "TUPELO_LEARNER_ALPHA": "0.5", "TUPELO_SEED": "4", "TUPELO_MODEL": "none", "HOME": "/",
      "TUPELO_NETWORK_LAYOUT": "4x5",
    ]
    #expect(
      RunConfiguration.variables(in: environment, overrides: [], of: testKeys)
        == environment.filter {
          !["TUPELO_MODEL", "HOME"].contains($0.key)
        })
    #expect(
      RunConfiguration.variables(in: environment, overrides: [" seed =3", "network.patterns=0123"], of: testKeys) == [
        "TUPELO_LEARNER_ALPHA": "0.5"
      ])
  }
}
