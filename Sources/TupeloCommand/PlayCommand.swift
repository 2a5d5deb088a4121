internal import ArgumentParser
internal import Foundation
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "You play, with hints from a model if you name one.",
    discussion: """
      Keys: arrows, w a s d or h j k l move; ? hint; u undo; n new game; q quit.
      Keys may also come from a pipe: echo 'adwd?' | tupelo play
      """)

  @Argument(help: "Model for hints: file, checkpoint or run folder.", completion: .file(extensions: ["safetensors"]))
  var model: String?

  @Option(name: .long, help: "Plies that a hint searches.")
  var plies = 2

  @Option(name: .long, help: "Random seed (default: another game each time).")
  var seed: UInt64?

  @Option(name: .long, help: ArgumentHelp("Save the game's record.", valueName: "file"), completion: .file())
  var record: String?

  @OptionGroup var spawn: SpawnOptions

  func validate() throws {
    guard (1...6).contains(plies) else { throw ValidationError("--plies is \(plies): give 1 to 6") }
  }

  func run() throws {
    let interrupt = Interrupt()
    let network = try model.map { try NTupleNetwork(path: RunFolder.checkpoint(at: $0)) }
    let rules = try spawn.rules(shape: network?.specification.shape ?? .standard)
    var session = PlaySession(rules: rules, seed: seed ?? UInt64.random(in: 0...UInt64.max))
    var search = network.map { Expectimax($0, plies: plies, rules: rules) }
    var screen = Screen()
    let view = BoardView(shape: rules.shape, usesColour: Terminal.usesColour)
    let keyboard = Keyboard()
    defer { keyboard.restore() }
    var note = "arrows or wasd move, ? hint, u undo, n new game, q quit"
    while true {
      let score = "score \(Format.grouped(session.game.score))   moves \(Format.grouped(session.game.plies))"
      let footer = session.game.isOver ? "game over: u undo, n new game, q quit" : note
      screen.show(view.lines(of: session.game.board) + [score, footer])
      guard let key = keyboard.next(shouldStop: { interrupt.isRequested }), key != .quit else { break }
      switch key {
      case .move(let move): note = session.play(move) ? "" : "\(move) changes nothing"
      case .undo: note = session.undo() ? "undone" : "nothing to undo"
      case .newGame: session.restart(); note = "new game"
      case .hint: note = Self.hint(&search, board: session.game.board)
      case .other(let key): note = "'\(key)' is no key here: arrows or wasd move, ? hint, u undo, n new game, q quit"
      case .quit: break
      }
    }
    Terminal.line("score \(Format.grouped(session.game.score)), largest tile \(session.game.board.largestTile)")
    if let record { try RecordFile.write(session.record, to: record) }
  }

  private static func hint(_ search: inout Expectimax<NTupleNetwork>?, board: Board) -> String {
    guard let analysis = search?.analyze(board) else { return "no model: name one for hints, tupelo play MODEL" }
    guard let best = analysis.best else { return "no move is legal" }
    let others = analysis.candidates.filter { $0.move != best.move }
      .map { "\($0.move) \(Format.grouped($0.difference))" }
    return "hint: \(best.move)" + (others.isEmpty ? "" : " (" + others.joined(separator: ", ") + ")")
  }
}

/// A person's game with its history.
struct PlaySession {
  private(set) var game: Game
  private(set) var record: GameRecord
  private var past: [Game] = []
  private let rules: Rules
  private var seed: UInt64

  init(rules: Rules, seed: UInt64) {
    self.rules = rules
    self.seed = seed
    game = Game(rules: rules, seed: seed)
    record = GameRecord(.init(rules: rules, start: game.board, agent: "person"))
  }

  /// False when the move is illegal.
  mutating func play(_ move: Move) -> Bool {
    let before = game
    guard let turn = game.play(move) else { return false }
    past.append(before)
    record.append(turn)
    return true
  }

  /// False when nothing has been played.
  mutating func undo() -> Bool {
    guard let last = past.popLast() else { return false }
    game = last
    record.removeLast()
    return true
  }

  mutating func restart() {
    self = PlaySession(rules: rules, seed: seed &+ 1)
  }
}
