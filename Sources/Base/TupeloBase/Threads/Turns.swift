/// Interleaved games: while one game waits for memory, the thread makes moves of other games.
///
/// The caller stores the games in numbered slots, called seats here. This type only decides which game moves next.
public enum Turns {
  /// The number of games in a group of interleaved games that learn from each other. One thread plays them in groups,
  /// up to each multiple of this number, so that neither time nor reports change what is learned.
  package static let groupGames = 20

  /// Plays until all started games are over.
  ///
  /// - Parameters:
  ///   - seats: the number of interleaved games, at least 1
  ///   - begin: begins a new game in a seat; false when there are no more games. It may be called again after that,
  ///     whenever another game ends
  ///   - move: makes a move of the game in a seat; false when the game is over
  @inlinable @inline(__always)
  public static func play(seats: Int, begin: (Int) -> Bool, move: (Int) -> Bool) {
    // Seats with a game come first, then seats without a game.
    var order = Array(0..<seats)
    var playing = 0
    while playing < seats, begin(playing) { playing += 1 }
    while playing > 0 {
      var turn = 0
      while turn < playing {
        if move(order[turn]) || begin(order[turn]) {
          turn += 1
        } else {
          playing -= 1
          order.swapAt(turn, playing)
        }
      }
    }
  }
}
