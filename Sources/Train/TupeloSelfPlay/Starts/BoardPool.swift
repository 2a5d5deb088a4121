internal import TupeloEngine

/// A pool of the most recent boards, up to `capacity`.
struct BoardPool: Sendable {
  let capacity: Int
  private(set) var boards: [Board] = []
  private var next = 0

  init(capacity: Int) {
    self.capacity = capacity
    boards.reserveCapacity(capacity)
  }

  mutating func append(_ board: Board) {
    if boards.count < capacity {
      boards.append(board)
    } else {
      boards[next] = board
      next = next + 1 == capacity ? 0 : next + 1
    }
  }

  /// A random board of the pool; `nil` when it is empty.
  func draw(using random: inout RandomStream) -> Board? {
    boards.isEmpty ? nil : boards[random.next(below: boards.count)]
  }
}

extension BoardPool {
  /// The pool as words: the place of the next board, then the boards.
  var words: [UInt64] { [UInt64(next)] + boards.words }

  /// Restores the pool from the front of `words` and removes it there.
  ///
  /// - Returns: false if the words do not come from such a pool.
  mutating func restore(from words: inout ArraySlice<UInt64>, shape: BoardShape) -> Bool {
    guard let place = words.popFirst(), place < UInt64(capacity) else { return false }
    guard let boards = [Board](taking: &words, shape: shape), boards.count <= capacity else { return false }
    self.boards = boards
    next = Int(place)
    return true
  }
}

extension [Board] {
  /// The boards as words: the count, then two words per board.
  var words: [UInt64] { [UInt64(count)] + flatMap { [$0.bits, UInt64($0.overflow)] } }

  /// Reads boards from the front of `words` and removes them there; `nil` if they are not boards of this shape.
  init?(taking words: inout ArraySlice<UInt64>, shape: BoardShape) {
    guard let count = words.popFirst(), count <= UInt64(words.count / 2) else { return nil }
    self.init()
    reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let bits = words.popFirst(), let overflow = words.popFirst().flatMap(UInt32.init(exactly:)) else {
        return nil
      }
      let board = Board(bits: bits, overflow: overflow)
      let isPossible = (0..<16).allSatisfy { cell in
        let exponent = board.exponent(at: cell)
        return shape.cells.contains(cell) ? exponent <= Board.maximumExponent : exponent == 0
      }
      guard isPossible, board.largestExponent > 0, board == board.rewritten else { return nil }
      append(board)
    }
  }
}

extension Board {
  /// The board with the same exponents in their canonical representation.
  fileprivate var rewritten: Board {
    (0..<16).reduce(Board.empty) { $0.replacing(cell: $1, with: exponent(at: $1)) }
  }
}
