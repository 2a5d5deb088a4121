internal import Testing
internal import TupeloEngine
internal import TupeloNetwork
import TupeloTables
internal import TupeloTraining

@Suite("Configuration: what is set where")
struct ConfigurationPrecedenceTests {
  @Test func defaultsAreThoseOfTheReference() throws {
    let configuration = try RunConfiguration.load(file: nil, environment: [:], overrides: [])
    #expect(configuration == RunConfiguration())
    #expect(configuration.name == "run")
    #expect(configuration.seed == 1)
    #expect(configuration.rules == .standard)
    #expect(configuration.network.canonicalText == "4x4 shared 012345 456789 012456 45689a")
    #expect(configuration.stepSize == .temporalCoherence(alpha: 1))
    #expect(configuration.training.games == 100_000)
    #expect(configuration.training.threads == 1)
    #expect(configuration.training.reportGames == 1000)
    #expect(configuration.evaluation.games == 1000)
    #expect(configuration.evaluation.seed == 1_000_003)
    #expect(configuration.evaluation.plies == 1)
    #expect(configuration.evaluation.threads >= 1)
    #expect(configuration.output.directory == nil)
    #expect(configuration.output.checkpointGames == 0)
  }

  @Test func everyLevelOverrulesTheOneBelow() throws {
    // The seed is in all four places, threads in the file and the environment, plies in the file, and report_games has
    // its default.
    let configuration = try RunConfiguration.load(
      yaml: "seed: 2\ntraining: {threads: 2, games: 2}\nevaluation.plies: 2", sourceName: "x.yaml",
      environment: ["TUPELO_SEED": "3", "TUPELO_TRAINING_THREADS": "3", "TUPELO_LEARNER_STEP_SIZE": "constant"],
      overrides: ["seed=4", "training.games=4"])
    #expect(configuration.seed == 4)
    #expect(configuration.training.games == 4)
    #expect(configuration.training.threads == 3)
    #expect(configuration.stepSize == .constant(alpha: 0.1))
    #expect(configuration.evaluation.plies == 2)
    #expect(configuration.training.reportGames == 1000)
  }

  @Test func theLaterOverrideHolds() throws {
    let configuration = try RunConfiguration.load(file: nil, environment: [:], overrides: ["seed=4", " seed = 5 "])
    #expect(configuration.seed == 5)
  }

  /// A setting may be written as in a file; the first of the two signs ends the key.
  @Test func anOverrideMayHaveAColon() throws {
    let configuration = try RunConfiguration.load(
      file: nil, environment: [:],
      overrides: ["learner.lambda:0.5", "seed: 7", "output.on_checkpoint: a=b:c", "output.directory=x: y"])
    #expect(configuration.returns.lambda == 0.5 && configuration.seed == 7)
    #expect(configuration.output.onCheckpoint == "a=b:c" && configuration.output.directory == "x: y")
    let variables = RunConfiguration.variables(
      in: ["TUPELO_SEED": "1", "TUPELO_NAME": "x"], overrides: ["seed:2"], of: testKeys)
    #expect(variables == ["TUPELO_NAME": "x"])
  }

  @Test func otherVariablesAreNotLookedAt() throws {
    let environment = ["TUPELO_MODELS": "x", "TUPELO_SEDE": "x", "TUPELO_": "x", "LEARNER_ALPHA": "x", "PATH": "x"]
    #expect(try RunConfiguration.load(file: nil, environment: environment, overrides: []) == RunConfiguration())
  }

  /// A script may clear a variable by setting it to an empty text, which then counts as unset.
  @Test func emptyVariablesAreUnset() throws {
    let empty = [
      "TUPELO_NAME": "", "TUPELO_LEARNER_ALPHA": "", "TUPELO_NETWORK_INITIAL_MODEL": "", "TUPELO_NETWORK": "",
      "TUPELO_RULES_XYZZY": "",
    ]
    #expect(try RunConfiguration.load(file: nil, environment: empty, overrides: []) == RunConfiguration())
    let file = try RunConfiguration.load(
      yaml: "name: own\nlearner.alpha: 0.5", sourceName: "x.yaml", environment: empty, overrides: [])
    #expect(file.name == "own" && file.stepSize == .temporalCoherence(alpha: 0.5))
  }

  /// A block of YAML is the text in one line, with the line end that each style of block leaves.
  @Test(arguments: [">", ">-", ">+", "|", "|-", "|+"]) func blocksAreTextsToo(_ style: String) throws {
    let block = try parsed(
      """
      network:
        patterns: \(style)
          0123
          4567

      training:
        games: \(style)
          50

      learner:
        step_size: \(style)
          constant
        alpha_schedule: \(style)
          20=0.5
          30=0.25

      name: "x"
      """)
    let line = try parsed(
      "network.patterns: 0123 4567\ntraining.games: 50\nlearner.step_size: constant\n"
        + "learner.alpha_schedule: [20=0.5, 30=0.25]\nname: x")
    #expect(block == line && line.network.patterns.count == 2)
  }

