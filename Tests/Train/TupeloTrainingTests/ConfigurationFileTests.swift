internal import Foundation
internal import SetEngine
internal import SetTraining
internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTraining

@Suite("Configuration: files")
struct ConfigurationFileTests {
  private static let folder = URL(filePath: Repository.path).appending(path: "configs")

  private static func load(_ name: String) throws -> RunConfiguration {
    try RunConfiguration.load(file: folder.appending(path: name).path, environment: [:], overrides: [], of: testGames)
  }

  // MARK: configs/

  @Test func everyFileInConfigsIsTested() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(
      files == [
        "17x4-tc-lambda.yaml", "17x4-td.yaml", "3x3-tc-lambda.yaml", "4x6-restart.yaml",
        "4x6-tc-lambda-long.yaml", "4x6-tc-lambda.yaml", "4x6-tc.yaml", "4x6-td.yaml", "5x4-dense.yaml",
        "8x6-tc-lambda.yaml", "8x6-two-stage.yaml", "KEYS.md", "README.md", "RESULTS.md", "notebooks",
        "quickstart.yaml", "results.json", "set-dense.yaml", "set-td.yaml",
      ])
  }

  /// Each file, and each with lambdas and batches from which other settings follow, is written as it is read.
  @Test func whatFollowsFromEveryFileIsReadBack() throws {
    let lambdas = ["0", "0.1", "0.5", "0.9", "0.997", "0.9978", "0.999", "0.99999", "0.99999994"]
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(names.count > 10)
    let overrides: [[String]] =
      [[]] + lambdas.map { ["learner.lambda=\($0)"] } + ["1", "1024"].map { ["learner.batch=\($0)"] }
    for name in names {
      for overrides in overrides { try Self.checkIsReadBack(name, overrides) }
    }
    // No key is refused that nobody gave.
    #expect(configurationProblems(yaml: "learner.lambda: 0.999") == [])
  }

  private static func checkIsReadBack(_ name: String, _ overrides: [String]) throws {
    let configuration: RunConfiguration
    do throws(ConfigurationError) {
      configuration = try RunConfiguration.load(
        file: folder.appending(path: name).path, environment: [:], overrides: overrides, of: testGames)
    } catch {
      // Some files set what contradicts the override, and nothing follows.
      #expect(error.problems.allSatisfy { if case .contradiction = $0.reason { true } else { false } }, "\(error)")
      return
    }
    let copy = try RunConfiguration.parse(yaml: configuration.yaml, sourceName: name, of: testGames)
    #expect(copy == configuration, "\(name) with \(overrides)")
  }

  @Test func denseNetworks() throws {
    let board = try Self.load("5x4-dense.yaml")
    #expect(
      board.model.canonicalText
        == "dense hidden=64 embedding=15 linear=yes sums=groups unit=16384 of 4x4 shared 0123 4567 0145 1256 569a")
    #expect(board.stepSize == .adam(alpha: 0.0003) && board.batch == 64 && board.gamesAtOnce == 64)
    let set = try Self.load("set-dense.yaml")
    #expect(
      set.model.canonicalText
        == "dense hidden=64,32 embedding=31 linear=yes sums=groups unit=1 of set 81 cards, 12 on the table, by degrees")
    #expect(set.game == .set && set.returns.steps == nil)
  }

  @Test func cardGame() throws {
    let configuration = try Self.load("set-td.yaml")
    #expect(configuration.game == .set && configuration.set.cardCount == 81 && configuration.set.tableSize == 12)
    #expect(configuration.returns.lambda == 0.5 && configuration.returns.steps == nil)
    #expect(configuration.training.games == 500_000 && configuration.averaging.everyGames == 1000)
  }

  @Test func quickstart() throws {
    let configuration = try Self.load("quickstart.yaml")
    #expect(configuration.name == "quickstart")
    #expect(configuration.rules == .standard)
    #expect(configuration.network.canonicalText == "4x4 shared 01234 45678 01245 45689")
    #expect(configuration.stepSize == .temporalCoherence(alpha: 1))
    #expect(configuration.training.games == 30_000)
    #expect(configuration.training.threads == 1)
    #expect(configuration.evaluation.games == 1000)
  }

  @Test(arguments: [
    ("4x6-td.yaml", RunConfiguration.StepSize.constant(alpha: 0.1)), ("4x6-tc.yaml", .temporalCoherence(alpha: 1)),
  ])
  func fourSixTuples(file: String, stepSize: RunConfiguration.StepSize) throws {
    let configuration = try Self.load(file)
    #expect(configuration.name == String(file.dropLast(5)))
    #expect(configuration.rules == .standard)
    #expect(configuration.network.canonicalText == "4x4 shared 012345 456789 012456 45689a")
    #expect(configuration.stepSize == stepSize)
    #expect(configuration.training.games == 100_000)
    #expect(configuration.training.threads == 1)
    #expect(configuration.output.checkpointGames == 20_000)
  }

  @Test func seventeenFourTuples() throws {
    let configuration = try Self.load("17x4-td.yaml")
    #expect(configuration.name == "17x4-td")
    #expect(configuration.network.patterns.count == 17)
    #expect(configuration.network.featureCount == 17)
    #expect(configuration.network.weightCount == 17 * 65536)
    // The step size of the paper for each of the 17 weights behind a value.
    #expect(abs(configuration.stepSize.alpha / 17 - 0.0025) < 1e-9)
    #expect(configuration.stepSize == .constant(alpha: 0.0425))
    #expect(configuration.training.games == 500_000)
  }

  /// Recipes contain the settings that their names promise.
  @Test func recipesHoldWhatTheirNamesSay() throws {
    let backward = [
      "4x6-tc-lambda", "4x6-tc-lambda-long", "8x6-tc-lambda", "17x4-tc-lambda", "3x3-tc-lambda", "8x6-two-stage",
      "4x6-restart",
    ]
    for file in backward {
      let configuration = try Self.load(file + ".yaml")
      let lambda = LambdaReturn(lambda: 0.5, steps: nil)
      #expect(configuration.returns == lambda && configuration.stepSize == .temporalCoherence(alpha: 1), "\(file)")
    }
    let small = try Self.load("3x3-tc-lambda.yaml")
    #expect(small.model.canonicalText == "3x3 shared present=64,128,256,512 01234 01345 01245")
    #expect(small.rules.shape.cellCount == 9 && small.network.stages.count == 16)
    #expect(try Self.load("4x6-restart.yaml").start == .restart(moves: 10))
    let two = try Self.load("8x6-two-stage.yaml")
    #expect(two.network.stages.count == 2 && two.network.patterns.count == 8 && two.stages.promotion == .weight)
    #expect(two.start == .restart(moves: 10))
  }

  /// Neither the files nor the copies that a run keeps in its folder have settings without effect.
  @Test func recipesHaveNoWarnings() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(files.count > 10)
    for file in files {
      let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
      #expect(try configurationWarnings(yaml: text) == [], "\(file)")
      #expect(try configurationWarnings(yaml: Self.load(file).yaml) == [], "\(file)")
    }
  }

  /// Checkpoints and run folders contain a configuration in this form, so it stays the same, byte for byte.
  @Test func resolvedTextsStayTheSame() throws {
    let fingerprints = [
      "17x4-tc-lambda.yaml": "1321cb99df6136ff",
      "17x4-td.yaml": "4d3883a2e59cfbd8",
      "3x3-tc-lambda.yaml": "6bbf4ddd87aaee4f",
      "4x6-restart.yaml": "42ea8cf8b1fe936c",
      "4x6-tc-lambda-long.yaml": "34bcba8700e22b52",
      "4x6-tc-lambda.yaml": "1a2c7a3f134323b9",
      "4x6-tc.yaml": "8f8b2d0b5ab5607b",
      "4x6-td.yaml": "e29b507589fc288b",
      "5x4-dense.yaml": "ab1818b49a7d90dd",
      "8x6-tc-lambda.yaml": "e376ef4accc19d15",
      "8x6-two-stage.yaml": "1766f43b9537e867",
      "quickstart.yaml": "72f89ffeb5c61446",
      "set-dense.yaml": "9fda56fbd04fe604",
      "set-td.yaml": "f45a247c6927472c",
    ]
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(Set(files) == Set(fingerprints.keys))
    for (file, fingerprint) in fingerprints {
      let configuration = try RunConfiguration.load(
        file: Self.folder.appending(path: file).path, environment: [:], overrides: ["evaluation.threads=2"],
        of: testGames)
      #expect(ModelFile.fingerprint(of: configuration.yaml) == fingerprint, "\(file)")
    }
  }

  /// Models of version 1.0.0 contain keys of features that ended before it, with values that had no effect.
  @Test func configurationsOfShippedModelsAreRead() throws {
    let yaml = "learner: {alpha: 0.5, visit_bonus: 0.0, visit_restarts: []}\nstates: {bits: 0}\naveraging.pull: 0.0"
    let old = try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml")
    #expect(try old == RunConfiguration.parse(yaml: "learner.alpha: 0.5", sourceName: "x.yaml"))
    #expect(configurationProblems(yaml: "learner.visit_bonus: 300") == ["x.yaml:1: learner.visit_bonus: unknown key"])
    for model in ["17x4", "4x6", "medium", "set", "small", "tiny"] {
      let path = Repository.path + "/models/\(model)/config.yaml"
      _ = try RunConfiguration.load(file: path, environment: [:], overrides: [], of: testGames)
    }
  }

  @Test func theReadmeNamesEveryFile() throws {
    let readme = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path) where file != "README.md" {
      #expect(readme.contains("](\(file))") || readme.contains("](\(file)#"), "\(file)")
    }
  }

  /// The README shows three problems with the texts that the program prints.
  @Test func theReadmeShowsRealProblems() throws {
    let readme = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
    let lines = configurationProblems(
      yaml: "\n\n\n\n\n\nlearner.alpa: 1", environment: ["TUPELO_TRAINING_GAMES": "1.5"],
      overrides: ["learner.alpha=-1"])
    let shown = lines.map { "  " + $0.replacing("x.yaml", with: "configs/mine.yaml") }.joined(separator: "\n")
    #expect(lines.count == 3)
    #expect(readme.contains("```text\n\(shown)\n  ```"))
  }

  // MARK: Files that are none

  @Test func missingFilesSuggestTheNearest() throws {
    let folder = Self.folder.path
    #expect(
      configurationProblems(file: folder + "/quikstart.yaml")
        == ["\(folder)/quikstart.yaml: no such file, did you mean \(folder)/quickstart.yaml?"])
    #expect(
      configurationProblems(file: folder + "/4x6-tc")
        == ["\(folder)/4x6-tc: no such file, did you mean \(folder)/4x6-tc.yaml?"])
    #expect(
      configurationProblems(file: folder + "/entirely-different.yaml") == [
        "\(folder)/entirely-different.yaml: no such file"
      ])
    #expect(configurationProblems(file: folder + "/nowhere/x.yaml") == ["\(folder)/nowhere/x.yaml: no such file"])
    #expect(configurationProblems(file: "") == [": no such file"])
  }

  @Test func filesThatCannotBeConfigurations() throws {
    try withTemporaryFolder { folder in
      #expect(configurationProblems(file: folder.path) == ["\(folder.path): cannot be read: Is a directory"])
      let file = folder.appending(path: "x.yaml")
      try Data([0x73, 0x65, 0x65, 0x64, 0x3a, 0xff, 0xfe]).write(to: file)
      #expect(
        configurationProblems(file: file.path) == ["\(file.path): not UTF-8 text: this is not a configuration file"])
      try Data(repeating: UInt8(ascii: "#"), count: 1 << 20).write(to: file)
      #expect(configurationProblems(file: file.path) == [])
      try Data(repeating: UInt8(ascii: "#"), count: 1 << 20 + 1).write(to: file)
      #expect(
        configurationProblems(file: file.path) == ["\(file.path): larger than 1 MiB: this is not a configuration file"])
    }
    #if os(Linux)
    #expect(
      configurationProblems(file: "/dev/zero") == ["/dev/zero: larger than 1 MiB: this is not a configuration file"])
    #endif
  }

  @Test func linesAreThoseOfTheFile() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "x.yaml")
      try Data("# one\n\nlearner:\n  # four\n  alpa: 1\n".utf8).write(to: file)
      #expect(
        configurationProblems(file: file.path)
          == ["\(file.path):5: learner.alpa: unknown key, did you mean learner.alpha?"])
    }
  }

  @Test(arguments: [
    ("4x6-tc.yaml", "4x6-tc"), ("a.b.yml", "a.b"), ("plain", "plain"), ("with space.yaml", "with-space"),
    ("é.yaml", "e"),
  ])
  func theNameComesFromTheFile(file: String, name: String) throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: file)
      try Data("seed: 9\n".utf8).write(to: url)
      let configuration = try RunConfiguration.load(file: url.path, environment: [:], overrides: [], of: testGames)
      #expect(configuration.name == name)
      #expect(configuration.seed == 9)
      let named = try RunConfiguration.load(file: url.path, environment: [:], overrides: ["name=other"], of: testGames)
      #expect(named.name == "other")
    }
  }
}
