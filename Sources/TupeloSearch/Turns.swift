/// Several games played in turn, a move of each, so that one goes on while the memory of another is on its way.
///
/// Whoever plays keeps the games by seat; this says only whose turn it is.
public enum Turns {
  /// Plays until every game that was begun is over.
  ///
  /// - Parameters:
  ///   - seats: games at once, at least 1
  ///   - begin: begins a new game in a seat; false when there are no more games. Once it has said so, it is asked again
  ///     whenever another game ends
  ///   - move: makes a move of the game in a seat; false when the game is over
  @inlinable @inline(__always)
  public static func play(seats: Int, begin: (Int) -> Bool, move: (Int) -> Bool) {
    // Those that play, then the others.
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
