internal import Foundation
internal import TupeloEngine
internal import TupeloSearch

/// Values the moves of many boards, for scripts: a board per line of standard input, a JSON object per line of output.
struct AnalysisBatch {
  private let specification: AgentSpecification
  private let shape: BoardShape

  init(_ specification: AgentSpecification, shape: BoardShape) {
    (self.specification, self.shape) = (specification, shape)
  }

  /// Reads to the end of the input. Empty lines are skipped, and a line that is not a board is answered with its error.
  ///
  /// - Parameters:
  ///   - board: reads a board
  ///   - makeAgent: makes an agent for a board, so that no board's values depend on those before it
  /// - Throws: `CommandEnd` at the end, when a line was not a board.
  func run(board: (String) throws -> Board, makeAgent: () throws -> AnyAgent) throws {
    var reader = LineReader()
    var (number, count, wrong) = (0, 0, 0)
    while let line = reader.next(shouldStop: { false }) {
      number += 1
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { continue }
      count += 1
      let agent = try makeAgent()
      var fields: [String: Any]
      do {
        fields = analysis(of: try board(text), by: agent)
      } catch {
        fields = ["error": "\(error)"]
        wrong += 1
      }
      fields["line"] = number
      Terminal.line(try AnalyzeCommand.json(fields, isPretty: false))
    }
    guard wrong == 0 else {
      throw CommandEnd.failure("lines that are not boards: \(wrong) of \(count); the output has their \"error\"")
    }
  }

  private func analysis(of board: Board, by agent: AnyAgent) -> [String: Any] {
    var agent = agent
    guard let analysis = agent.analyze(board) else {
      preconditionFailure("every agent but the random one values moves")
    }
    return AnalyzeCommand.fields(analysis, of: board, shape: shape, agent: specification)
  }
}
