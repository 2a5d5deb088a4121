internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloTraining

struct ReviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Finds the moves of a game that cost most.",
    usage: "tupelo review [<model>] <record> [<options>]",
    discussion: """
      Reads a game record, which play, advise and autoplay save with --record, and compares the value of each move \
      with the value of the best move. A model that judges stands before the record. Without one, the shipped model \
      judges, or the hand-written heuristic when no model is shipped.

      Example:
        tupelo autoplay --agent random --speed 0 --record game.txt
        tupelo review models/small game.txt
      """)

  @Argument(
    help: ArgumentHelp("Model file, checkpoint or run folder, if any, and the game record.", valueName: "record"),
    completion: .modelsAndFiles)
  var words: [String]

  private var model: String? { words.count > 1 ? words[0] : nil }
  private var record: String { words[words.count - 1] }

  @OptionGroup var judge: AgentOptions

  @Option(name: .long, help: "Moves to list.")
  var top = 10

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard top >= 0 else { throw CommandEnd.wrong("--top is \(top): give 0 or more") }
  }

  func run() throws {
    // The words are checked here and not in `validate`: the parser validates before it reports an unknown option, whose
    // value would be taken for a word.
    guard words.count < 3 else { throw CommandEnd.wrong("\(words[2].quoted) is one word too many: give MODEL RECORD") }
    if words.count == 2, isFolder(words[1]) || words[1].hasSuffix(".safetensors") {
      throw CommandEnd.wrong("the model comes first: " + ShellText.command(["tupelo", "review", words[1], words[0]]))
    }
    let interrupt = Interrupt()
    let specification = try judge.specification(plies: 2)
    guard specification.valuesMoves else {
      throw CommandEnd.wrong("--agent: \(specification) has no values for moves: name another agent")
    }
    let game = try RecordFile.read(from: record)
    let contestant = try Contestant(specification, path: model)
    let shape = game.header.rules.shape
    try contestant.require(shape, of: record)
    let positions = try RecordFile.naming(record) { try game.replay() }
    var agent = try contestant.makeAgent(rules: game.header.rules)
    let progress = Progress.Counted("reviewing", of: game.steps.count, unit: "moves")
    var review = GameReview(judge: "\(specification)", moves: game.steps.count)
    agent.stop(on: interrupt.cancellation)
    for (index, step) in game.steps.enumerated() {
      guard !interrupt.isRequested else { break }
      progress.show(index)
      guard let analysis = agent.analyze(positions[index].board) else {
        preconditionFailure("every agent but the random one values moves")
      }
      // The values of a search that was stopped have no meaning.
      guard !interrupt.isRequested else { break }
      review.add(step.move, on: positions[index].board, number: index + 1, analysis: analysis)
    }
    progress.finish()
    if !json, let note = contestant.note { Terminal.line(note) }
    Terminal.line(json ? try review.json(top: top, shape: shape) : review.text(top: top, shape: shape))
    if !review.isWhole {
      throw CommandEnd.stopped(
        "stopped after \(Format.grouped(review.losses.count)) of \(Format.counted(game.steps.count, "move"))")
    }
  }
}

/// The cost of the moves of a game, in score points.
struct GameReview {
  struct Loss {
    /// The number of the move, from 1.
    let number: Int
    let board: Board
    let played: Move
    let best: Move
    /// The value of the best move minus that of the played one, in score points; not negative.
    let points: Double
  }

  let judge: String
  /// The moves of the game. If there are fewer losses, they belong to its first moves.
  let moves: Int
  private(set) var losses: [Loss] = []

  init(judge: String, moves: Int) { (self.judge, self.moves) = (judge, moves) }

  var isWhole: Bool { losses.count == moves }

  mutating func add(_ move: Move, on board: Board, number: Int, analysis: MoveAnalysis) {
    guard let best = analysis.best, let played = analysis[move] else { return }
    losses.append(
      Loss(number: number, board: board, played: move, best: best.move, points: best.value - played.value))
  }

  var total: Double { losses.reduce(0) { $0 + $1.points } }
  var agreed: Int { losses.count { $0.points == 0 } }

  /// The moves with a cost, the largest cost first; of equals the earlier move.
  func worst(_ count: Int) -> [Loss] {
    let sorted = losses.filter { $0.points > 0 }.sorted { ($1.points, $0.number) < ($0.points, $1.number) }
    return Array(sorted.prefix(count))
  }

  func text(top: Int, shape: BoardShape) -> String {
    let points = Format.grouped(total)
    let share = losses.isEmpty ? 1 : Double(agreed) / Double(losses.count)
    let head = [
      "judge      \(judge)",
      "moves      \(Format.grouped(losses.count)), \(Format.grouped(agreed)) of them the best "
        + "(\(Format.percent(share)))",
      "lost       \(points == "1" ? "1 point" : points + " points") in all"
        + (losses.isEmpty ? "" : String(format: ", %.1f a move", total / Double(losses.count))),
    ]
    let rows = worst(top).map { loss in
      String(format: "%7d  %10.1f  ", loss.number, loss.points)
        + "\(loss.played)".padding(toLength: 6, withPad: " ", startingAt: 0) + "  "
        + "\(loss.best)".padding(toLength: 6, withPad: " ", startingAt: 0) + "  " + loss.board.hex(in: shape)
    }
    return (head + (rows.isEmpty ? [] : ["   move        loss  played  best    board"] + rows)).joined(separator: "\n")
  }

  func json(top: Int, shape: BoardShape) throws -> String {
    let worst = worst(top).map { loss -> [String: Any] in
      [
        "move_number": loss.number, "loss": loss.points, "played": "\(loss.played)", "best": "\(loss.best)",
        "board": loss.board.hex(in: shape),
      ]
    }
    var object: [String: Any] = [
      "judge": judge, "moves": losses.count, "best_moves": agreed, "total_loss": total, "worst": worst,
    ]
    if !isWhole { object["moves_asked"] = moves }
    return try JSONText.pretty(object)
  }
}
