internal import ArgumentParser
internal import Foundation
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch

struct AnalyzeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Values the four moves of a board.",
    discussion: """
      The board is one hex digit per cell, row by row (0 empty, 1 = 2, ..., b = 2048, g = 65536), or the tiles as numbers:
        tupelo analyze MODEL 1200000000000000
        tupelo analyze MODEL "2 4 0 0  0 0 0 0  0 0 0 0  0 0 0 0"
      """)

  @Argument(help: "Model file, checkpoint or run folder.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(help: "The board; several words are joined.")
  var board: [String]

  @Option(name: .long, help: "Plies to search: 1 is greedy.")
  var plies = 1

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !board.isEmpty else { throw ValidationError("the board is missing") }
    guard (1...6).contains(plies) else { throw ValidationError("--plies is \(plies): give 1 to 6") }
  }

  func run() throws {
    let network = try NTupleNetwork(path: RunFolder.checkpoint(at: model))
    let shape = network.specification.shape
    let position = try Board(text: board.joined(separator: " "), shape: shape)
    var search = Expectimax(network, plies: plies, rules: try spawn.rules(shape: shape))
    let analysis = search.analyze(position)
    Terminal.line(
      json ? try Self.json(analysis, of: position, shape: shape) : Self.text(analysis, of: position, shape: shape))
  }

  static func text(_ analysis: MoveAnalysis, of board: Board, shape: BoardShape) -> String {
    let rows = Move.allCases.map { move in
      guard let candidate = analysis[move] else { return Self.row(["\(move)", "-", "-", "illegal"]) }
      return Self.row([
        "\(move)", Format.grouped(candidate.reward), String(format: "%.1f", candidate.value),
        candidate.difference == 0 ? "best" : String(format: "%.1f", candidate.difference),
      ])
    }
    let head = Self.row(["move", "reward", "value", "difference"])
    let end = analysis.candidates.isEmpty ? ["no move is legal: the game is over"] : []
    return ([board.drawing(in: shape), head] + rows + end).joined(separator: "\n")
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, [6, 8, 12, 12]).enumerated().map { index, cell in
      let space = String(repeating: " ", count: max(cell.1 - cell.0.count, 0))
      return index == 0 ? cell.0 + space : space + cell.0
    }
    .joined(separator: " ")
  }

  static func json(_ analysis: MoveAnalysis, of board: Board, shape: BoardShape) throws -> String {
    let moves = Move.allCases.map { move -> [String: Any] in
      guard let candidate = analysis[move] else { return ["move": "\(move)", "legal": false] }
      return [
        "move": "\(move)", "legal": true, "reward": candidate.reward, "value": candidate.value,
        "difference": candidate.difference,
      ]
    }
    let object: [String: Any] = [
      "board": board.hex(in: shape), "plies": analysis.plies, "nodes": analysis.nodes, "moves": moves,
      "best": analysis.best.map { "\($0.move)" } ?? NSNull(),
    ]
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }
}
