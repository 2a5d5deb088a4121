/// The four moves, numbered as in the original game, Jumanji and gymnasium-2048.
public enum Move: Int, CaseIterable, Sendable, Hashable {
  case up = 0
  case right = 1
  case down = 2
  case left = 3

  @inlinable public var isHorizontal: Bool { rawValue & 1 == 1 }

  /// The lowest move in a mask with one bit per move.
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

  /// The letter of the move: `u`, `r`, `d` or `l`.
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

  /// The moves that change a board: those whose difference to it is not zero.
  ///
  /// This is computed by arithmetic, because four conditions would compile to a tree of branches, and legal moves are
  /// hard to predict.
  @inlinable @inline(__always)
  init(up: UInt64, right: UInt64, down: UInt64, left: UInt64) {
    func sign(_ difference: UInt64) -> UInt64 { (difference | (0 &- difference)) >> 63 }
    mask = UInt8(truncatingIfNeeded: sign(up) | sign(right) << 1 | sign(down) << 2 | sign(left) << 3)
  }

  @usableFromInline static var lowBits: UInt64 { 0xa542_6321_2100_2100 }
  @usableFromInline static var highBits: UInt64 { 0xc663_4221_4221_0000 }

  @inlinable public var isEmpty: Bool { mask == 0 }
  /// Looked up in a table of nibbles, because baseline x86-64 has no population count.
  @inlinable public var count: Int {
    @inline(__always) get { Int((0x4332_3221_3221_2110 as UInt64 &>> (UInt64(mask) &<< 2)) & 0xf) }
  }
  @inlinable public func contains(_ move: Move) -> Bool { mask >> UInt8(move.rawValue) & 1 == 1 }

  /// The move with the lowest number; `nil` for an empty set.
  package var first: Move? { isEmpty ? nil : Move(lowestOf: mask) }

  /// The moves in the set, ordered by number.
  public var moves: [Move] { Move.allCases.filter(contains) }

  /// The move in the set with `rank` moves of lower number.
  ///
  /// - Precondition: `rank` is below `count`.
  @inlinable @inline(__always)
  public func move(ofRank rank: Int) -> Move {
    precondition(rank >= 0 && rank < count)
    return Move.allCases[number(ofRank: rank)]
  }

  /// The number of the move with a rank, from two tables of 64 bits. Bit `mask * 4 + rank` of the first table is its
  /// low bit, of the second table its high bit. No branch depends on the rank.
  @inlinable @inline(__always)
  func number(ofRank rank: Int) -> Int {
    let index = UInt64(mask) << 2 | UInt64(truncatingIfNeeded: rank & 3)
    return Int((Self.lowBits &>> index) & 1 | ((Self.highBits &>> index) & 1) << 1)
  }
}
