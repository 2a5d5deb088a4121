import Safetensors
import Testing
import TupeloConfiguration
import TupeloEngine
import TupeloEvaluation
import TupeloModels
import TupeloNetwork

/// The rules of a game that the package does not contain.
private struct DiceRules: PlayedRules {
  let dice: Int

  var game: GameKind { .dice }
  var playground: String { "\(dice) dice" }
  var reportFields: [String: any Sendable] { ["game": game.name, "dice": dice] }
  var shardFields: [String: Double] { ["dice": Double(dice)] }
  var reported: [OutcomeRange] { [OutcomeRange("sixes", value: 6, 6...6)] }
  var milestones: [OutcomeRange] { reported }

  static let standard = DiceRules(dice: 5)
  static let diceKey = RulesKey("dice", 1...9, "Dice in the cup.")
  static var keys: [RulesKey] { [diceKey] }
  func number(of key: RulesKey) -> Int { dice }

  struct TooMany: Error, CustomStringConvertible {
    var description: String { "seven dice do not fit" }
  }

  init(dice: Int) { self.dice = dice }

  init(_ number: (RulesKey) -> Int) throws {
    dice = number(Self.diceKey)
    if dice == 7 { throw TooMany() }
  }

  init?(shard field: (String) throws -> Double?) throws {
    guard let dice = try field("dice") else { return nil }
    self.dice = Int(dice)
  }
}

extension GameKind {
  fileprivate static let dice = GameKind(
    name: "dice", title: "Dice", rules: DiceRules.self,
    results: ResultTexts(digits: 2, ratesKey: "six_rates", label: { "\($0) thrown" }))
}

/// A game from outside has its own name and its own rules in configurations, reports and shards.
@Suite struct OwnGameModelTests {
  private static let games = GameCatalogue([.twentyFortyEight, .dice])

