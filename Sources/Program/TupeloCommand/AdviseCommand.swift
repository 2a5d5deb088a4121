internal import ArgumentParser
internal import TupeloEngine
internal import TupeloSearch

struct AdviseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Advises you in a game that you play elsewhere.",
    usage: "tupelo advise [<model>] [<options>]",
    discussion: """
      Shows the board, the best move and the values of all four moves. Play the best move in your game, then type the \
      tile that appeared there:
        b3   a 2 in column b, row 3, counted from the top left
        b34  a 4 in this cell; also b3 4
        b38  an 8, and b316 a 16, in games where such tiles appear
      If you played another move, type it first: w a s d, h j k l, or up left down right. Its tile comes on the same \
      line or on the next one: w b3

      A new game begins with its first tiles: a1 c3. u takes the last line back, board 1200000000000000 sets the \
      board, n begins a new game, ? shows help, q quits. Lines may also come from a pipe. tupelo review reads the \
      record that --record saves.

      All numbers are score points. The reward is what a move itself scores. The value is the reward plus the worth of \
      the position after the move. The difference is what the move loses against the best move. When no agent is \
      named, a model searches for \(AgentOptions.instantMilliseconds) ms per move, and the heuristic searches 2 plies. \
      With --plies the advice is the same every time.

      Example:
        printf 'a1 c3\\nb2\\n' | tupelo advise models/small
      """)

  @Argument(
    help: "Model file, checkpoint or run folder (default: the shipped model, or the heuristic when none is shipped).",
    completion: .models)
  var model: String?

  @Option(name: .long, help: ArgumentHelp("The board to begin with, in the form that analyze takes.", valueName: "hex"))
  var board: String?

  @Option(
    name: .long, help: ArgumentHelp("Save each game's record: FILE, FILE-2, ...", valueName: "file"),
    completion: .file())
  var record: String?

  @OptionGroup var player: AgentOptions

  @OptionGroup var spawn: SpawnOptions

  func run() throws {
    let interrupt = Interrupt()
    if let record { try RecordFile.prepare(record) }
    if let named = player.agent, try !player.specification().valuesMoves {
      throw CommandEnd.wrong("--agent: \(named) has no values for moves: name another agent")
    }
    let contestant = try player.instantContestant(path: model, heuristicPlies: 2)
    let rules = try spawn.rules(shape: contestant.shape)
    let start = try board.map { text in
      do {
        return try Board(text: text, shape: rules.shape)
      } catch {
        throw CommandEnd.wrong("--board: \(error)")
      }
    }
    var adviser = Adviser(
      session: AdviceSession(rules: rules, board: start, isRecorded: record != nil),
      agent: try contestant.makeAgent(rules: rules), record: record, interrupt)
    let source = contestant.evaluatorName.map { " by \($0)" } ?? ""
    Terminal.line("\(contestant.specification)\(source); ? helps, q quits")
    adviser.show()
    var lines = LineReader()
    while true {
      if StandardInput.isTerminal { Terminal.write("> ") }
      guard let line = lines.next(shouldStop: { interrupt.isRequested }) else {
        if StandardInput.isTerminal { Terminal.line() }
        break
      }
      guard try adviser.take(line), !interrupt.isRequested else { break }
    }
    try adviser.save()
    if interrupt.isRequested { throw CommandEnd.stopped("stopped") }
  }
}

/// Reads lines and prints boards and advice.
struct Adviser {
  private var session: AdviceSession
  private var agent: AnyAgent
  /// The analysis of the session's board; `nil` while tiles are missing.
  private var analysis: MoveAnalysis?
  private let view: BoardView
  private let record: String?
  private let interrupt: Interrupt

  /// - Parameter record: where records are saved, each game in a file of its own
  init(session: AdviceSession, agent: AnyAgent, record: String?, _ interrupt: Interrupt) {
    self.session = session
    self.agent = agent
    self.record = record
    self.interrupt = interrupt
    self.agent.stop(on: interrupt.cancellation)
    view = BoardView(shape: session.rules.shape, usesColour: Terminal.usesColour)
    think()
  }

  private mutating func think() {
    analysis = session.position.missing == 0 ? agent.analyze(session.position.board) : nil
  }

  /// Saves the record of the present game, if it has moves.
  ///
  /// - Throws: `SystemError`.
  mutating func save() throws {
    guard let record, let game = session.record else { return }
    let path = session.recordPath ?? RecordFile.freePath(record)
    try RecordFile.write(game, to: path)
    session.recordPath = path
    Terminal.line("saved \(path)")
  }

  /// Executes a line, or prints why it is refused. Returns false when the line asks to quit.
  ///
  /// - Throws: `SystemError` when the record of a game that ends cannot be saved.
  mutating func take(_ line: String) throws -> Bool {
    do {
      switch try AdviceRequest.parse(line, shape: session.rules.shape) {
      case nil: return true
      case .quit: return false
      case .help:
        Terminal.line(Self.help)
        return true
      case .undo: try session.undo()
      case .newGame:
        try save()
        session.restart()
      case .board(let text):
        try save()
        try session.set(text)
      case .happened(let move, let tiles):
        try session.happen(move: move, tiles: tiles, best: analysis?.best?.move)
      }
    } catch let error as AdviceError {
      Terminal.line("\(error)")
      return true
    }
    think()
    show()
    return true
  }

  private static let help = """
    b3       a 2 appeared in column b, row 3, after the best move
    b34      a 4 appeared there (also b3 4), and b38 an 8, b316 a 16
    w        another move was played: w a s d, h j k l, or a word such as up
    w b3     the move and its tile on one line
    u        takes the last line back
    board .. sets the board: 16 digits, row by row (0 empty, 1 = 2, 2 = 4, ...,
             b = 2048), or the 16 tiles as numbers
    n        a new game: type its first tiles, such as a1 c3
    q        quits
    """

  func show() {
    // The values of a search that was stopped have no meaning.
    guard !interrupt.isRequested else { return }
    let position = session.position
    let shape = session.rules.shape
    var lines = labelled(position.board)
    let next: String
    if let best = analysis?.best?.move, let outcome = session.afterstate(of: best) {
      let after = labelled(Board(bits: outcome.afterstate.bits, overflow: outcome.afterstate.overflow))
      // A narrow terminal has no room for two boards.
      if 2 * width + 6 < Terminal.columns {
        lines = zip(lines, after).map { $0 + "      " + $1 }
        lines.append(Format.padded("  now", to: width + 6) + "  after \(best)")
      }
      next = "best: \(best), then type the tile that appears"
    } else if let move = position.move {
      next = "\(move) is played: type the tile that appeared"
    } else if position.missing > 0 {
      next = position.missing == 1 ? "type the next tile of the start" : "type the tiles of the start, such as a1 c3"
    } else {
      next = "no move is legal: the game is over"
    }
    if let analysis { lines += AnalysisTable.lines(analysis) }
    lines.append(
      "board \(position.board.hex(in: shape))   score \(Format.grouped(position.score))   moves \(position.moves)")
    Terminal.coloured((lines + [next]).joined(separator: "\n"))
  }

  /// The width of a labelled board, in columns.
  private var width: Int { 2 + 7 * session.rules.shape.columns + 1 }

  /// The board with numbered rows and lettered columns. All lines have the same width.
  private func labelled(_ board: Board) -> [String] {
    let shape = session.rules.shape
    let letters = "abcd".prefix(shape.columns).map { "      \($0)" }.joined()
    return [Format.padded("  " + letters, to: width)]
      + view.lines(of: board).enumerated().map { index, line in
        ((1...shape.rows).contains(index) ? "\(index) " : "  ") + line
      }
  }
}
