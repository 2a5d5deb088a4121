// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

public import CTupeloAPI
internal import SetTraining
internal import TupeloBase
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloTraining

/// The agent and the games of an evaluation, checked.
private struct EvaluationPlan {
  let rules: GameRules
  /// The agent as text.
  let agent: String
  let model: Model?
  let evaluation: tupelo_evaluation
  let makePlayer: @Sendable () throws -> any GamePlayer

  init(_ model: Int64, _ pointer: UnsafePointer<tupelo_evaluation>?) throws {
    evaluation = try unsafe Memory.array(pointer, 1, "evaluation").pointee
    try Memory.check(size: evaluation.size, MemoryLayout<tupelo_evaluation>.size, "evaluation")
    self.model = try Model.named(model)
    let text = try unsafe CText.optionalText(evaluation.agent, "evaluation.agent")
    if let model = self.model?.model, model.description.game != .twentyFortyEight {
      let game = model.description.game
      guard text == nil else {
        throw Fault.invalid("evaluation.agent is \"\(text ?? "")\": models of \(game.title) take NULL")
      }
      rules = .set(try model.set(path: self.model?.name ?? "").rules)
      let contender = model.base.contender(rules: rules, plies: 1)
      (agent, makePlayer) = (contender.name, contender.makePlayer)
      return
    }
    let board = try self.model?.board()
    let rules = try Self.rules(evaluation, shape: board?.shape)
    let specification = try text.map { try AgentSpecification(text: $0) } ?? .expectimax(plies: 1)
    // Refuses a wrong agent before a thread plays by it.
    if board == nil { _ = try specification.makeAgent(rules: rules) }
    (self.rules, agent) = (.board(rules), "\(specification)")
    makePlayer = {
      BoardPlayer(
        try board?.makeAgent(specification, rules: rules) ?? specification.makeAgent(rules: rules), rules: rules)
    }
  }

  private static func rules(_ evaluation: tupelo_evaluation, shape: BoardShape?) throws -> Rules {
    var board = shape
    if evaluation.rows != 0 || evaluation.columns != 0 || shape == nil {
      board = try BoardShape(rows: evaluation.rows, columns: evaluation.columns)
    }
    if let shape, let board, board != shape {
      throw Fault.invalid("evaluation.rows and columns are \(board), and the model plays on \(shape): give 0")
    }
    return try Rules(
      shape: board ?? .standard, fourProbability: evaluation.four_probability, startTiles: Int(evaluation.start_tiles))
  }
}

@c @implementation
public func tupelo_evaluate(
  _ model: Int64, _ evaluation: UnsafePointer<tupelo_evaluation>?, _ control: Int64,
  _ scores: UnsafeMutablePointer<Int64>?, _ moves: UnsafeMutablePointer<Int64>?,
  _ outcomes: UnsafeMutablePointer<Int32>?, _ finished: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let plan = try unsafe EvaluationPlan(model, evaluation)
    let first = try Memory.number(plan.evaluation.first, in: 0...1 << 60, "evaluation.first")
    let games = try Memory.number(plan.evaluation.games, in: 1...100_000_000, "evaluation.games")
    let threads = try Memory.number(plan.evaluation.threads, in: 1...1024, "evaluation.threads")
    let memory = try unsafe ResultMemory(scores, moves, outcomes)
    let finished = try unsafe Memory.array(finished, 1, "finished")
    let control = try Control.named(control)
    let series = GameSeries(plan.rules, games: first + games, seed: plan.evaluation.seed, threads: threads)
    let results = try series.results(
      of: GameNumbers(from: first, to: first + games), cancellation: control.cancellation,
      onGame: { _ in control.games.add(1) }, makePlayer: plan.makePlayer)
    var count = 0
    while count < games, let result = results[first + count] {
      memory.write(result, count, plan.rules)
      count += 1
    }
    unsafe finished.pointee = Int64(count)
    if count < games { throw Fault.cancelled }
  }
}

@c @implementation
public func tupelo_report(
  _ model: Int64, _ evaluation: UnsafePointer<tupelo_evaluation>?, _ count: Int64, _ scores: UnsafePointer<Int64>?,
  _ moves: UnsafePointer<Int64>?, _ outcomes: UnsafePointer<Int32>?, _ seconds: Double,
  _ text: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>?
) -> Int32 {
  status {
    let plan = try unsafe EvaluationPlan(model, evaluation)
    let results = try unsafe ForeignResults(count, scores, moves, outcomes, seconds)
    let length = try unsafe Memory.array(length, 1, "length")
    let report = try results.report(rules: plan.rules, seed: plan.evaluation.seed)
    let subject = EvaluationSubject(
      agent: plan.agent, rules: plan.rules, fingerprint: plan.model?.model.description.fingerprint,
      model: plan.model?.identity, checksum: nil)
    try unsafe CText.write(report.json(of: subject), text, capacity, length)
  }
}

