public import SetEngine
internal import TupeloEngine

/// Play whose allocations tests count. It stands in this target because tests are compiled without optimisation, and
/// Swift then allocates where it otherwise would not.
public enum CountedPlay {
  /// Plays 100 random games, and returns the number of moves.
  public static func games() -> Int {
    var (random, moves) = (RandomStream(seed: 2), 0)
    for number in 0..<100 as Range<UInt64> {
      var game = Game(seed: 1, number: number)
      while case let legal = game.legalMoves, !legal.isEmpty {
        game.play(legal.move(ofRank: random.next(below: legal.count)))
      }
      moves += game.plies
    }
    return moves
  }

  /// Plays 100 games by playouts from the start, and returns the number of moves.
  public static func playouts() -> Int {
    let playout = RandomPlayout()
    var (random, moves) = (RandomStream(seed: 1), 0)
    for _ in 0..<100 { moves += playout.play(Rules.standard.startBoard(using: &random), using: &random).moves }
    return moves
  }

  /// Searches tables for the most Sets without a common card and for the best Set, and returns the number of Sets.
  public static func exactSearch(_ tables: [CardSet]) -> Int {
    var count = 0
    for table in tables { count += table.mostSets + (table.bestSet == nil ? 0 : 1) }
    return count
  }

  /// Plays games of Set by the first Set on the table, and returns the number of moves.
  public static func games(_ games: [SetGame]) -> Int {
    var moves = 0
    for game in games {
      var game = game
      while !game.isOver {
        if let trio = game.tableCards.hint { game.take(trio) } else { game.dealMore() }
        moves += 1
      }
    }
    return moves
  }
}
