import Testing
import TupeloEngine

/// All nine shapes, as rows and columns.
let allShapes = (2...4).flatMap { rows in (2...4).map { (rows, $0) } }

/// Ten sets of rules with every shape, every number of start tiles and every probability of a 4 that the game's
/// descriptions name.
func allRules() throws -> [Rules] {
  try allShapes.enumerated().map { index, shape in
    try Rules(
      shape: BoardShape(rows: shape.0, columns: shape.1), fourProbability: [0.1, 0.5, 0][index % 3],
      startTiles: 2 + index % 2)
  } + [.standard]
}

/// A whole game of random moves, recorded move by move.
struct RandomGame {
  var game: Game
  var turns: [Game.Turn] = []
  /// The boards of the game, one more than there are turns.
  var boards: [Board]
  /// The score at every board.
  var scores = [0]

  init(rules: Rules = .standard, seed: UInt64 = 3, number: UInt64) {
    self.init(Game(rules: rules, seed: seed, number: number), choices: RandomStream(seed: 99, stream: number))
  }

  init(_ start: Game, choices: RandomStream) {
    var choices = choices
    game = start
    boards = [start.board]
    while !game.isOver {
      let legal = game.legalMoves
      guard let turn = game.play(legal.move(ofRank: choices.next(below: legal.count))) else {
        Issue.record("a legal move was refused")
        return
      }
      turns.append(turn)
      boards.append(game.board)
      scores.append(game.score)
    }
  }
}
