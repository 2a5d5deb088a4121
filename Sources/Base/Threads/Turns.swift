/// Interleaved games: while one game waits for memory, the thread makes moves of other games.
///
/// The caller keeps the games by seat; this type only decides which game moves next.
public enum Turns {
  /// Plays until every game that was begun is over.
  ///
  /// - Parameters:
  ///   - seats: the number of interleaved games, at least 1
  ///   - begin: begins a new game in a seat; false when there are no more games. After that it may be asked again
  ///     whenever another game ends
  ///   - move: makes a move of the game in a seat; false when the game is over
  @inlinable @inline(__always)
  public static func play(seats: Int, begin: (Int) -> Bool, move: (Int) -> Bool) {
    // Seats with a game come first, then the others.
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
