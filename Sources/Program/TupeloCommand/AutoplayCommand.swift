internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

struct AutoplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "autoplay",
    abstract: "Shows a model, or another agent, playing one game.",
    usage: "tupelo autoplay [<model>] [<options>]",
    discussion: """
      On a terminal the board is redrawn in place. Keys: space pauses and continues; . or the right arrow plays a \
      single move; + and - change the speed; q quits. In a pipe there is one line per move, in 2048 and in Set:
        ply=1 move=left reward=4 score=4 board=2000000000000001
        take=1rsd,2rsd,3rsd score=1 deck=66 table=...

      When no agent is named, a model of 2048 searches for \(AgentOptions.instantMilliseconds) ms per move, and the \
      heuristic plays greedily. A search with a time limit plays a different game each time. With --plies 1 the game \
      is faster, and it is the same game every time.

      Example:
        tupelo autoplay models/small --plies 1
      """)

  @Argument(
    help: "Model file, checkpoint or run folder (default: the shipped model, or the heuristic when none is shipped).",
    completion: .models)
  var model: String?

  @Option(name: .long, help: "Moves per second; 0 means full speed.")
  var speed: Double?

  @Option(name: .long, help: ArgumentHelp("Stop when this tile is reached.", valueName: "tile"))
  var until: Int?

  @OptionGroup var player: AgentOptions

  @OptionGroup var choice: GameOption

  @Option(name: .customLong("seed"), help: "Random seed of the game.")
  var givenSeed = Seed(1)

  var seed: UInt64 { givenSeed.value }

  @Option(name: .long, help: ArgumentHelp("Save the game's record.", valueName: "file"), completion: .file())
  var record: String?

  @OptionGroup var force: ForceOption

  @OptionGroup var spawn: SpawnOptions

  func validate() throws {
    if let speed, !(speed >= 0 && speed <= 1e6) {
      throw CommandEnd.wrong("--speed is \(speed): give moves per second from 0 (no limit) to 1000000")
    }
    if let until, until < 4 || until > 131_072 || until & (until - 1) != 0 {
      throw CommandEnd.wrong("--until is \(until): give a tile, a power of two from 4 to 131072")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    let output = try record.map { try OutputFile($0, for: .record, force: force.force) }
    if output != nil { RecordFile.outlivesOutput() }
    let entrants = try Entrants(
      game: choice.game, agents: [player.named], paths: model.map { [$0] } ?? [], spawn: spawn)
    try entrants.game.autoplay(self, interrupt, output)
  }

  func playBoards(_ interrupt: Interrupt, _ output: OutputFile?) throws {
    let contestant = try player.instantContestant(path: model, heuristicPlies: 1)
    let shape = contestant.shape
    let rules = try spawn.rules(shape: shape)
    var agent = try contestant.makeAgent(rules: rules)
    agent.beginGame(seed: seed, number: 0)
    agent.stop(on: interrupt.cancellation)
    var game = Game(rules: rules, seed: seed)
    var history = GameRecord(
      GameRecord.Header(
        rules: rules, start: game.board, agent: "\(contestant.specification)",
        model: output == nil ? nil : contestant.model?.identity, seed: seed, gameNumber: 0))
    var screen = Screen()
    let isLive = screen.isLive
    let view = BoardView(shape: shape, usesColour: Terminal.usesColour)
    let keyboard = isLive && StandardInput.isTerminal ? Keyboard() : nil
    defer { keyboard?.restore() }
    let pace = Pace(Playback(movesPerSecond: speed ?? (isLive ? 10 : 0)), keyboard: keyboard)
    func show() {
      screen.show(Self.lines(game, view: view) + (keyboard == nil ? [] : [pace.playback.text]))
    }
    if isLive { show() }
    while !hasReached(game.board), !game.isOver,
      pace.awaitTurn(shouldStop: { interrupt.isRequested }, changed: show), let move = agent.move(on: game.board),
      !interrupt.isRequested, let turn = game.play(move)
    {
      history.append(turn)
      if !isLive {
        Terminal.line(
          "ply=\(game.plies) move=\(move) reward=\(turn.reward) score=\(game.score) board=\(game.board.hex(in: shape))")
      } else if pace.playback.isPaused || pace.isFrameDue() {
        show()
      }
    }
    if isLive { screen.show(Self.lines(game, view: view)) }
    let end = game.isOver ? "game over" : hasReached(game.board) ? "reached \(until ?? 0)" : "stopped"
    Terminal.line(
      "\(end): score \(Format.grouped(game.score)), largest tile \(game.board.largestTile), "
        + Format.counted(game.plies, "move"))
    if let output { try RecordFile.write(history, to: output.path) }
    if !game.isOver, !hasReached(game.board), interrupt.isRequested { throw Self.stopped }
  }

  static var stopped: CommandEnd { .stopped("stopped before the end of the game") }

  private func hasReached(_ board: Board) -> Bool {
    until.map { board.largestTile >= $0 } ?? false
  }

  private static func lines(_ game: Game, view: BoardView) -> [String] {
    view.lines(of: game.board) + ["score \(Format.grouped(game.score))   moves \(Format.grouped(game.plies))"]
  }
}
