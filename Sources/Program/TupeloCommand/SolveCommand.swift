internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloSearch
internal import TupeloSolver
internal import TupeloTraining

struct SolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "solve",
    abstract: "Computes the exact value of a small board, and a model's loss.",
    usage: "tupelo solve [<options>]",
    discussion: """
      The board has at most nine cells: 2x2, 2x3, 3x2, 2x4, 4x2 or 3x3. The exact value is the average score of the \
      best possible play. Symmetric positions are counted once.

      Example:
        tupelo solve --board 2x3
      """)

  @Option(name: .long, help: "Rows x columns, such as 3x3.")
  var board: String?

  @OptionGroup var spawn: SpawnOptions

  @Option(
    name: .long, help: "Also compute the exact score of this model: file, checkpoint or run folder.",
    completion: .models)
  var model: String?

  @Option(name: .long, help: "Plies the model searches, 1 to 8: 1 is greedy.")
  var plies = 1

  @Flag(name: .long, help: "Let the model choose on one of several symmetric boards only: faster, but ignores ties.")
  var upToSymmetry = false

  @Option(name: .long, help: "Threads (default: all cores).")
  var threads: Int?

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    _ = try shape()
    try AgentOptions.check(plies: plies)
    if let threads, !(1...1024).contains(threads) {
      throw CommandEnd.wrong("--threads is \(threads): give 1 to 1024")
    }
  }

  func run() throws {
    let rules = try spawn.rules(shape: shape())
    try ThreadLimit.check(workers: threads ?? Processors.count)
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
    let solution = solver.solve(progress: show)
    let solved = clock.now
    let policy = player.map { value(of: $0, by: solver, progress: show) }
    let end = clock.now
    line.finish()
    let result = SolveResult(
      solution: solution, seconds: (solved - start) / .seconds(1), policy: policy, plies: plies,
      policySeconds: (end - solved) / .seconds(1))
    Terminal.line(json ? try result.json() : result.text)
  }

  private func shape() throws -> BoardShape {
    guard let board else {
      throw CommandEnd.wrong("give --board with rows x columns, such as 3x3")
    }
    let sides = board.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let rows = sides[0], let columns = sides[1] else {
      throw CommandEnd.wrong("--board is \(board): give rows x columns, such as 3x3")
    }
    do {
      return try BoardShape(rows: rows, columns: columns)
    } catch {
      throw CommandEnd.wrong("--board is \(board): \(error)")
    }
  }

  private static func model(at path: String, shape: BoardShape) throws -> any BoardModel {
    let file = try ShippedModel.file(at: path)
    let model = try TrainedModel(path: file, of: .program).board(path: file)
    guard model.shape == shape else {
      throw CommandEnd.failure("\(path): a model of \(model.shape) boards, not of \(shape): name another model")
    }
    return model
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

/// Options of `solve` that ended with version 0.1.0: decks of Set, and files of solutions.
extension SolveCommand {
  /// Why a command line of an earlier version is refused; `nil` for any other command line.
  static func refusal(of arguments: [String]) -> CommandEnd? {
    guard arguments.first == configuration.commandName else { return nil }
    if value(of: ["--game"], in: arguments) == "set" {
      return CommandEnd.wrong("--game set: version 0.1.0 was the last that solves decks of Set")
    }
    if let path = value(of: ["--solution"], in: arguments) {
      return CommandEnd.wrong(refusal(ofSolution: path) + ": leave it out, and the board is solved again")
    }
    if let path = value(of: ["--output", "-o"], in: arguments) {
      return CommandEnd.wrong("\(path): version 0.1.0 was the last that writes solution files: leave out --output")
    }
    return nil
  }

  /// Why a file of a solution is refused, without a remedy.
  static func refusal(ofSolution path: String) -> String {
    "\(path): a solution file: version 0.1.0 was the last that reads it"
  }

  /// The value of an option, in the word after it or behind an equals sign.
  private static func value(of names: [String], in arguments: [String]) -> String? {
    for (index, argument) in arguments.enumerated() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard names.contains(String(parts[0])) else { continue }
      return parts.count > 1 ? String(parts[1]) : arguments.dropFirst(index + 1).first
    }
    return nil
  }
}
