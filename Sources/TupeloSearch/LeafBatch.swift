internal import TupeloEngine

/// The leaves of one chance node, so that an evaluator sees them all at once. Reused from node to node: no allocation.
struct LeafBatch {
  /// One chance outcome: its probability and the leaves that the moves on its board lead to.
  private struct Branch {
    var probability: Double
    var firstLeaf: Int
    var endLeaf: Int
  }

  private var branches: [Branch] = []
  private var afterstates: [Afterstate] = []
  private var rewards: [Float] = []
  private var values: [Float]

  /// A chance node has at most 15 empty cells with two tiles each, and a board at most four moves.
  private static var capacity: Int { 15 * 2 * 4 }

  init() {
    values = Array(repeating: 0, count: Self.capacity)
    branches.reserveCapacity(Self.capacity / 4)
    afterstates.reserveCapacity(Self.capacity)
    rewards.reserveCapacity(Self.capacity)
  }

  var count: Int { afterstates.count }

  mutating func removeAll() {
    branches.removeAll(keepingCapacity: true)
    afterstates.removeAll(keepingCapacity: true)
    rewards.removeAll(keepingCapacity: true)
  }

  /// Adds the legal moves of a board that comes up with `probability`.
  mutating func append(_ successors: Successors, probability: Double) {
    let first = afterstates.count
    var mask = successors.legal.mask
    while mask != 0 {
      let move = mask.trailingZeroBitCount
      mask &= mask &- 1
      afterstates.append(Afterstate(bits: successors.bits[move], overflow: successors.overflow[move]))
      rewards.append(Float(successors.rewards[move]))
    }
    branches.append(Branch(probability: probability, firstLeaf: first, endLeaf: afterstates.count))
  }

  /// Values all leaves.
  mutating func evaluate(by evaluator: some Evaluator) {
    Self.evaluate(afterstates, into: &values, by: evaluator)
  }

  private static func evaluate(_ afterstates: [Afterstate], into values: inout [Float], by evaluator: some Evaluator) {
    var span = values.mutableSpan
    evaluator.evaluate(afterstates.span, into: &span)
  }

  /// Reward plus value of the best leaf of each branch, weighted by probability; a branch without a legal move counts 0.
  var expectation: Float {
    var expected = 0.0
    for branch in branches where branch.firstLeaf < branch.endLeaf {
      expected += branch.probability * Double(best(of: branch).sum)
    }
    return Float(expected)
  }

  /// Reward plus value of the best leaf of the worst branch; a branch without a legal move counts 0.
  var minimum: Float {
    var worst = Float.infinity
    for branch in branches {
      worst = min(worst, branch.firstLeaf < branch.endLeaf ? best(of: branch).sum : 0)
    }
    return worst
  }

  /// Number and sum of the best leaf of the first branch, the first of equals; `nil` when it has none.
  var bestOfFirst: (leaf: Int, sum: Float)? {
    guard let branch = branches.first, branch.firstLeaf < branch.endLeaf else { return nil }
    return best(of: branch)
  }

  private func best(of branch: Branch) -> (leaf: Int, sum: Float) {
    var best = (leaf: branch.firstLeaf, sum: -Float.infinity)
    for leaf in branch.firstLeaf..<branch.endLeaf {
      let sum = rewards[leaf] + values[leaf]
      if sum > best.sum { best = (leaf, sum) }
    }
    return best
  }
}
