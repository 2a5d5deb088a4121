internal import ArgumentParser
internal import Foundation
internal import PlainText
internal import Safetensors
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloSolver
internal import TupeloTraining

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Values the four moves of a board.",
    discussion: """
      The board is one hex digit per cell, row by row (0 empty, 1 = 2, ..., b = 2048, g = 65536), or the tiles as \
      numbers:
        tupelo analyze MODEL 1200000000000000
        tupelo analyze MODEL "2 4 0 0  0 0 0 0  0 0 0 0  0 0 0 0"
        tupelo analyze 1200000000000000 --agent "montecarlo(rollouts: 1000)"
      In score points: reward is what the move itself scores, value the reward plus what the position after the move \
      is worth, difference what the move loses against the best one.
      Without a model the shipped one is asked, or the hand-written heuristic where there is none.
      A file written by "tupelo solve --output" is taken, too: the values are exact then, under the rules it was \
      solved for.
      """)

  @Argument(
    help: "Model file, checkpoint or run folder, if any, and the board; several words are joined.",
    completion: .file(extensions: ["safetensors"]))
  var words: [String]

  @OptionGroup var player: AgentOptions

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func run() throws {
    let specification = try player.specification()
    guard specification.valuesMoves else {
      throw ValidationError("--agent: \(specification) has no values for moves: name another agent")
    }
    if let solution = try exactSolution() {
      let agent = specification.makeAgent(model: solution, rules: solution.rules)
      return try show(try position(in: solution), by: agent, specification, shape: solution.rules.shape)
    }
    let (contestant, position) = try subject(specification)
    let agent = contestant.makeAgent(rules: try spawn.rules(shape: contestant.shape))
    if !json, let note = contestant.note { Terminal.line(note) }
    try show(position, by: agent, specification, shape: contestant.shape)
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
        ? try Self.json(analysis, of: position, shape: shape, agent: specification)
        : Self.text(analysis, of: position, shape: shape))
  }

  /// The player and the board: the first word is a model unless all words together are a board.
  private func subject(_ specification: AgentSpecification) throws -> (Contestant, Board) {
    do {
      let position = try Board(text: words.joined(separator: " "), shape: .standard)
      return (try Contestant(specification, path: nil), position)
    } catch let error as BoardTextError where words.count == 1 {
      guard FileManager.default.fileExists(atPath: words[0]) else {
        throw ValidationError("\(error); with a model, the board comes second: tupelo analyze MODEL BOARD")
      }
      throw ValidationError(
        "the board is missing: " + ShellText.command(["tupelo", "analyze", words[0], "1200000000000000"]))
    } catch is BoardTextError {
      let contestant = try Contestant(specification, path: words[0])
      let position = try Board(text: words.dropFirst().joined(separator: " "), shape: contestant.shape)
      return (contestant, position)
    }
  }

  /// The exact solution of `tupelo solve --output`, if it is named in place of a model.
  private func exactSolution() throws -> ExactSolution? {
    guard words.count > 1, FileManager.default.fileExists(atPath: words[0]) else { return nil }
    let file = try SafetensorsFile(path: ModelPath.file(at: words[0]))
    return SolutionFile.isSolution(file) ? try ExactSolution(file: file) : nil
  }

  private func position(in solution: ExactSolution) throws -> Board {
    let shape = solution.rules.shape
    let position = try Board(text: words.dropFirst().joined(separator: " "), shape: shape)
    guard solution.value(of: position) != nil else {
      throw SolutionUseError.unreachable(path: words[0], board: position.hex(in: shape))
    }
    return position
  }

  static func text(_ analysis: MoveAnalysis, of board: Board, shape: BoardShape) -> String {
    let reason = board == .empty ? "the board is empty" : "the game is over"
    let end = analysis.candidates.isEmpty ? ["no move is legal: \(reason)"] : []
    return ([board.drawing(in: shape)] + AnalysisTable.lines(analysis) + end).joined(separator: "\n")
  }

  static func json(
    _ analysis: MoveAnalysis, of board: Board, shape: BoardShape, agent: AgentSpecification
  ) throws -> String {
    let moves = Move.allCases.map { move -> [String: Any] in
      guard let candidate = analysis[move] else { return ["move": "\(move)", "legal": false] }
      return [
        "move": "\(move)", "legal": true, "reward": candidate.reward, "value": candidate.value,
        "difference": candidate.difference,
      ]
    }
    let object: [String: Any] = [
      "board": board.hex(in: shape), "agent": "\(agent)", "plies": analysis.plies, "nodes": analysis.nodes,
      "moves": moves,
      "best": analysis.best.map { "\($0.move)" } ?? NSNull(),
    ]
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }
}