  @Test func theDefaultOfAlphaFollowsTheStepSizeRule() throws {
    #expect(try parsed("learner.step_size: constant").stepSize == .constant(alpha: 0.1))
    #expect(try parsed("learner.step_size: temporal-coherence").stepSize == .temporalCoherence(alpha: 1))
    #expect(try parsed("learner.alpha: 0.25").stepSize == .temporalCoherence(alpha: 0.25))
    #expect(try parsed("learner: {alpha: 0.25, step_size: constant}").stepSize == .constant(alpha: 0.25))
  }

  @Test(
    arguments: [
      ("network.layout: 4x5", [:], [], "4x4 shared 01234 45678 01245 45689"),
      (
        "network.layout: 17x4\nnetwork.symmetries: shared", [:], ["network.layout=4x5"],
        "4x4 shared 01234 45678 01245 45689"
      ),
      ("network: {layout: 4x5, symmetries: separate}", [:], [], "4x4 separate 01234 45678 01245 45689"),
      ("network.layout: 4x5", [:], ["network.patterns=0123 4567"], "4x4 shared 0123 4567"),
      ("network.layout: 17x4", ["TUPELO_NETWORK_PATTERNS": "0123"], [], "4x4 shared 0123"),
      (
        "network.layout: 17x4", ["TUPELO_NETWORK_PATTERNS": "0123"], ["network.layout=4x5"],
        "4x4 shared 01234 45678 01245 45689"
      ),
      ("network.patterns: [0123]", ["TUPELO_NETWORK_LAYOUT": "4x5"], [], "4x4 shared 01234 45678 01245 45689"),
      ("network.patterns: [0123, '4567', 1e5]", [:], [], "4x4 shared 0123 4567 1e5"),
      ("network.patterns: 0123,4567 89ab", [:], [], "4x4 shared 0123 4567 89ab"),
      ("rules: {rows: 2, columns: 3}\nnetwork.patterns: 012345", [:], [], "2x3 shared 012345"),
    ] as [(String, [String: String], [String], String)])
  func theNetworkIsOneChoice(yaml: String, environment: [String: String], overrides: [String], expected: String) throws
  {
    let configuration = try RunConfiguration.load(
      yaml: yaml, sourceName: "x.yaml", environment: environment, overrides: overrides)
    #expect(configuration.network.canonicalText == expected)
  }

  @Test(arguments: NamedLayout.all.map(\.name))
  func everyNamedLayoutLoads(name: String) throws {
    let layout = try #require(NamedLayout.named(name))
    #expect(try parsed("network.layout: \(name)").network == layout.specification())
  }

  @Test func rulesComeTogether() throws {
    let rules = try parsed(
      "rules: {rows: 3, columns: 4, four_probability: 0.5, start_tiles: 3}\nnetwork.patterns: 0123"
    ).rules
    #expect(rules == (try Rules(shape: BoardShape(rows: 3, columns: 4), fourProbability: 0.5, startTiles: 3)))
  }

  @Test(
    arguments: [
      "learner:\n  alpha: 0.5\n", "learner: {alpha: 0.5}", "learner.alpha: 0.5", "learner:\nlearner.alpha: 0.5",
      "{learner: {alpha: '0.5'}}", "---\n# a comment\nlearner: {\"alpha\": 5e-1}\n...\n", "\u{feff}learner.alpha: 0.5",
      "learner:\r\n  alpha: 0.5\r\n", "learner: {alpha: &a 0.5}",
    ] as [String])
  func nestedAndDottedKeysAreTheSame(yaml: String) throws {
    #expect(try parsed(yaml).stepSize == .temporalCoherence(alpha: 0.5))
  }

  @Test(arguments: ["", "\n", "# nothing\n", "---\n", "~", "{}", "learner:\ntraining: {}\n"])
  func nothingMeansDefaults(yaml: String) throws {
    #expect(try parsed(yaml) == RunConfiguration())
  }

  @Test func textsStayTexts() throws {
    #expect(try parsed("name: 1e5").name == "1e5")
    #expect(try parsed("name: 'null'").name == "null")
    #expect(try parsed("output.directory: no").output.directory == "no")
    #expect(try parsed("output.directory: null").output.directory == nil)
    #expect(try parsed("output.directory: 'null'").output.directory == "null")
  }

  private func parsed(_ yaml: String) throws -> RunConfiguration {
    try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml")
  }
}
