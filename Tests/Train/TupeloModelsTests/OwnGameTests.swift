import Testing
import TupeloConfiguration
import TupeloEngine
import TupeloEvaluation
import TupeloModels

/// The rules of a game that nothing in the package knows.
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

/// A game from outside in configurations, reports and shards: it has its own name and its own rules everywhere.
@Suite struct OwnGameTests {
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

  @Test(arguments: [
    ("game: dice", GameCatalogue.standard, "x.yaml:1: game: dice is not allowed: give 2048"),
    ("game: dice\ndice.dice: 7", games, "x.yaml:2: dice.dice: seven dice do not fit"),
    ("game: dice\ndice.dice: 10", games, "x.yaml:2: dice.dice: 10 is not allowed: give a whole number from 1 to 9"),
    ("dice.dice: 3", games, "x.yaml:1: dice.dice: has no meaning without game dice: set it, or leave this key out"),
    (
      "game: dice\nrules.rows: 3", games,
      "x.yaml:2: rules.rows: has no meaning without game 2048: set it, or leave this key out"
    ),
    ("game: dice\ntraining.replicas: 2", games, "x.yaml:2: training.replicas: replicas cannot be used with game dice"),
    (
      "network.dense.hidden: [8]", games,
      "x.yaml:1: network.dense.hidden: this program has no such network for 2048: leave it out"
    ),
  ])
  func refusalsNameIt(_ yaml: String, _ games: GameCatalogue, _ text: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml", of: games)
    }
    #expect(error?.description.split(separator: "\n").first?.hasPrefix(text) == true, "\(String(describing: error))")
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

  /// A game of whose rules nothing is said.
  @Test func aNameIsEnough() throws {
    let bare = GameKind(name: "bare", title: "Bare")
    let configuration = try RunConfiguration.parse(
      yaml: "game: bare", sourceName: "x", of: GameCatalogue([.twentyFortyEight, bare]))
    #expect(configuration.game == bare && configuration.gameRules == bare.standardRules)
    #expect(configuration.gameRules != RunConfiguration().gameRules && bare.card.tag == "bare")
    #expect(throws: (any Error).self) { try configuration.structure() }
  }
}
