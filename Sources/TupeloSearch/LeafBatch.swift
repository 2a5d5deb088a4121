internal import TupeloEngine

/// The leaves of one chance node, so that an evaluator sees them all at once. Reused from node to node: no allocation.
///
/// A tile that appears anywhere in a run of empty cells slides to the same place, so on the boards of a chance node two moves of five
/// lead where another leads. Each afterstate is a leaf once: 59% of the moves of 3-ply games by a trained network are left.
///
/// Soundness of the unsafe memory: each part holds `capacity` elements, initialized at first; a branch is below 32, a move below 4, and there
/// is at most one leaf per branch and move. It is private to this object and freed with it. Not Sendable: each thread has its own.
@safe
final class LeafBatch {
  private let afterstates: UnsafeMutablePointer<Afterstate>
  private let values: UnsafeMutablePointer<Float>
  /// By branch and move: the reward, minus infinity where the move is illegal.
  private let rewards: UnsafeMutablePointer<Float>
  /// By branch and move: the number of its leaf, any where the move is illegal.
  private let leaves: UnsafeMutablePointer<UInt8>
  private var count = 0
  /// Whether the bits of the leaves tell them apart, as a `LeafMemory` needs.
  private var bitsSuffice = false
  /// The leaves that the evaluator is asked for, and what it says of them.
  private let askedLeaves: UnsafeMutablePointer<UInt8>
  private let askedValues: UnsafeMutablePointer<Float>

  /// Two tiles may appear on each of 16 cells, and a board has at most four moves.
  private static var capacity: Int { 16 * 2 * 4 }

  init() {
    unsafe afterstates = .allocate(capacity: Self.capacity)
    unsafe values = .allocate(capacity: Self.capacity)
    unsafe rewards = .allocate(capacity: Self.capacity)
    unsafe leaves = .allocate(capacity: Self.capacity)
    unsafe askedLeaves = .allocate(capacity: Self.capacity)
    unsafe askedValues = .allocate(capacity: Self.capacity)
    unsafe afterstates.initialize(repeating: .empty, count: Self.capacity)
    unsafe values.initialize(repeating: 0, count: Self.capacity)
    unsafe rewards.initialize(repeating: -.infinity, count: Self.capacity)
    unsafe leaves.initialize(repeating: 0, count: Self.capacity)
    unsafe askedLeaves.initialize(repeating: 0, count: Self.capacity)
    unsafe askedValues.initialize(repeating: 0, count: Self.capacity)
  }

  deinit {
    unsafe afterstates.deallocate()
    unsafe values.deallocate()
    unsafe rewards.deallocate()
    unsafe leaves.deallocate()
    unsafe askedLeaves.deallocate()
    unsafe askedValues.deallocate()
  }

  /// Takes the moves of a single board.
  func fill(_ successors: Successors) {
    count = 0
    bitsSuffice = false
    append(successors, branch: 0)
  }

  /// Takes the moves of all boards that may follow an afterstate.
  func fill(after afterstate: Afterstate, table: MoveTable, chance: ChanceModel) {
    count = 0
    // Lines do not tell apart what two tiles of 32768 merge to.
    bitsSuffice = afterstate.overflow == 0 && !afterstate.hasTwoLargestTiles
    guard bitsSuffice else {
      for outcome in chance.outcomes(of: afterstate) {
        append(table.successors(of: afterstate.board(after: outcome)), branch: Self.branch(of: outcome))
      }
      return
    }
    let empty = chance.emptyMask(of: afterstate)
    append(
      slidesOf: afterstate.bits, rows: table.rows, whole: table.slideRows(afterstate.bits), empty: empty,
      exponents: chance.exponents, isTransposed: false)
    let transposed = afterstate.bits.nibblesTransposed
    append(
      slidesOf: transposed, rows: table.columns, whole: table.slideColumns(transposed: transposed),
      empty: empty.nibblesTransposed, exponents: chance.exponents, isTransposed: true)
  }

  /// Values all leaves.
  ///
  /// - Parameter memory: of the same evaluator
  /// - Returns: how many the evaluator was asked for.
  func evaluate(by evaluator: some Evaluator, memory: LeafMemory?) -> Int {
    guard let memory, bitsSuffice else {
      unsafe evaluate(count, into: values, by: evaluator)
      return count
    }
    // Those not known move to the front, without branches: a known one is overwritten by the next.
    var asked = 0
    for leaf in 0..<count {
      let afterstate = unsafe afterstates[leaf]
      let known = memory.value(ofBits: afterstate.bits)
      unsafe values[leaf] = known.value
      unsafe afterstates[asked] = afterstate
      unsafe askedLeaves[asked] = UInt8(truncatingIfNeeded: leaf)
      asked &+= known.isKnown ? 0 : 1
    }
    unsafe evaluate(asked, into: askedValues, by: evaluator)
    for index in 0..<asked {
      let value = unsafe askedValues[index]
      unsafe values[Int(askedLeaves[index])] = value
      unsafe memory.store(value, ofBits: afterstates[index].bits)
    }
    return asked
  }

  @unsafe
  private func evaluate(_ count: Int, into values: UnsafeMutablePointer<Float>, by evaluator: some Evaluator) {
    let leaves = unsafe UnsafeBufferPointer(start: afterstates, count: count).span
    let values = unsafe UnsafeMutableBufferPointer(start: values, count: count)
    var span = unsafe values.mutableSpan
    evaluator.evaluate(leaves, into: &span)
  }

