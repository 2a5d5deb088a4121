internal import TupeloEngine
internal import TupeloSearch

/// A person plays 2048 in the terminal, with hints.
struct BoardPerson: PersonPlay {
  static let keys = "arrows or wasd move, ? hint, u undo, r redo, n new, q quit"

  private let view: BoardView
  private var agent: AnyAgent
  private let coach: String
  private let interrupt: Interrupt

  /// - Parameters:
  ///   - agent: who gives hints
  ///   - coach: its name
  init(_ agent: AnyAgent, coach: String, shape: BoardShape, _ interrupt: Interrupt) {
    view = BoardView(shape: shape, usesColour: Terminal.usesColour)
    (self.agent, self.coach, self.interrupt) = (agent, coach, interrupt)
    self.agent.stop(on: interrupt.cancellation)
  }

  func lines(of session: PlaySession<Game>) -> [String] {
    let game = session.game
    return view.lines(of: game.board) + ["score \(Format.grouped(game.score))   moves \(Format.grouped(game.plies))"]
  }

  func end(of game: Game) -> String? { game.isOver ? "game over" : nil }

  func result(of game: Game) -> String {
    "score \(Format.grouped(game.score)), largest tile \(game.board.largestTile)"
  }

  mutating func press(_ key: Keystroke, _ session: inout PlaySession<Game>) -> String? {
    if let move = key.move { return session.play { $0.play(move) } ? "" : "\(move) changes nothing" }
    guard key == .character("?") else { return nil }
    let analysis = agent.analyze(session.game.board)
    return interrupt.isRequested ? "" : Self.hint(analysis, by: coach)
  }

  /// A hint in one line of at most 80 columns: the best move, how much worse the others are, and who gives the hint.
  static func hint(_ analysis: MoveAnalysis?, by name: String) -> String {
    guard let analysis, let best = analysis.best else { return "no move is legal" }
    let others = analysis.candidates.filter { $0.move != best.move }
      .map { "\($0.move) \(Format.grouped($0.difference))" }
    let text = "hint: \(best.move)" + (others.isEmpty ? "" : " (" + others.joined(separator: ", ") + ")")
    let (before, after) = (", by ", " at \(analysis.plies)-ply")
    let room = max(79 - text.count - before.count - after.count, 8)
    return text + before + (name.count > room ? name.prefix(room - 2) + ".." : name[...]) + after
  }
}
