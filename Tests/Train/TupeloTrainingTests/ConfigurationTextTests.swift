internal import Foundation
internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork

internal import TupeloTraining

@Suite("Configuration: text")
struct ConfigurationTextTests {
  @Test func theResolvedConfigurationNamesEveryKey() {
    var configuration = RunConfiguration(name: "mine")
    configuration.evaluation.threads = 2
    #expect(
      configuration.yaml == """
        name: "mine"
        seed: 1
        rules:
          rows: 4
          columns: 4
          four_probability: 0.1
          start_tiles: 2
        network:
          patterns: "012345 456789 012456 45689a"  # the patterns of 4x6
          symmetries: shared
          stages: single
          initial_model: null
        learner:
          step_size: temporal-coherence
          alpha: 1.0
          lambda: 0.0
          steps: 1
          warm_up_games: 0
          warm_up_alpha: 0.1
          alpha_schedule: []
          exploration: 0.0
          initial_value: 0.0
          batch: 1
          decay: 0.0
          decay_every_games: 1000
        episodes:
          start: fresh
        averaging:
          every_games: 1000
          window: 15.0%
        training:
          games: 100000
          threads: 1
          games_at_once: 2
          solo_games: 1000
          report_games: 1000
        evaluation:
          games: 1000
          every_games: 0
          interim_games: 200
          seed: 1000003
          plies: 1
          threads: 2
        output:
          directory: null
          checkpoint_games: 0
          checkpoint_minutes: 10
          keep: 1

        """)
  }

  private static func configuration(alpha: Float) -> RunConfiguration {
    RunConfiguration(stepSize: .constant(alpha: alpha))
  }

  private static let smallNumbers: [Float] = [1e-4, 1e-5, 2.5e-7, 3e-10, .leastNormalMagnitude, .leastNonzeroMagnitude]

  /// The patterns for numbers are those of the YAML specification: the type `float` of version 1.1, where a point and
  /// the sign of the exponent are needed, and the core schema of version 1.2.
  @Test(arguments: smallNumbers) func smallNumbersAreNumbersInAllVersionsOfYAML(_ alpha: Float) throws {
    let configuration = Self.configuration(alpha: alpha)
    let line = try #require(configuration.yaml.split(separator: "\n").first { $0.hasPrefix("  alpha: ") })
    let number = line.dropFirst("  alpha: ".count)
    #expect(number.wholeMatch(of: /[-+]?([0-9][0-9_]*)?\.[0-9.]*([eE][-+][0-9]+)?/) != nil, "\(number)")
    #expect(number.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil, "\(number)")
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "round trip") == configuration)
  }

  #if os(macOS) || os(Linux)
  @Test(.enabled(if: Python.hasYAML, "\(Python.isMissingYAML)"), arguments: smallNumbers)
  func pythonReadsSmallNumbers(_ alpha: Float) throws {
    let script = """
      import sys, yaml
      print(float.hex(yaml.safe_load(sys.argv[1])["learner"]["alpha"]))
      """
    let text = try Python.run(script, Self.configuration(alpha: alpha).yaml)
    let value = try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(Float(value) == alpha)
  }
  #endif

  @Test(.slow) func randomConfigurationsReadBackEqual() throws {
    var random = TestRandom(state: 7)
    for _ in 0..<1000 {
      let configuration = try Self.configuration(using: &random)
      try configuration.validate()
      let parsed = try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "round trip", of: testGames)
      #expect(parsed == configuration)
      #expect(try RunConfiguration(configuration.settings, of: testKeys) == configuration)
      #expect(parsed.yaml == configuration.yaml)
    }
  }

  private static func configuration(using random: inout TestRandom) throws -> RunConfiguration {
    let shape = try BoardShape(rows: .random(in: 2...4, using: &random), columns: .random(in: 2...4, using: &random))
    let rules = try Rules(
      shape: shape, fourProbability: .random(in: 0...1, using: &random),
      startTiles: .random(in: 1..<shape.cellCount, using: &random))
    let patterns = try (0..<Int.random(in: 1...9, using: &random)).map { _ in
      let cells = shape.cells.shuffled(using: &random)
      return try TuplePattern(cells: Array(cells.prefix(.random(in: 1...6, using: &random))), shape: shape)
    }
    let alpha = Float.random(in: Float.leastNonzeroMagnitude...1, using: &random)
    // Stages that every board of the shape can reach.
    let isLarge = shape.cellCount > 11
    let stages = try [
      .single, StagePartition(.largest, at: isLarge ? [2048, 4096] : [8, 16]),
      StagePartition(.sum, at: [isLarge ? 1000 : 16]), StagePartition(.present, at: isLarge ? [64, 128] : [4, 8]),
    ].randomElement(using: &random)!
    var configuration = RunConfiguration(
      name: text(of: "abcXYZ019._+-", count: 1...100, using: &random), seed: random.next(), rules: rules,
      network: try NetworkSpecification(
        patterns: patterns, shape: shape, sharesSymmetries: .random(using: &random), stages: stages),
      stepSize: Bool.random(using: &random) ? .constant(alpha: alpha) : .temporalCoherence(alpha: alpha))
    let lambda = Float.random(in: 0.1...1, using: &random)
    configuration.returns = [
      .oneStep, LambdaReturn(lambda: lambda, steps: nil), LambdaReturn(lambda: 0, steps: nil),
      LambdaReturn(lambda: lambda, steps: .random(in: 1...1000, using: &random)),
    ].randomElement(using: &random)!
    if configuration.stepSize == .temporalCoherence(alpha: alpha) {
      configuration.schedule.warmUpGames = .random(in: 0...1000, using: &random)
      configuration.schedule.warmUpAlpha = .random(in: 0.1...1, using: &random)
    }
    configuration.schedule.changes = (1...Int.random(in: 1...3, using: &random)).map {
      .init(games: $0 * 1000, alpha: .random(in: 0.1...1, using: &random))
    }
    configuration.exploration = .random(in: 0...1, using: &random)
    configuration.initialModel = [nil, "a b.safetensors"].randomElement(using: &random)!
    configuration.start = [
      .fresh, .restart(moves: 12), .pool(tile: 4096, share: 0.25, pool: 7),
      stages.count > 1 ? .carousel(batch: 3, pool: 9) : .fresh,
    ].randomElement(using: &random)!
    if stages.count > 1 {
      configuration.stages.promotion = .none
      configuration.stages.afterGames = .random(in: 0...1000, using: &random)
      configuration.stages.frozen = [[], [1]].randomElement(using: &random)!
    }
    configuration.initialValue = .random(in: 0...10_000_000, using: &random)
    if configuration.returns == .oneStep { configuration.batch = .random(in: 1...1024, using: &random) }
    configuration.decay.share = .random(in: 0...0.5, using: &random)
    configuration.decay.everyGames = .random(in: 1...1_000_000_000_000, using: &random)
    configuration.averaging.everyGames = .random(in: 0...1_000_000_000_000, using: &random)
    configuration.averaging.window = [
      .merges(.random(in: 1...1_000_000, using: &random)), .part(percent: 0.1), .part(percent: 7),
    ]
    .randomElement(using: &random)!
    configuration.training.games = .random(in: 1...1_000_000_000_000, using: &random)
    configuration.training.threads = .random(in: 1...1024, using: &random)
    configuration.training.gamesAtOnce = .random(in: 3...16, using: &random)
    configuration.training.soloGames = .random(in: 0...1_000_000_000_000, using: &random)
    configuration.training.reportGames = .random(in: 1...1_000_000_000_000, using: &random)
    configuration.training.minutes = [0, 0.1, 1_000_000].randomElement(using: &random)!
    configuration.evaluation.games = .random(in: 0...1_000_000_000_000, using: &random)
    configuration.evaluation.seed = random.next()
    configuration.evaluation.plies = .random(in: 1...6, using: &random)
    configuration.evaluation.threads = .random(in: 1...1024, using: &random)
    configuration.output.checkpointGames = .random(in: 0...1_000_000_000_000, using: &random)
    if Bool.random(using: &random) {
      let letters = "/ab~#:'\"\\{}[]*&!|>%@` \t\n\r\u{85}\u{2028}\u{feff}\u{1}\u{7f}é猫\u{1f408}\u{e000}"
      // Yams drops a byte order mark at the start of a text, so the key refuses one there.
      configuration.output.directory = "." + text(of: letters, count: 0...40, using: &random)
    }
    return configuration
  }

  private static func text(
    of letters: String, count: ClosedRange<Int>, using random: inout TestRandom
  ) -> String {
    let letters = Array(letters)
    return String((0..<Int.random(in: count, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  @Test(
    arguments: [
      "null", "~", "true", "1e5", "-", "0x1f", "2024-01-01", "=", "...", "********",
      "*a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*p*q*r*s*t*u*v*w*x*y*z*0*1*2*3*4*5*6*7*8*9",
    ] as [String])
  func directoriesThatLookLikeSomethingElse(directory: String) throws {
    var configuration = RunConfiguration()
    configuration.output.directory = directory
    #expect(configuration.yaml.contains("  directory: \"\(directory)\"\n"))
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "x", of: testGames) == configuration)
  }

  @Test func theReferenceExplainsEveryKeyOnce() {
    let entries = RunConfiguration.reference(of: "", in: testGames).components(separatedBy: "\n\n")
    #expect(entries.count == testKeys.all.count)
    for (entry, key) in zip(entries, testKeys.all) {
      let lines = entry.components(separatedBy: "\n")
      let summary = key.summary.components(separatedBy: "\n").map { "    \($0)" }
      let need = key.need.map { ["    Only \($0)."] } ?? []
      #expect(lines.count == summary.count + 3 + need.count)
      #expect(lines.first == key.path && Array(lines.dropFirst().prefix(summary.count)) == summary)
      #expect(Array(lines.dropLast().suffix(need.count)) == need)
      let (takes, standard) = (lines[summary.count + 1], lines[lines.count - 1])
      #expect(takes.hasPrefix("    Takes ") && takes.hasSuffix("."))
      #expect(standard.hasPrefix("    Default: ") && standard.count > "    Default: .".count)
    }
  }

  @Test func theReferenceOfASection() {
    let section = RunConfiguration.reference(of: "averaging", in: testGames)
    #expect(section.hasPrefix("averaging.every_games\n") && section.components(separatedBy: "\n\n").count == 2)
    #expect(RunConfiguration.reference(of: "", in: testGames).contains(section))
    #expect(RunConfiguration.reference(of: "learner.alpha_").components(separatedBy: "\n\n").count == 1)
    #expect(RunConfiguration.reference(of: "nothing").isEmpty)
    func keys(_ word: String) -> [String] {
      RunConfiguration.reference(of: word).split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    }
    // A word finds keys by any part; the name of a key or section means just that.
    #expect(keys("lambda") == ["learner.lambda"])
    #expect(keys("minutes") == ["training.minutes", "output.checkpoint_minutes"])
    #expect(keys("seed") == ["seed"])
  }

  /// The rules of the order of keys.
  @Test func theTableIsInOrder() {
    let paths = testKeys.all.map(\.path)
    #expect(Set(paths).count == paths.count)
    #expect(Set(testKeys.all.map(\.variable)).count == paths.count)
    for path in paths {
      #expect(path.wholeMatch(of: /[a-z_]+(\.[a-z_]+){0,2}/) != nil, "\(path)")
      #expect(!testKeys.sections.contains(path))
    }
    var closed: Set<String> = []
    var open = ""
    for section in paths.map({ ConfigurationKey.section(of: $0) ?? "" }) where section != open {
      #expect(closed.insert(section).inserted, "the keys of \(section) stand apart")
      open = section
    }
  }

  /// A key that stands in no list would be unknown to files and options.
  @Test func everyKeyIsListed() throws {
    let files = ["Model", "Run"].map { "Sources/Train/TupeloConfiguration/ConfigurationKey+\($0).swift" }
    let declared = try files.map { try Repository.text(of: $0).matches(of: /static let \w+ = Key</).count }
    // The key for the game, and the keys for the numbers in its rules, are made for a catalogue.
    let listed = testKeys.all.count { $0.path != "game" && !$0.path.hasPrefix("set.") }
    #expect(declared.reduce(0, +) == listed)
  }

  @Test func everyDefaultIsWhatItsKeyTakes() throws {
    // Some keys have an effect in some configurations only.
    let contexts =
      [
        "", "network.stages: largest=64\nepisodes.start: carousel",
        "training.minutes: 5", "training.replicas: 2", "game: set", "network.dense.hidden: [8]",
        "network.initial_model: x\nlearner.zeros: stay",
        "evaluation.every_games: 10\nevaluation.target: 5", "output.on_checkpoint: x",
      ]
      + ["restart", "pool"].map { "episodes.start: \($0)" }
    let configurations = try contexts.map { try RunConfiguration.parse(yaml: $0, sourceName: "context", of: testGames) }
    for key in testKeys.all where key.path != "network.layout" {
      let leaf = ConfigurationKey.leaf(of: key.path) + ": "
      #expect(configurations.contains { $0.yaml.contains(leaf) }, "\(key.path)")
    }
    for key in testKeys.all where key.standard.wholeMatch(of: /[a-z0-9.-]+/) != nil {
      let line = "\(key.path): \(key.standard)"
      let unchanged = zip(contexts, configurations).contains { context, configuration in
        (try? RunConfiguration.parse(yaml: "\(context)\n\(line)", sourceName: "x", of: testGames)) == configuration
      }
      #expect(unchanged, "\(line)")
    }
  }

  /// Settings are sparse: a key without an effect is not in them, and defaults follow from a few values.
  @Test func settingsGiveAConfiguration() throws {
    #expect(try RunConfiguration(Settings()) == RunConfiguration())
    let configuration = try RunConfiguration.parse(yaml: "learner.lambda: 0.5", sourceName: "x")
    #expect(configuration.returns == LambdaReturn(lambda: 0.5, steps: 4))
    #expect(configuration.settings[.steps] == .some(4) && RunConfiguration().settings[.steps] == .some(1))
    #expect(configuration.settings[.seed] == 1 && configuration.settings[.lambda] == 0.5)
    #expect(configuration.settings[.clip] == nil)
    let set = try RunConfiguration.parse(yaml: "game: set", sourceName: "x", of: testGames)
    #expect(set.settings.values["set.features"] != nil && configuration.settings.values["set.features"] == nil)
    #expect(try RunConfiguration(configuration.settings) == configuration)
  }

  @Test func stepSizesDescribeThemselves() {
    #expect(RunConfiguration.StepSize.constant(alpha: 0.1).description == "constant, alpha 0.1")
    #expect(RunConfiguration.StepSize.temporalCoherence().description == "temporal-coherence, alpha 1.0")
    #expect(RunConfiguration.StepSize.adam(alpha: 0.25).description == "adam, alpha 0.25")
  }
}
