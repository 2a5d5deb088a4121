internal import ArgumentParser
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloTraining

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Lets you play 2048 or Set in the terminal, with hints.",
    usage: "tupelo play [<model>] [<options>]",
    discussion: """
      Keys of 2048: arrows, w a s d or h j k l move; ? shows a hint; u undoes a move; r plays it again; n begins a new \
      game; q quits. In Set (--game set), the three letters that stand beside three cards take them, and + deals three \
      more cards. Keys may also come from a pipe.

      Example:
        tupelo play models/small
      """)

  @Argument(
    help: "Model for hints: file, checkpoint or run folder (default: the shipped model, or the heuristic).",
    completion: .models)
  var model: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Plies that a hint searches in 2048, 1 to 8 (default: a model searches for "
        + "\(AgentOptions.instantMilliseconds) ms, the heuristic 2 plies)."))
  var plies: Int?

  @OptionGroup var choice: GameOption

  @Option(name: .customLong("seed"), help: "Random seed (default: another game each time).")
  var givenSeed: Seed?

  var seed: UInt64? { givenSeed?.value }

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Save each game's record: FILE, FILE-2, "
        + "...", valueName: "file"), completion: .file())
  var record: String?

  @OptionGroup var spawn: SpawnOptions

  func validate() throws {
    if let plies { try AgentOptions.check(plies: plies) }
  }

  func run() throws {
    let interrupt = Interrupt()
    if let record { try RecordFile.prepare(record) }
    // No agent is named, so without a model and a choice the game is 2048.
    let game = try Entrants(game: choice.game, agents: [], paths: model.map { [$0] } ?? [], spawn: spawn).game
    try game.play(self, interrupt)
  }

  func playBoards(_ interrupt: Interrupt) throws {
    let coach = try Coach(path: model, plies: plies)
    let rules = try spawn.rules(shape: coach.shape)
    var session = PlaySession<Game>(rules: rules, seed: seed ?? UInt64.random(in: 0...UInt64.max))
    var agent = try coach.makeAgent(rules: rules)
    agent.stop(on: interrupt.cancellation)
    var screen = Screen()
    let view = BoardView(shape: rules.shape, usesColour: Terminal.usesColour)
    let keyboard = Keyboard()
    defer { keyboard.restore() }
    var note = Self.keys
    while true {
      let score = "score \(Format.grouped(session.game.score))   moves \(Format.grouped(session.game.plies))"
      let footer = session.game.isOver ? "game over: u undo, n new game, q quit" : note
      screen.show(view.lines(of: session.game.board) + [score, footer])
      guard let key = Self.nextKey(keyboard, interrupt), key != .character("q") else { break }
      if let move = key.move {
        note = session.play({ $0.play(move) }) ? "" : "\(move) changes nothing"
        continue
      }
      switch key {
      case .character("u"): note = session.undo() ? "undone" : "nothing to undo"
      case .character("r"): note = session.redo() ? "redone" : "nothing to redo"
      case .character("n"):
        let saved = try save(&session)
        session.restart()
        note = (saved.map { "saved \($0); " } ?? "") + "new game, u goes back"
      case .character("?"):
        let analysis = agent.analyze(session.game.board)
        note = interrupt.isRequested ? "" : coach.hint(analysis)
      case .character(let other): note = "unknown key '\(other)': \(Self.keys)"
      case .arrow, .resumed: break
      }
    }
    Terminal.line("score \(Format.grouped(session.game.score)), largest tile \(session.game.board.largestTile)")
    if let saved = try save(&session) { Terminal.line("saved \(saved)") }
    if interrupt.isRequested { throw CommandEnd.stopped("stopped") }
  }

  /// Saves the record of a game that has moves, each game in a file of its own.
  ///
  /// - Returns: where it is; `nil` when there is nothing to save.
  private func save(_ session: inout PlaySession<Game>) throws -> String? {
    guard let record, session.turnCount > 0 else { return nil }
    let path = session.recordPath ?? RecordFile.freePath(record)
    try RecordFile.write(session.record, to: path)
    session.recordPath = path
    return path
  }

  private static let keys = "arrows or wasd move, ? hint, u undo, r redo, n new, q quit"

  /// The next key that is not white space.
  private static func nextKey(_ keyboard: Keyboard, _ interrupt: Interrupt) -> Keystroke? {
    while let key = keyboard.next(shouldStop: { interrupt.isRequested }) {
      if case .character(let character) = key, character.isWhitespace { continue }
      return key
    }
    return nil
  }
}

/// Gives hints: expectimax over the model, or over the hand-written heuristic if there is none.
struct Coach {
  private let contestant: Contestant
  private let name: String

  /// - Parameter plies: the plies to search; `nil` for as many as a model can in a time that feels instant
  init(path: String?, plies: Int?) throws {
    var options = AgentOptions()
    (options.agent, options.plies) = (nil, plies)
    contestant = try options.instantContestant(path: path, heuristicPlies: 2)
    name = contestant.path.map(ModelName.short) ?? "heuristic"
  }

  var shape: BoardShape { contestant.shape }

  func makeAgent(rules: Rules) throws -> AnyAgent { try contestant.makeAgent(rules: rules) }

  /// A hint in one line of at most 80 columns: the best move, how much worse the others are, and who gives the hint.
  func hint(_ analysis: MoveAnalysis?) -> String {
    guard let analysis, let best = analysis.best else { return "no move is legal" }
    let others = analysis.candidates.filter { $0.move != best.move }
      .map { "\($0.move) \(Format.grouped($0.difference))" }
    let text = "hint: \(best.move)" + (others.isEmpty ? "" : " (" + others.joined(separator: ", ") + ")")
    let (before, after) = (", by ", " at \(analysis.plies)-ply")
    let room = max(79 - text.count - before.count - after.count, 8)
    return text + before + (name.count > room ? name.prefix(room - 2) + ".." : name[...]) + after
  }
}
