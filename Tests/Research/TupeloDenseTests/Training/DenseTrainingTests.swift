import Safetensors
import SetAgents
import SetEngine
import SetTraining
import TestSupport
import Testing
import TrainingSupport
import TupeloDense
import TupeloEngine
import TupeloModels
import TupeloNetwork
import TupeloSearch
import TupeloSolver
import TupeloTraining

private let testGames = GameCatalogue([.denseTwentyFortyEight, .set])

/// Training of dense networks, for both games.
@Suite struct DenseTrainingTests {
  private static func configuration(_ yaml: String, _ more: String...) throws -> RunConfiguration {
    try RunConfiguration.load(yaml: yaml, sourceName: "test", environment: [:], overrides: more, of: testGames)
  }

  private static let board = """
    network: {patterns: "012 014 015", dense: {hidden: [16], embedding: 7}}
    learner: {batch: 8, lambda: 0.5, steps: episode}
    """

  private static let set = """
    game: set
    network: {dense: {hidden: [16], embedding: 7}}
    learner: {batch: 16, lambda: 0.5, steps: episode, alpha: 0.002}
    """

  private static func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: games, shouldStop: { false }) { _ in }
  }

  private static func board(_ trainer: Trainer) throws -> DenseBoardModel {
    guard let model = try trainer.model().base as? DenseBoardModel else { throw Mismatch() }
    return model
  }

  private static func set(_ trainer: Trainer) throws -> DenseSetModel {
    guard let model = try trainer.model().base as? DenseSetModel else { throw Mismatch() }
    return model
  }

  private struct Mismatch: Error {}

  // MARK: What is learned

  /// On the 2x2 board every value is known: greedy play is nearly as good as the best play.
  ///
  /// The bounds hold for other roundings and seeds. With seeds 1 to 4 and the kernels Haswell, Nehalem and Prescott of
  /// OpenBLAS, n-tuples reach 99.998% of the optimum or more; one-hot cells reach 98.8% on average, with a standard
  /// deviation of 1.1 and a minimum of 96.8.
  @Test(
    .slow,
    arguments: [
      "learner.steps=episode learner.lambda=0.5", "learner.lambda=0", "learner.lambda=0.5 learner.steps=3",
      "learner.lambda=0 network.symmetries=separate network.dense.sums=all network.dense.embedding=48",
    ] as [String])
  func smallBoardIsSolved(_ settings: String) throws {
    let rules = try Rules(shape: BoardShape(rows: 2, columns: 2))
    var configuration = RunConfiguration()
    configuration.rules = rules
    let isOneHot = settings.contains("sums=all")
    let base = """
      rules: {rows: 2, columns: 2}
      network: {patterns: "\(isOneHot ? "0 1 2 3" : "01 03 0123")", dense: {hidden: [32], embedding: 15}}
      learner: {batch: 32, alpha: 0.003, alpha_schedule: [12k=0.0005], exploration: 0.02}
      averaging: {every_games: 100}
      training: {games: 40k}
      """
    configuration = try RunConfiguration.load(
      yaml: base, sourceName: "test", environment: [:], overrides: settings.split(separator: " ").map(String.init),
      of: testGames)
    let trainer = try Trainer(configuration)
    try Self.train(trainer, until: configuration.training.games)
    let model = try Self.board(trainer)
    let solver = try BoardSolver(rules: rules)
    let optimum = solver.solve().startValue
    let reached = solver.value(ofGreedyPolicyOf: model).expectedScore
    #expect(reached > (isOneHot ? 0.94 : 0.9999) * optimum && reached < optimum + 1e-6, "\(reached) of \(optimum)")
  }

  /// Nine cards are taken in three Sets, however one plays: an afterstate with k Sets taken is worth 3 - k.
  @Test func nineCardsAreWorthWhatIsLeft() throws {
    let trainer = try Trainer(
      Self.configuration(Self.set, "set.features=2", "set.table=3", "averaging.every_games=100"))
    try Self.train(trainer, until: 4000)
    let (model, rules) = (try Self.set(trainer), trainer.configuration.set)
    var random = RandomStream(seed: 4)
    for _ in 0..<50 {
      var position = DealModel(rules).position(after: SetAfterstate(startOf: rules), using: &random)
      var taken = 0
      while let trio = position.table.hint, let afterstate = position.afterstate(of: trio) {
        taken += 1
        #expect(abs(model.value(of: afterstate) - Float(3 - taken)) < 0.05)
        position = DealModel(rules).position(after: afterstate, using: &random)
      }
    }
  }

  /// A random player takes 24.43 Sets on average (SET.md), with a standard deviation of 0.8.
  @Test(.slow) func learnsToTakeMoreSets() throws {
    let trainer = try Trainer(Self.configuration(Self.set, "averaging.every_games=0"))
    try Self.train(trainer, until: 3000)
    let contender = trainer.configuration.contender(try trainer.model())
    let report = try GameSeries(.set(.standard), games: 1000, seed: 9, threads: 2).run(makePlayer: {
      try contender.makePlayer()
    })
    #expect(try #require(report).scoreMean > 24.9)
  }

  // MARK: Resuming

  /// A run that stops at the end of any group and is resumed writes the same file as a run without a stop.
  @Test(
    .slow,
    arguments: [
      "", "learner.lambda=0 learner.steps=1", "learner.steps=3", "learner.step_size=constant learner.alpha=0.05",
      "averaging.every_games=0", "learner.clip=1 learner.weight_decay=0.01 learner.row_patience=5",
      "episodes.start=restart",
      "training.games_at_once=1", "learner.exploration=0.1 learner.alpha_schedule=[40=0.0001]",
    ] as [String])
  func boardResumesBitForBit(_ settings: String) throws {
    let overrides = ["averaging.every_games=20"] + settings.split(separator: " ").map(String.init)
    let configuration = try RunConfiguration.load(
      yaml: Self.board, sourceName: "test", environment: [:], overrides: overrides, of: testGames)
    #expect(configuration.groupGames == 4 * configuration.gamesAtOnce)
    #expect(try stopsThatChange(configuration, games: 96, stops: [32, 64], of: testGames) == [])
  }

  @Test(arguments: ["episode", "1", "4"]) func setResumesBitForBit(_ steps: String) throws {
    let lambda = steps == "1" ? "learner.lambda=0" : "learner.lambda=0.5"
    let configuration = try Self.configuration(
      Self.set, "learner.steps=\(steps)", lambda, "averaging.every_games=100")
    #expect(try stopsThatChange(configuration, games: 192, stops: [64, 128], of: testGames) == [])
  }

  /// A stop waits for the end of the group; a deadline does not cut a group short.
  @Test func stopsAtTheEndOfAGroup() throws {
    let trainer = try Trainer(Self.configuration(Self.board))
    let stop = Flag()
    try trainer.train(until: 1000, reportGames: 1, shouldStop: { stop.isSet }) { _ in stop.set() }
    #expect(trainer.games > 0 && trainer.games % 32 == 0 && trainer.games < 1000)
  }

  private final class Flag: @unchecked Sendable {
    var isSet = false
    func set() { isSet = true }
  }

  // MARK: Files

  @Test func modelsPlayFromFiles() throws {
    let (checkpoint, file) = (TemporaryFile.path("c.safetensors"), TemporaryFile.path("m.safetensors"))
    defer { [checkpoint, file].forEach(TemporaryFile.remove) }
    let trainer = try Trainer(Self.configuration(Self.board, "averaging.every_games=32"))
    try Self.train(trainer, until: 64)
    try trainer.save(to: checkpoint)
    let model = try trainer.model()
    try model.save(to: file)
    #expect(try TrainedModel(path: file, of: testGames).identity == model.identity)
    #expect(try TrainedModel(path: checkpoint, of: testGames).identity == model.identity)
    #expect(try ModelDescription(in: SafetensorsFile(path: file), of: testGames) == trainer.configuration.model)
    #expect(
      try WeightDiagnostics.diagnostics(of: SafetensorsFile(path: file), in: testGames).map(\.table.name)
        == ["embedding", "layers"])
    // A configuration with another structure is refused, and so are functions for models of another kind.
    let other = try Self.configuration(Self.board, "network.dense.hidden=[8]", "network.initial_model=\(file)")
    #expect(throws: ModelFileError.self) { try Trainer(other) }
    let same = try Self.configuration(Self.board, "averaging.every_games=0", "network.initial_model=\(file)")
    #expect(try Trainer(same).model().identity == model.identity)
    #expect(throws: TrainedModelError.self) { try trainer.network() }
    #expect(throws: TrainedModelError.self) { try model.board(path: file).patterns(path: file) }
    #expect(throws: TrainedModelError.self) { try model.saveTDLWeightFile(to: file + ".w") }
    #expect(throws: CheckpointError.self) {
      try Checkpoint(path: checkpoint, of: testGames).resume(
        with: Self.configuration(Self.board, "network.dense.embedding=15"))
    }
  }

  /// Rows begin at zero, and stay there until a position uses them. Most entries of three tuples are never used.
  @Test func rowsThatAreNeverMetAreZero() throws {
    let trainer = try Trainer(Self.configuration(Self.board))
    try Self.train(trainer, until: 64)
    let model = try Self.board(trainer)
    let (rows, width) = (3 * 4096, 8)
    let met = (0..<rows).count { row in (0..<width).contains { model.network.parameters[row * width + $0] != 0 } }
    #expect(met > 100 && met < rows / 2, "\(met) of \(rows)")
  }

  /// Search asks for whole chance nodes, and gets the values that it gets one by one.
  @Test func searchesWithTheModel() throws {
    let trainer = try Trainer(Self.configuration(Self.board))
    try Self.train(trainer, until: 32)
    let model = try Self.board(trainer)
    var (many, one) = (Expectimax(model, plies: 2), Expectimax(OneByOne(model: model), plies: 2))
    var game = Game(rules: .standard, seed: 5, number: 0)
    for _ in 0..<60 {
      guard let move = many.move(on: game.board) else { break }
      #expect(one.move(on: game.board) == move)
      _ = game.play(move)
    }
  }

  private struct OneByOne: Evaluator {
    let model: DenseBoardModel
    func value(of afterstate: Afterstate) -> Float { model.value(of: afterstate) }
  }

  // MARK: Configurations

  @Test func configurationsReadBack() throws {
    for yaml in [Self.board, Self.set] {
      let configuration = try Self.configuration(
        yaml, "learner.clip=2", "learner.weight_decay=0.1", "learner.row_patience=100")
      #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "test", of: testGames) == configuration)
      try configuration.validate()
      #expect(configuration.stepSize.alpha <= 0.002 && configuration.yaml.contains("adam"))
      var warnings: [String] = []
      _ = try RunConfiguration.load(
        yaml: configuration.yaml, sourceName: "test", environment: [:], overrides: [], of: testGames
      ) { warnings.append("\($0)") }
      #expect(warnings == [])
    }
    let plain = try Self.configuration("network.dense.hidden: [32, 16]")
    #expect(plain.batch == 64 && plain.gamesAtOnce == 64 && plain.stepSize == .adam(alpha: 0.0003))
    #expect(!RunConfiguration().yaml.contains("dense"))
  }

  @Test(
    arguments: [
      ("network.dense.hidden: [0]", "network.dense.hidden: 0 is not allowed"),
      ("network.dense.hidden: 99999", "network.dense.hidden: 99999 is not allowed"),
      ("network.dense.embedding: 8", "network.dense.embedding: has no meaning without network.dense.hidden"),
      ("learner.step_size: adam", "learner.step_size: has no meaning without network.dense.hidden"),
      ("network.dense.hidden: 8\nlearner.step_size: temporal-coherence", "learner.step_size: is not for a dense"),
      ("network.dense.hidden: 8\nnetwork.stages: largest=2048", "network.stages: is not for a dense network"),
      ("network.dense.hidden: 8\ntraining.threads: 2", "training.threads: is not for a dense network"),
      ("network.dense.hidden: 8\nlearner.decay: 0.1", "learner.decay: is not for a dense network"),
      ("network.dense.hidden: 8\nnetwork.dense.embedding: 512\nnetwork.patterns: \"\(seventeen)\"", "has width"),
      ("training.games_at_once: 17", "training.games_at_once: 17 games at once are for dense networks"),
      ("game: set\ntraining.games_at_once: 4", "training.games_at_once: has no meaning without game 2048"),
      ("network.dense.hidden: 8\nlearner.step_size: constant\nlearner.row_patience: 5", "give learner.step_size adam"),
      ("learner.row_patience: 5", "learner.row_patience: has no meaning without network.dense.hidden"),
      ("network.dense.hidden: 8\nlearner.clip: -1", "learner.clip: -1 is not allowed"),
      ("network.dense.hiden: 8", "unknown key, did you mean network.dense.hidden?"),
    ] as [(String, String)])
  func badSettingsAreNamed(_ yaml: String, _ text: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.configuration(yaml) }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }

  private static let seventeen = (0..<17).map { "\(String($0 / 4, radix: 16))\(String($0 % 4 + 5, radix: 16))" }
    .joined(separator: " ")

  /// A batch beyond memory is refused before any memory is taken, and the error names its size.
  @Test func memoryIsCounted() throws {
    let small = try Trainer.memory(of: Self.configuration(Self.board))
    let wide = try Trainer.memory(of: Self.configuration(Self.board, "network.dense.embedding=511"))
    // The memory is that of parameters, two moments and the average: 3 patterns of 4096 rows.
    #expect(wide - small > 4 * 4 * 504 * 3 * 4096)
  }

  /// A rate that is far too high ends the training with one line that names the cause.
  @Test func divergenceIsAnError() throws {
    let configuration = try Self.configuration(
      Self.board, "learner.step_size=constant", "learner.alpha=1", "network.dense.hidden=[64,64]")
    let trainer = try Trainer(configuration)
    #expect(throws: TrainingError.self) { try Self.train(trainer, until: 2000) }
  }
}
