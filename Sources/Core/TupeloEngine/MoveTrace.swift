internal import TupeloBase

/// A tile with an identity, so that a view can follow it from move to move.
public struct IdentifiedTile: Hashable, Sendable {
  public let id: Int
  public let exponent: Int
  /// row * 4 + column
  public let cell: Int
}

/// The effect of a move on each tile: slides, merges and the new tile.
public struct MoveTrace: Hashable, Sendable {
  public struct Slide: Hashable, Sendable {
    public let id: Int
    public let from: Int
    public let to: Int
    /// The tile that merged into this tile and disappeared; `nil` for a plain slide.
    public let absorbed: Int?
    /// The exponent after the move.
    public let exponent: Int
  }

  public let move: Move
  /// One entry per surviving tile, ordered by its cell after the move. Tiles that did not move are included.
  public let slides: [Slide]
  /// The tiles that merged into another one: their identity, and the cells they slid from and to.
  public let absorbed: [Absorbed]
  public let appeared: IdentifiedTile
  /// Score points.
  public let reward: Int

  public struct Absorbed: Hashable, Sendable {
    public let id: Int
    public let from: Int
    public let to: Int
    public let into: Int
  }
}

/// A board whose tiles have identities, which sliding keeps. When two tiles merge, the tile farther from the wall keeps
/// its identity. A new tile gets a number that was never used before.
public struct IdentifiedBoard: Hashable, Sendable {
  public let shape: BoardShape
  public private(set) var board: Board
  private var ids: [Int]
  private var nextID: Int

  public init(_ board: Board, shape: BoardShape = .standard) {
    self.shape = shape
    self.board = board
    ids = Array(repeating: 0, count: 16)
    nextID = 1
    for cell in shape.cells where board.exponent(at: cell) > 0 {
      ids[cell] = nextID
      nextID += 1
    }
  }

  /// The tiles on the board, in reading order.
  public var tiles: [IdentifiedTile] {
    shape.cells.filter { ids[$0] > 0 }
      .map { IdentifiedTile(id: ids[$0], exponent: board.exponent(at: $0), cell: $0) }
  }

  /// Plays a move and lets `appeared` appear. It returns `nil` and changes nothing when the move is illegal, when that
  /// cell is taken or off the board, or when the tile is not a 2 or a 4.
  public mutating func play(_ move: Move, appeared outcome: ChanceOutcome) -> MoveTrace? {
    guard let result = board.afterstate(of: move, in: shape), shape.cells.contains(outcome.cell),
      result.afterstate.exponent(at: outcome.cell) == 0, (1...2).contains(outcome.exponent)
    else { return nil }
    var newIDs = Array(repeating: 0, count: 16)
    var slides: [MoveTrace.Slide] = []
    var absorbed: [MoveTrace.Absorbed] = []
    let lines = shape.lines(of: move)
    for line in 0..<lines.count {
      let cells = (0..<lines.length).map { shape.cell(line: line, position: $0, toward: move) }
      var sources = cells.filter { ids[$0] > 0 }[...]
      for target in cells {
        guard let first = sources.popFirst() else { break }
        let exponent = result.afterstate.exponent(at: target)
        let merges = exponent == board.exponent(at: first) + 1
        let survivor = merges ? sources.removeFirst() : first
        newIDs[target] = ids[survivor]
        if merges { absorbed.append(.init(id: ids[first], from: first, to: target, into: ids[survivor])) }
        slides.append(
          .init(id: ids[survivor], from: survivor, to: target, absorbed: merges ? ids[first] : nil, exponent: exponent))
      }
    }
    newIDs[outcome.cell] = nextID
    let tile = IdentifiedTile(id: nextID, exponent: outcome.exponent, cell: outcome.cell)
    nextID += 1
    ids = newIDs
    board = result.afterstate.board(after: outcome)
    let order = sortedNumbers(below: slides.count) { slides[$0].to < slides[$1].to }
    return MoveTrace(
      move: move, slides: order.map { slides[$0] }, absorbed: absorbed, appeared: tile, reward: result.reward)
  }
}
