/// All four moves of a board at once, in registers, for move selection.
@frozen
public struct Successors: Sendable {
  /// The afterstates by move number; entries of illegal moves have no meaning.
  public let bits: SIMD4<UInt64>
  public let overflow: SIMD4<UInt32>
  /// The rewards by move number, in score points.
  public let rewards: SIMD4<Int32>
  public let legal: MoveSet

  @inlinable
  init(bits: SIMD4<UInt64>, overflow: SIMD4<UInt32>, rewards: SIMD4<Int32>, legal: MoveSet) {
    self.bits = bits
    self.overflow = overflow
    self.rewards = rewards
    self.legal = legal
  }

  @inlinable
  public func afterstate(of move: Move) -> Afterstate {
    Afterstate(bits: bits[move.rawValue], overflow: overflow[move.rawValue])
  }

  /// The afterstate of a move, by its number.
  @inlinable @inline(__always)
  public func afterstate(number: Int) -> Afterstate { Afterstate(bits: bits[number], overflow: overflow[number]) }

  @inlinable
  public func reward(of move: Move) -> Int { Int(rewards[move.rawValue]) }
}

extension Successors {
  /// The legal move with the largest reward + `value`, and that sum; if several are equal, the first of them; `nil`
  /// when no move is legal. If no sum is above minus infinity, the result is the first legal move, with minus infinity.
  ///
  /// - Parameter value: gives the value of a legal move's afterstate, in score points; called once per legal move
  @inlinable @inline(__always)
  public func best<Value: BinaryFloatingPoint>(
    adding value: (Move) throws -> Value
  ) rethrows -> (move: Move, sum: Value)? {
    guard !legal.isEmpty else { return nil }
    var mask = legal.mask
    var best = (move: Move(lowestOf: mask), sum: -Value.infinity)
    while mask != 0 {
      let move = Move(lowestOf: mask)
      mask &= mask &- 1
      let sum = Value(rewards[move.rawValue]) + (try value(move))
      if sum > best.sum { best = (move, sum) }
    }
    return best
  }
}

extension MoveSet {
  /// The move of the set with the largest sum; if several are equal, the first of them. If no sum is above minus
  /// infinity, the result is the first move of the set. It is `nil` for an empty set.
  ///
  /// - Parameter sums: the sums by move number; sums of moves outside the set are ignored
  @inlinable @inline(__always)
  public func best(by sums: SIMD4<Float>) -> Move? {
    guard !isEmpty else { return nil }
    var best = (move: mask.trailingZeroBitCount, sum: -Float.infinity)
    for move in 0..<4 {
      let isBetter = sums[move] > best.sum && mask >> UInt8(move) & 1 == 1
      best = isBetter ? (move, sums[move]) : best
    }
    return Move(rawValue: best.move)
  }
}

extension MoveTable {
  /// The afterstates of all four moves, from eight table lookups.
  @inlinable @inline(__always)
  public func successors(of board: Board) -> Successors {
    let bits = board.bits
    let transposed = bits.nibblesTransposed
    let horizontal = slideRows(bits)
    let vertical = slideColumns(transposed: transposed)
    guard board.overflow == 0, horizontal.isExact, vertical.isExact else { return successorsByRules(of: board) }
    let across = Int32(truncatingIfNeeded: horizontal.reward)
    let along = Int32(truncatingIfNeeded: vertical.reward)
    return Successors(
      bits: SIMD4(
        vertical.toStart.nibblesTransposed, horizontal.toEnd, vertical.toEnd.nibblesTransposed, horizontal.toStart),
      overflow: .zero,
      rewards: SIMD4(along, across, along, across),
      legal: MoveSet(
        up: vertical.toStart ^ transposed, right: horizontal.toEnd ^ bits, down: vertical.toEnd ^ transposed,
        left: horizontal.toStart ^ bits))
  }

  @usableFromInline
  func successorsByRules(of board: Board) -> Successors {
    var bits = SIMD4<UInt64>.zero
    var overflow = SIMD4<UInt32>.zero
    var rewards = SIMD4<Int32>.zero
    var mask: UInt8 = 0
    for move in Move.allCases {
      guard let outcome = board.slid(move, in: shape) else { continue }
      bits[move.rawValue] = outcome.afterstate.bits
      overflow[move.rawValue] = outcome.afterstate.overflow
      rewards[move.rawValue] = Int32(outcome.reward)
      mask |= 1 << UInt8(move.rawValue)
    }
    return Successors(bits: bits, overflow: overflow, rewards: rewards, legal: MoveSet(mask: mask))
  }
}