  /// Reward plus value of the best leaf of each outcome, weighted by probability; a board without a legal move counts 0.
  func expectation(after afterstate: Afterstate, chance: ChanceModel) -> Float {
    var expected = 0.0
    for outcome in chance.outcomes(of: afterstate) {
      guard let best = best(of: Self.branch(of: outcome)) else { continue }
      expected += outcome.probability * Double(best.sum)
    }
    return Float(expected)
  }

  /// Reward plus value of the best leaf of the worst outcome; a board without a legal move counts 0.
  func minimum(after afterstate: Afterstate, chance: ChanceModel) -> Float {
    chance.outcomes(of: afterstate).reduce(.infinity) { min($0, best(of: Self.branch(of: $1))?.sum ?? 0) }
  }

  /// The best move of the single board that was taken.
  var bestOfSingle: (move: Move, sum: Float)? {
    best(of: 0).map { (Move(lowestOf: 1 << UInt8($0.move)), $0.sum) }
  }

  /// The move with the largest sum, the first of equals; `nil` when none is legal.
  @inline(__always)
  private func best(of branch: Int) -> (move: Int, sum: Float)? {
    var best: (move: Int, sum: Float)?
    for move in 0..<4 {
      let reward = unsafe rewards[branch &* 4 &+ move]
      guard reward > -.infinity else { continue }
      let sum = unsafe reward + values[Int(leaves[branch &* 4 &+ move])]
      if best.map({ sum > $0.sum }) ?? true { best = (move, sum) }
    }
    return best
  }

  /// The number of the board that a chance outcome leads to.
  @inline(__always)
  private static func branch(of outcome: ChanceOutcome) -> Int {
    branch(cell: outcome.cell, exponent: outcome.exponent)
  }

  @inline(__always)
  private static func branch(cell: Int, exponent: Int) -> Int { cell &* 2 &+ exponent &- 1 }

  private func append(_ successors: Successors, branch: Int) {
    for move in 0..<4 {
      let isLegal = successors.legal.mask >> UInt8(move) & 1 == 1
      unsafe rewards[branch &* 4 &+ move] = isLegal ? Float(successors.rewards[move]) : -.infinity
      guard isLegal else { continue }
      unsafe leaves[branch &* 4 &+ move] = UInt8(truncatingIfNeeded: count)
      unsafe afterstates[count] = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
      count &+= 1
    }
  }

  /// Adds what the boards that come of a new tile slide to, left and right, or up and down when all is transposed. Only the row with the tile
  /// slides in another way than without it.
  ///
  /// Without branches that depend on tiles: a leaf is written in any case, and the next goes to the same place unless it counts.
  ///
  /// - Parameters:
  ///   - bits: the board without the tile
  ///   - whole: what it slides to
  ///   - empty: a 1 in the lowest bit of each empty cell
  @inline(__always)
  private func append(
    slidesOf bits: UInt64, rows: LineTable, whole: MoveTable.Slide, empty: UInt64, exponents: ClosedRange<Int>,
    isTransposed: Bool
  ) {
    let (toStart, toEnd) = isTransposed ? (Move.up, Move.down) : (Move.left, Move.right)
    for row in 0..<4 {
      let shift = UInt64(row &* 16)
      let cells = empty >> shift & 0x1111
      guard cells != 0 else { continue }
      let others: UInt64 = ~(0xffff << shift)
      let old = bits >> shift & 0xffff
      let (otherStarted, otherEnded) = (whole.toStart & others, whole.toEnd & others)
      let (startMoves, endMoves) = (otherStarted != bits & others, otherEnded != bits & others)
      let otherReward = whole.reward &- rows[old].reward
      for exponent in exponents {
        // No row is -1.
        var (start, end) = (LastLeaf(row: .max, leaf: 0), LastLeaf(row: .max, leaf: 0))
        var rest = cells
        while rest != 0 {
          let column = rest.trailingZeroBitCount / 4
          rest &= rest &- 1
          let new = old | UInt64(exponent) << UInt64(column * 4)
          let slide = rows[new]
          let points = Float(otherReward &+ slide.reward)
          let cell = isTransposed ? column &* 4 &+ row : row &* 4 &+ column
          let place = Self.branch(cell: cell, exponent: exponent) &* 4
          func add(_ slid: UInt64, _ others: UInt64, isLegal: Bool, last: inout LastLeaf, move: Move) {
            let isNew = isLegal && slid != last.row
            let board = others | slid << shift
            unsafe afterstates[count] = Afterstate(bits: isTransposed ? board.nibblesTransposed : board)
            last = isNew ? LastLeaf(row: slid, leaf: count) : last
            count &+= isNew ? 1 : 0
            unsafe rewards[place &+ move.rawValue] = isLegal ? points : -.infinity
            unsafe leaves[place &+ move.rawValue] = UInt8(truncatingIfNeeded: last.leaf)
          }
          add(slide.toStart, otherStarted, isLegal: startMoves || slide.toStart != new, last: &start, move: toStart)
          add(slide.toEnd, otherEnded, isLegal: endMoves || slide.toEnd != new, last: &end, move: toEnd)
        }
      }
    }
  }

  /// The last leaf of a row and a tile: what its row slid to, and its number.
  private struct LastLeaf {
    var row: UInt64
    var leaf: Int
  }
}

extension Afterstate {
  /// Whether two tiles are as large as four bits can tell.
  fileprivate var hasTwoLargestTiles: Bool {
    let pairs = bits & bits >> 1
    let largest = pairs & pairs >> 2 & 0x1111_1111_1111_1111
    return largest & (largest &- 1) != 0
  }
}
