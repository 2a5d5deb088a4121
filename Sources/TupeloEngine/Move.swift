/// The four moves, numbered as in the original game, Jumanji and gymnasium-2048.
public enum Move: Int, CaseIterable, Sendable, Hashable {
  case up = 0
  case right = 1
  case down = 2
  case left = 3

  @inlinable public var isHorizontal: Bool { rawValue & 1 == 1 }

  /// The lowest member of a mask with one bit per move.
  ///
  /// - Precondition: one of the lowest four bits is set.
  @inlinable
  public init(lowestOf mask: UInt8) {
    switch mask.trailingZeroBitCount {
    case 0: self = .up
    case 1: self = .right
    case 2: self = .down
    default:
      precondition(mask & 8 != 0, "no move in the mask")
      self = .left
    }
  }

  /// `u`, `r`, `d` or `l`.
  public var letter: Character {
    switch self {
    case .up: "u"
    case .right: "r"
    case .down: "d"
    case .left: "l"
    }
  }

  public init?(letter: Character) {
    guard let move = Move.allCases.first(where: { $0.letter == letter }) else { return nil }
    self = move
  }
}

extension Move: CustomStringConvertible {
  public var description: String {
    switch self {
    case .up: "up"
    case .right: "right"
    case .down: "down"
    case .left: "left"
    }
  }
}

/// A set of moves, small enough for a register.
public struct MoveSet: Hashable, Sendable {
  public let mask: UInt8

  @inlinable
  public init(mask: UInt8) { self.mask = mask & 0xf }

  @inlinable public var isEmpty: Bool { mask == 0 }
  @inlinable public var count: Int { mask.nonzeroBitCount }
  @inlinable public func contains(_ move: Move) -> Bool { mask >> UInt8(move.rawValue) & 1 == 1 }

  /// The members in the order of their numbers.
  public var moves: [Move] { Move.allCases.filter(contains) }

  /// The member with `rank` members of lower number.
  ///
  /// - Precondition: `rank` is below `count`.
  @inlinable
  public func move(ofRank rank: Int) -> Move {
    var rest = mask
    for _ in 0..<rank { rest &= rest &- 1 }
    return Move(lowestOf: rest)
  }
}