/// Memory of the caller for the results of games, which may be left out.
///
/// Soundness of the unsafe memory: the header says for how many games there is memory, and no more are written.
@safe
struct ResultMemory {
  private let scores: UnsafeMutablePointer<Int64>?
  private let moves: UnsafeMutablePointer<Int64>?
  private let outcomes: UnsafeMutablePointer<Int32>?

  init(
    _ scores: UnsafeMutablePointer<Int64>?, _ moves: UnsafeMutablePointer<Int64>?,
    _ outcomes: UnsafeMutablePointer<Int32>?
  ) throws(Fault) {
    unsafe self.scores = try unsafe Memory.optional(scores, "scores")
    unsafe self.moves = try unsafe Memory.optional(moves, "moves")
    unsafe self.outcomes = try unsafe Memory.optional(outcomes, "outcomes")
  }

  func write(_ result: GameResult, _ game: Int, _ rules: GameRules) {
    if let scores = unsafe scores { unsafe scores[game] = Int64(result.score) }
    if let moves = unsafe moves { unsafe moves[game] = Int64(result.moves) }
    if let outcomes = unsafe outcomes { unsafe outcomes[game] = rules.foreignOutcome(result) }
  }
}

/// Results of games in the caller's memory, checked as far as this is possible without the rules of the games.
///
/// Soundness of the unsafe memory: the header asks callers for memory for `count` games.
@safe
struct ForeignResults {
  private let count: Int
  private let scores: UnsafePointer<Int64>
  private let moves: UnsafePointer<Int64>
  private let outcomes: UnsafePointer<Int32>
  private let seconds: Double

  init(
    _ count: Int64, _ scores: UnsafePointer<Int64>?, _ moves: UnsafePointer<Int64>?,
    _ outcomes: UnsafePointer<Int32>?, _ seconds: Double
  ) throws(Fault) {
    self.count = try Memory.number(count, in: 1...100_000_000, "count")
    unsafe self.scores = try unsafe Memory.array(scores, self.count, "scores")
    unsafe self.moves = try unsafe Memory.array(moves, self.count, "moves")
    unsafe self.outcomes = try unsafe Memory.array(outcomes, self.count, "outcomes")
    guard seconds == 0 || (1e-9...1e12).contains(seconds) else {
      throw Fault.invalid("seconds is \(seconds): give the time of the games, 0 or more")
    }
    self.seconds = seconds
  }

  /// The report of the games.
  func report(rules: GameRules, seed: UInt64) throws(Fault) -> EvaluationReport {
    var results: [GameResult] = []
    for game in 0..<count {
      results.append(
        GameResult(
          // The limit is larger than the score of any game, and small enough that sums over all games are exact.
          score: try Memory.number(unsafe scores[game], in: 0...1_000_000_000, "scores[\(game)]"),
          moves: try Memory.number(unsafe moves[game], in: 0...1_000_000_000, "moves[\(game)]"),
          outcome: try rules.outcome(ofForeign: unsafe outcomes[game], "outcomes[\(game)]")))
    }
    guard let report = EvaluationReport(results: results, rules: rules, seed: seed, seconds: seconds) else {
      throw Fault.invalid("count is \(count): give the results of a game at least")
    }
    return report
  }
}

extension GameRules {
  /// The outcome of a game as callers see it: the largest tile, or the number of cards left over.
  fileprivate func foreignOutcome(_ result: GameResult) -> Int32 {
    guard base is Rules else { return Int32(3 * result.outcome) }
    return result.outcome == 0 ? 0 : 1 << Int32(result.outcome)
  }

  fileprivate func outcome(ofForeign outcome: Int32, _ name: String) throws(Fault) -> Int {
    guard base is Rules else {
      guard (0...81).contains(outcome), outcome % 3 == 0 else {
        throw .invalid("\(name) is \(outcome): give the number of cards left over, 0 to 81")
      }
      return Int(outcome) / 3
    }
    guard (2...131_072).contains(outcome), outcome & (outcome - 1) == 0 else {
      throw .invalid("\(name) is \(outcome): give the largest tile, 2 to 131072")
    }
    return outcome.trailingZeroBitCount
  }
}
