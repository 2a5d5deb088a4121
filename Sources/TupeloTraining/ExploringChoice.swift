/// A choice among moves by the sum of reward and value that is raised by what explores.
struct ExploringChoice {
  private(set) var chosen: Int?
  private var best: Int?
  private var bestSum = -Float.infinity
  private var raisedSum = -Float.infinity

  /// The best sum, where it was not the chosen move's.
  var foregone: Float? { chosen == best ? nil : bestSum }

  @inline(__always)
  mutating func add(_ move: Int, sum: Float, raised: Float) {
    if best == nil || sum > bestSum { (best, bestSum) = (move, sum) }
    if chosen == nil || raised > raisedSum { (chosen, raisedSum) = (move, raised) }
  }

  /// Makes that move the choice, whatever the sums say.
  mutating func prefer(_ move: Int) { chosen = move }
}
