/// A step of a search: its depth and its cut-off probability.
///
/// A search without a limit on time or nodes has one step, to its full depth. Otherwise the first step is greedy, and
/// each further step goes one ply deeper. A step to P plies, 3 or more, has the cut-off probability 0.1 to the power of
/// (P - 1) / 2, such as 0.01 at 5 plies. So time goes to boards that are likely, and a step takes about five times as
/// long as the one before. Once the depth has reached its limit, only the cut-off falls, down to the cut-off of the
/// limits.
struct SearchStep {
  private(set) var plies: Int
  private var minimumProbability: Double
  /// The cut-off probability of the limits.
  private let least: Double
  private let mostPlies: Int

  /// The first step on a board with a number of empty cells.
  init(_ limits: SearchLimits, emptyCells: Int) {
    (least, mostPlies) = (limits.minimumProbability, limits.plies(emptyCells: emptyCells))
    (plies, minimumProbability) = limits.isFixed ? (mostPlies, least) : (1, 1)
  }

  var root: PathProbability { PathProbability(rootOf: minimumProbability) }

  /// Moves to the next step.
  ///
  /// - Returns: false if there is none.
  mutating func deepen() -> Bool {
    // A search to two plies cuts nothing off.
    if plies == mostPlies, plies <= 2 || minimumProbability <= least { return false }
    plies = min(plies + 1, mostPlies)
    minimumProbability *= 0.1.squareRoot()
    if minimumProbability < max(least, plies == mostPlies ? leastPath : 0) { minimumProbability = least }
    return true
  }

  /// The probability of a 4, one tile in ten, on one of 16 cells at every chance layer that can be cut off. Hardly a
  /// path is less probable, so the step with a smaller cut-off is the last one, and cuts off only what the limits do.
  private var leastPath: Double {
    (2..<mostPlies).reduce(1) { path, _ in path * 0.1 / 16 }
  }
}
