internal import Foundation

/// Predicts how long the rest of a run takes. Games grow longer as the agent learns, so the time for a game of the past
/// says too little.
///
/// The number of moves after n games is close to a power law: M(n) = M(g) (n / g)^c after g games. The exponent and the
/// moves per second come from the last third of the games. Quickstart has an exponent of 1.4; 1 means games of constant
/// length.
package struct RunForecast {
  private struct Point {
    var games: Int
    var moves: Int
    var seconds: Double
  }

  /// The present state of the run.
  private var now: Point
  /// Earlier states: the last one before two thirds of the present games, and later ones.
  private var past: [Point]

  private static let exponents = 0.8...2.0

  /// - Parameters:
  ///   - games: the games of the run so far, including games before a resume
  ///   - moves: their moves
  package init(games: Int, moves: Int) {
    now = Point(games: games, moves: moves, seconds: 0)
    past = [now]
  }

  /// Adds the progress since the last call.
  ///
  /// - Complexity: amortised O(1), and memory for about a hundred states.
  package mutating func add(games: Int, moves: Int, seconds: Double) {
    now = Point(games: now.games + games, moves: now.moves + moves, seconds: now.seconds + seconds)
    while past.count > 1, 3 * past[1].games <= 2 * now.games { past.removeFirst() }
    if let last = past.last, now.games - last.games > last.games / 100 { past.append(now) }
  }

  /// Seconds of training from now until the run has this many games; infinite before the first move.
  package func secondsLeft(until target: Int) -> Double {
    guard target > now.games else { return 0 }
    guard let first = past.first, now.moves > first.moves, now.seconds > first.seconds else { return .infinity }
    let speed = Double(now.moves - first.moves) / (now.seconds - first.seconds)
    let growth = pow(Double(target) / Double(now.games), exponent)
    return Double(now.moves) * (growth - 1) / speed
  }

  /// The exponent c; 1 while too little is known.
  private var exponent: Double {
    // Logarithms need a state after the first game.
    guard let first = past.first(where: { $0.moves > 0 }), now.games > first.games else { return 1 }
    let slope = log(Double(now.moves) / Double(first.moves)) / log(Double(now.games) / Double(first.games))
    return min(max(slope, Self.exponents.lowerBound), Self.exponents.upperBound)
  }
}