  @Test func configurationsNameIt() throws {
    let configuration = try RunConfiguration.parse(
      yaml: "game: dice\ndice.dice: 3\nseed: 4", sourceName: "x.yaml", of: Self.games)
    #expect(configuration.game.name == "dice" && configuration.gameRules == GameRules(DiceRules(dice: 3)))
    #expect(configuration.yaml.contains("game: dice\ndice:\n  dice: 3\n") && !configuration.yaml.contains("rules:"))
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "x", of: Self.games) == configuration)
    #expect(RunConfiguration.reference(of: "dice", in: Self.games).contains("Takes a whole number from 1 to 9."))
    #expect(!RunConfiguration.reference.contains("dice"))
  }

  @Test(
    arguments: [
      ("game: dice", GameCatalogue.standard, "x.yaml:1: game: dice is not allowed: give 2048"),
      ("game: dice\ndice.dice: 7", games, "x.yaml:2: dice.dice: seven dice do not fit"),
      ("game: dice\ndice.dice: 10", games, "x.yaml:2: dice.dice: 10 is not allowed: give a whole number from 1 to 9"),
      ("dice.dice: 3", games, "x.yaml:1: dice.dice: has no meaning without game dice: set it, or leave this key out"),
      (
        "game: dice\nrules.rows: 3", games,
        "x.yaml:2: rules.rows: has no meaning without game 2048: set it, or leave this key out"
      ),
      (
        "game: dice\ntraining.replicas: 2", games, "x.yaml:2: training.replicas: replicas cannot be used with game dice"
      ),
      (
        "network.dense.hidden: [8]", games,
        "x.yaml:1: network.dense.hidden: this program has no such network for 2048: leave it out"
      ),
    ] as [(String, GameCatalogue, String)])
  func refusalsNameIt(_ yaml: String, _ games: GameCatalogue, _ text: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml", of: games)
    }
    #expect(error?.description.split(separator: "\n").first?.hasPrefix(text) == true, "\(String(describing: error))")
  }

  /// A program whose catalogue lacks 2048 offers no settings of 2048.
  @Test func keysOf2048AreThoseOfItsCatalogue() throws {
    let alone = GameCatalogue([.dice])
    let reference = RunConfiguration.reference(of: "", in: alone)
    for key in ["rules.rows", "network.layout", "stages.frozen", "episodes.start", "evaluation.plies"] {
      #expect(!reference.contains("\(key)\n") && RunConfiguration.reference.contains("\(key)\n"), "\(key)")
    }
    #expect(reference.contains("game\n    The game: Dice.\n    Takes dice.\n    Default: dice."))
    let configuration = try RunConfiguration.parse(yaml: "seed: 2", sourceName: "x", of: alone)
    #expect(configuration.game == .dice)
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "x", of: alone) == configuration)
    let error = #expect(throws: ConfigurationError.self) {
      try RunConfiguration.parse(yaml: "rules.rows: 3", sourceName: "x.yaml", of: alone)
    }
    #expect(error?.description.hasPrefix("x.yaml:1: rules.rows: unknown key") == true, "\(String(describing: error))")
  }

  /// A kind of model that supports merging.
  private struct MergedKind: ModelKind {
    var mergesReplicas: Bool { true }
    func structure(canonicalText text: String) -> (any ModelStructure)? { nil }
    func structure(
      _ rules: GameRules, _ network: NetworkSpecification, _ architecture: DenseArchitecture
    ) -> any ModelStructure { network }
  }

  /// Whether replicas are allowed depends on the game's kind of model.
  @Test func itsModelsMayHaveReplicas() throws {
    let merged = GameKind(name: "merged", title: "Merged", tables: MergedKind())
    let yaml = "game: merged\ntraining.replicas: 2"
    let configuration = try RunConfiguration.parse(yaml: yaml, sourceName: "x", of: GameCatalogue([merged]))
    #expect(configuration.training.replicas == 2 && configuration.unreplicated == [])
    let dense = GameKind(name: "dense", title: "Dense", tables: MergedKind(), dense: MergedKind())
    let wide = "game: dense\ntraining.replicas: 2\nnetwork.dense.hidden: [8]"
    #expect(try RunConfiguration.parse(yaml: wide, sourceName: "x", of: GameCatalogue([dense])).dense.isDense)
  }

  @Test func reportsAndShardsTellItsRules() throws {
    let rules = GameRules(DiceRules(dice: 2))
    let results = [3, 6].map { GameResult(score: $0, moves: 1, outcome: $0) }
    let report = try #require(EvaluationReport(results: results, rules: rules, seed: 1, seconds: 1))
    #expect(report.rate(of: 6) == 0.5 && report.outcomes.count == 1)
    #expect(report.description.contains("average score   4.50"))
    let subject = EvaluationSubject(agent: "cup", rules: rules, fingerprint: nil, model: nil, checksum: nil)
    #expect(report.json(of: subject).contains("\"dice\" : 2") && report.json.contains("six_rates"))
    let header = EvaluationShard.Header(agent: "cup", model: nil, games: 2, seed: 1, shards: 1, rules: rules)
    let shard = try #require(
      EvaluationShard(header, number: 1, results: [0: results[0], 1: results[1]], seconds: 1))
    #expect(try EvaluationShard(json: Array(shard.json.utf8), file: "s", of: Self.games) == shard)
    #expect(throws: EvaluationShardError.self) { try EvaluationShard(json: Array(shard.json.utf8), file: "s") }
  }

  /// Shards name their game. So games without rules of their own, whose shards have the same keys, are distinguished.
  @Test func shardsNameTheirGame() throws {
    let (one, two) = (GameKind(name: "one", title: "One"), GameKind(name: "two", title: "Two"))
    let games = GameCatalogue([.twentyFortyEight, one, two])
    func shard(_ number: Int, of game: GameKind) throws -> String {
      let header = EvaluationShard.Header(
        agent: "cup", model: nil, games: 2, seed: 1, shards: 2, rules: game.standardRules)
      let results = [number - 1: GameResult(score: 3, moves: 1, outcome: 0)]
      return try #require(EvaluationShard(header, number: number, results: results, seconds: 1)).json
    }
    func read(_ json: String, of catalogue: GameCatalogue = games) throws -> (file: String, shard: EvaluationShard) {
      ("s", try EvaluationShard(json: Array(json.utf8), file: "s", of: catalogue))
    }
    let (first, second) = (try read(shard(1, of: one)), try read(shard(2, of: one)))
    #expect(first.shard.header.rules.game == one && first.shard.json.contains("\"game\":\"one\""))
    #expect(try EvaluationShard.merge([first, second]).games == 2)
    let other = try read(shard(2, of: two))
    #expect(throws: EvaluationShardError.differs(file: "s", from: "s")) { try EvaluationShard.merge([first, other]) }
    // A shard that a program of another behaviour has played.
    let behaviour = "\"behaviour\":\(behaviourVersion)"
    for change in ["\"behaviour\":1", "\"other\":1"] {
      let text = try shard(2, of: one)
      #expect(text.contains(behaviour))
      let old = try read(text.replacing(behaviour, with: change))
      #expect(throws: EvaluationShardError.differs(file: "s", from: "s")) { try EvaluationShard.merge([first, old]) }
    }
    let unknown = EvaluationShardError.notAShard(
      file: "s", reason: "it is of the game one, which this program does not know")
    #expect(throws: unknown) { try read(shard(1, of: one), of: .standard) }
    // The game of a shard of an earlier version follows from the keys of its rules.
    let board = try shard(1, of: .twentyFortyEight)
    let earlier = board.replacing("\"game\":\"2048\",", with: "")
    #expect(try earlier != board && read(earlier).shard == read(board).shard)
  }

  /// The largest tile is 131072 on 4x4, and 16 on 2x2 without 4s. A game that does not say its outcomes can have all.
  @Test func shardsHaveOutcomesOfTheirGame() throws {
    let small = try Rules(shape: BoardShape(rows: 2, columns: 2), fourProbability: 0)
    let games = [(GameRules(Rules.standard), 17), (GameRules(small), 4), (GameRules(DiceRules.standard), 27)]
    for (rules, largest) in games {
      func read(_ outcome: Int) throws -> EvaluationShard {
        let header = EvaluationShard.Header(agent: "any", model: nil, games: 1, seed: 1, shards: 1, rules: rules)
        let results = [0: GameResult(score: 3, moves: 1, outcome: outcome)]
        let shard = try #require(EvaluationShard(header, number: 1, results: results, seconds: 1))
        return try EvaluationShard(json: Array(shard.json.utf8), file: "s", of: Self.games)
      }
      #expect(try read(largest).results[0].outcome == largest)
      #expect(throws: EvaluationShardError.self, "\(rules)") { try read(largest + 1) }
    }
  }

  /// A game without any rules in its description.
  @Test func aNameIsEnough() throws {
    let bare = GameKind(name: "bare", title: "Bare")
    let configuration = try RunConfiguration.parse(
      yaml: "game: bare", sourceName: "x", of: GameCatalogue([.twentyFortyEight, bare]))
    #expect(configuration.game == bare && configuration.gameRules == bare.standardRules)
    #expect(configuration.gameRules != RunConfiguration().gameRules && bare.card.tag == "bare")
    #expect(throws: (any Error).self) { try configuration.structure() }
  }
}
