internal import TupeloEngine

/// The leaves of one chance node, so that an evaluator sees them all at once. Reused from node to node: no allocation.
struct LeafBatch {
  /// One chance outcome: its probability and the leaves that the moves on its board lead to.
  private struct Branch {
    var probability: Double
    var firstLeaf: Int
    var endLeaf: Int
  }

  // Of a fixed length, written in place: growing and emptying arrays cost 8% of greedy play.
  private var branches: [Branch]
  private var afterstates: [Afterstate]
  private var rewards: [Float]
  private var values: [Float]
  private var branchCount = 0
  private(set) var count = 0

  /// A chance node has at most 15 empty cells with two tiles each, and a board at most four moves.
  private static var capacity: Int { 15 * 2 * 4 }

  init() {
    branches = Array(repeating: Branch(probability: 0, firstLeaf: 0, endLeaf: 0), count: Self.capacity / 4)
    afterstates = Array(repeating: Afterstate(bits: 0), count: Self.capacity)
    rewards = Array(repeating: 0, count: Self.capacity)
    values = rewards
  }

  mutating func removeAll() {
    (branchCount, count) = (0, 0)
  }

  /// Adds the legal moves of a board that comes up with `probability`.
  mutating func append(_ successors: Successors, probability: Double) {
    let first = count
    count = Self.write(successors, to: &afterstates, &rewards, from: first)
    branches[branchCount] = Branch(probability: probability, firstLeaf: first, endLeaf: count)
    branchCount &+= 1
  }

  /// - Returns: where the next leaves go.
  private static func write(
    _ successors: Successors, to afterstates: inout [Afterstate], _ rewards: inout [Float], from first: Int
  ) -> Int {
    var places = afterstates.mutableSpan
    var points = rewards.mutableSpan
    var next = first
    var mask = successors.legal.mask
    while mask != 0 {
      let move = mask.trailingZeroBitCount
      mask &= mask &- 1
      places[next] = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
      points[next] = Float(successors.rewards[move])
      next &+= 1
    }
    return next
  }

  /// Values all leaves.
  mutating func evaluate(by evaluator: some Evaluator) {
    Self.evaluate(afterstates, count: count, into: &values, by: evaluator)
  }

  private static func evaluate(
    _ afterstates: [Afterstate], count: Int, into values: inout [Float], by evaluator: some Evaluator
  ) {
    var span = values.mutableSpan
    evaluator.evaluate(afterstates.span.extracting(first: count), into: &span)
  }

  /// Reward plus value of the best leaf of each branch, weighted by probability; a branch without a legal move counts 0.
  var expectation: Float {
    var expected = 0.0
    for branch in branches[..<branchCount] where branch.firstLeaf < branch.endLeaf {
      expected += branch.probability * Double(best(of: branch).sum)
    }
    return Float(expected)
  }

  /// Reward plus value of the best leaf of the worst branch; a branch without a legal move counts 0.
  var minimum: Float {
    var worst = Float.infinity
    for branch in branches[..<branchCount] {
      worst = min(worst, branch.firstLeaf < branch.endLeaf ? best(of: branch).sum : 0)
    }
    return worst
  }

  /// Number and sum of the best leaf of the first branch, the first of equals; `nil` when it has none.
  var bestOfFirst: (leaf: Int, sum: Float)? {
    guard branchCount > 0, case let branch = branches[0], branch.firstLeaf < branch.endLeaf else { return nil }
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
