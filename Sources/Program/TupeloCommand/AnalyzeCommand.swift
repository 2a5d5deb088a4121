internal import ArgumentParser
internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Finds the best move on a board, with the values of all four moves.",
    usage: "tupelo analyze [<model>] <board> [<options>]",
    discussion: """
      The board is one hex digit per cell, row by row (0 empty, 1 = 2, ..., b = 2048, g = 65536), or the sixteen tiles \
      as numbers with spaces between them. A model stands before the board. Without one, the shipped model is used, or \
      the hand-written heuristic when no model is shipped.

      All numbers are score points. The reward is what a move itself scores. The value is the reward plus the worth of \
      the position after the move. The difference is what the move loses against the best move.

      With --json and - in place of the board, boards are read from standard input, one per line. Each board gives one \
      line of JSON with its "line" number. A line that is not a board gives its "error", and the exit code is 1 then.

      Example:
        tupelo analyze models/small 1200000000000000 --plies 3
      """)

  @Argument(
    help: ArgumentHelp(
      "Model file, checkpoint or run folder, if any, and the board or -; several words are joined.",
      valueName: "board"),
    completion: .models)
  var words: [String]

  @OptionGroup var player: AgentOptions

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  private var isBatch: Bool { words.last == "-" }

  func validate() throws {
    guard isBatch else { return }
    if !json { throw CommandEnd.wrong("- reads boards and prints a line of JSON for each: add --json") }
    if words.count > 2 { throw CommandEnd.wrong("\(words[1].quoted) stands between the model and -: leave it out") }
  }

  func run() throws {
    let specification = try player.specification()
    guard specification.valuesMoves else {
      throw CommandEnd.wrong("--agent: \(specification) has no values for moves: name another agent")
    }
    try refuseSolution()
    if isBatch { return try analyzeLines(specification) }
    let (contestant, position) = try subject(specification)
    let agent = try contestant.makeAgent(rules: spawn.rules(shape: contestant.shape))
    if !json, let note = contestant.note { Terminal.line(note) }
    try show(position, by: agent, specification, shape: contestant.shape)
  }

  private func analyzeLines(_ specification: AgentSpecification) throws {
    let contestant = try Contestant(specification, path: words.count > 1 ? words[0] : nil)
    let rules = try spawn.rules(shape: contestant.shape)
    try AnalysisBatch(specification, shape: rules.shape).run(
      board: { try Board(text: $0, shape: rules.shape) }, makeAgent: { try contestant.makeAgent(rules: rules) })
  }

  private func show(
    _ position: Board, by agent: AnyAgent, _ specification: AgentSpecification, shape: BoardShape
  ) throws {
    var agent = agent
    guard let analysis = agent.analyze(position) else {
      preconditionFailure("every agent but the random one values moves")
    }
    Terminal.line(
      json
        ? try Self.json(Self.fields(analysis, of: position, shape: shape, agent: specification), isPretty: true)
        : Self.text(analysis, of: position, shape: shape))
  }

  /// The player and the board: the first word is a model unless all words together are a board.
  private func subject(_ specification: AgentSpecification) throws -> (Contestant<AgentSpecification>, Board) {
    do {
      let position = try Board(text: words.joined(separator: " "), shape: .standard)
      let contestant = try Contestant(specification, path: nil)
      try contestant.require(.standard, of: "the board")
      return (contestant, position)
    } catch let error as BoardTextError where words.count == 1 {
      guard FileManager.default.fileExists(atPath: words[0]) else {
        throw CommandEnd.wrong("\(error); with a model, the board comes second: tupelo analyze MODEL BOARD")
      }
      throw CommandEnd.wrong(
        "the board is missing: " + ShellText.command(["tupelo", "analyze", words[0], "1200000000000000"]))
    } catch let error as BoardTextError {
      // Numbers alone are a wrong board, and not a model with a board.
      let isModel = words[0].contains { !$0.isNumber } || FileManager.default.fileExists(atPath: words[0])
      guard isModel || words.count < 3 else { throw CommandEnd.wrong("\(error)") }
      let contestant = try Contestant(specification, path: words[0])
      do {
        return (contestant, try Board(text: words.dropFirst().joined(separator: " "), shape: contestant.shape))
      } catch {
        throw CommandEnd.wrong("\(error)")
      }
    }
  }

  /// - Throws: `CommandEnd` for a solution of a board, which earlier versions took in place of a model.
  private func refuseSolution() throws {
    guard words.count > 1, FileManager.default.fileExists(atPath: words[0]) else { return }
    let file = try SafetensorsFile(path: ShippedModel.file(at: words[0]))
    guard file.metadata["tupelo.solution"] == nil else {
      throw CommandEnd.failure(SolveCommand.refusal(ofSolution: words[0]) + ": name a model")
    }
  }

  static func text(_ analysis: MoveAnalysis, of board: Board, shape: BoardShape) -> String {
    let reason = board == .empty ? "the board is empty" : "the game is over"
    let end = analysis.candidates.isEmpty ? ["no move is legal: \(reason)"] : []
    return ([board.drawing(in: shape)] + AnalysisTable.lines(analysis) + end).joined(separator: "\n")
  }

  static func json(_ fields: [String: Any], isPretty: Bool) throws -> String {
    let options: JSONSerialization.WritingOptions = isPretty ? [.prettyPrinted, .sortedKeys] : [.sortedKeys]
    return String(decoding: try JSONSerialization.data(withJSONObject: fields, options: options), as: UTF8.self)
  }

  /// The content of the printed JSON.
  static func fields(
    _ analysis: MoveAnalysis, of board: Board, shape: BoardShape, agent: AgentSpecification
  ) -> [String: Any] {
    let moves = Move.allCases.map { move -> [String: Any] in
      guard let candidate = analysis[move] else { return ["move": "\(move)", "legal": false] }
      return [
        "move": "\(move)", "legal": true, "reward": candidate.reward, "value": candidate.value,
        "difference": candidate.difference,
      ]
    }
    return [
      "board": board.hex(in: shape), "agent": "\(agent)", "plies": analysis.plies, "nodes": analysis.nodes,
      "moves": moves,
      "best": analysis.best.map { "\($0.move)" } ?? NSNull(),
    ]
  }
}
