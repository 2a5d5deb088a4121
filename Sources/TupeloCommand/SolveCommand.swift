internal import ArgumentParser
internal import Foundation
internal import SetPlayers
internal import Threads
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloSolver
internal import TupeloTraining

struct SolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "solve",
    abstract: "Computes the exact value of a small board or deck, and what a model loses against it.",
    discussion: """
      Boards of up to nine cells: 2x2, 2x3, 3x2, 2x4, 4x2 and 3x3. Play maximises the score. Positions count up to \
      symmetry.

      With --game set: decks of up to 27 cards. Play maximises the expected number of Sets.
      """)

  @Option(name: .long, help: "Rows x columns, such as 3x3.")
  var board: String?

  @Option(name: .long, help: "Game: 2048 or set (default: 2048).")
  var game: String?

  @Option(name: .long, help: "Features of the cards of Set, 1 to 3 (default: the model's, else 3).")
  var features: Int?

  @Option(name: .long, help: "Cards on the table of Set: 3, 6, 9, 12 or 15 (default: the model's, else 12).")
  var table: Int?

  @Option(name: .long, help: "An agent of Set, such as counting: its exact value, too.")
  var agent: String?

  @OptionGroup var spawn: SpawnOptions

  @Option(
    name: .shortAndLong, help: "Where the solution goes, for analyze.", completion: .file(extensions: ["safetensors"]))
  var output: String?

  @Option(
    name: .long, help: "A file from --output, to compare a model with instead of solving once more.",
    completion: .file(extensions: ["safetensors"]))
  var solution: String?

  @Option(name: .long, help: "Model file, checkpoint or run folder: its exact value on that board, too.")
  var model: String?

  @Option(name: .long, help: "Plies the model searches, 1 to 8: 1 is greedy.")
  var plies = 1

  @Flag(name: .long, help: "Ask the model about one of symmetric boards alone, which is faster but ignores ties.")
  var upToSymmetry = false

  @Option(name: .long, help: "Threads (default: all cores).")
  var threads: Int?

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @OptionGroup var force: ForceOption

  func validate() throws {
    if try isSet() {
      try spawn.refuse(for: .set)
      guard board == nil, output == nil, solution == nil, plies == 1, !upToSymmetry, threads == nil else {
        throw ValidationError(
          "--board, --output, --solution, --plies, --up-to-symmetry and --threads are about 2048, not Set: leave them "
            + "out")
      }
      _ = try setAgent()
    } else {
      guard features == nil, table == nil, agent == nil else {
        throw ValidationError("--features, --table and --agent are about Set: give --game set, too")
      }
      _ = try shape()
    }
    guard solution == nil || output == nil else {
      throw ValidationError("--output saves what was solved, and --solution solves nothing: give one of them")
    }
    try AgentOptions.check(plies: plies)
    if let threads, !(1...1024).contains(threads) {
      throw ValidationError("--threads is \(threads): give 1 to 1024")
    }
  }

  func run() throws {
    if try isSet() {
      let result = try SetSolveResult(features: features, table: table, model: model, agent: setAgent())
      return Terminal.line(json ? try result.json() : result.text)
    }
    if let output { _ = try OutputFile(output, for: .solution, force: force.force) }
    let rules = try spawn.rules(shape: shape())
    let solver = try BoardSolver(rules: rules, threads: threads ?? Processors.count)
    let player = try model.map { try Self.model(at: $0, shape: rules.shape) }
    let line = Progress()
    let show: (SolverProgress) -> Void = { progress in
      line.show {
        "\(progress.phase.rawValue)  sum \(progress.tileSum)  \(Format.counted(progress.positions, "position"))"
      }
    }
    let clock = ContinuousClock()
    let start = clock.now
    let solution = try solution.map { try Self.solution(at: $0, rules: rules) } ?? solver.solve(progress: show)
    let solved = clock.now
    if let output { try Progress.during("saving") { try solution.save(to: output) } }
    let policy = player.map { value(of: $0, by: solver, progress: show) }
    let end = clock.now
    line.finish()
    let result = SolveResult(
      solution: solution, seconds: (solved - start) / .seconds(1), policy: policy, plies: plies,
      policySeconds: (end - solved) / .seconds(1), output: output)
    Terminal.line(json ? try result.json() : result.text)
  }

  private func isSet() throws -> Bool {
    guard let game else { return false }
    guard let kind = GameKind(rawValue: game) else {
      throw ValidationError("--game is '\(game)': give 2048 or set")
    }
    return kind == .set
  }

  private func setAgent() throws -> SetAgentSpecification? {
    try agent.map { try NamedAgent(text: $0, option: "--agent").setSpecification() }
  }

  private func shape() throws -> BoardShape {
    guard let board else {
      throw ValidationError("give --board with rows x columns, such as 3x3, or --game set")
    }
    let sides = board.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let rows = sides[0], let columns = sides[1] else {
      throw ValidationError("--board is \(board): give rows x columns, such as 3x3")
    }
    do {
      return try BoardShape(rows: rows, columns: columns)
    } catch {
      throw ValidationError("--board is \(board): \(error)")
    }
  }

  private static func solution(at path: String, rules: Rules) throws -> ExactSolution {
    let solution = try ExactSolution(path: path)
    guard solution.rules == rules else { throw SolutionUseError.solutionOfOtherRules(path: path, solution.rules) }
    return solution
  }

  private static func model(at path: String, shape: BoardShape) throws -> BoardModel {
    let model = try BoardModel(path: ModelPath.file(at: path))
    guard model.shape == shape else {
      throw SolutionUseError.modelOfAnotherBoard(path: path, shape: model.shape, solved: shape)
    }
    return model
  }

  private func value(
    of model: BoardModel, by solver: BoardSolver, progress: (SolverProgress) -> Void
  ) -> PolicyValue {
    switch model {
    case .network(let network): value(of: network, by: solver, progress: progress)
    case .dense(let network): value(of: network, by: solver, progress: progress)
    }
  }

  private func value(
    of evaluator: some Evaluator, by solver: BoardSolver, progress: (SolverProgress) -> Void
  ) -> PolicyValue {
    let scope = upToSymmetry ? BoardSolver.Scope.upToSymmetry : .allBoards
    guard plies > 1 else { return solver.value(ofGreedyPolicyOf: evaluator, scope: scope, progress: progress) }
    let (plies, rules) = (plies, solver.rules)
    return solver.value(
      of: { boards in
        var search = Expectimax(evaluator, plies: plies, rules: rules)
        return boards.map { search.move(on: $0) }
      }, scope: scope, progress: progress)
  }
}

/// Why a file cannot answer a question about exact values.
enum SolutionUseError: Error, CustomStringConvertible {
  case modelOfAnotherBoard(path: String, shape: BoardShape, solved: BoardShape)
  case solutionOfOtherRules(path: String, Rules)
  case unreachable(path: String, board: String)

  var description: String {
    switch self {
    case .modelOfAnotherBoard(let path, let shape, let solved):
      "\(path): a model of \(shape) boards, not of \(solved): name another model"
    case .solutionOfOtherRules(let path, let rules):
      "\(path): solves other rules: give --board \(rules.shape) --four-probability \(rules.fourProbability)"
        + " --start-tiles \(rules.startTiles)"
    case .unreachable(let path, let board):
      "\(path): no game that it solves comes to the board \(board): give one that play can reach"
    }
  }
}
