internal import TupeloEngine

/// Lists the moves on all boards that may follow an afterstate, or on a single board. The list is reused from node to
/// node, so a search allocates no memory.
///
/// A tile that appears anywhere in a run of empty cells slides to the same place. So, on the boards of a chance node,
/// about two moves of five lead to an afterstate that another move leads to, too. Each afterstate of a direction is
/// listed once. (Moves in two directions seldom lead to the same afterstate. With two tiles of 32768 all moves are
/// listed.)
///
/// Soundness of the unsafe memory: each part holds `capacity` elements, initialized at first. A board's number is below
/// 32, a move's number is below 4, and there is at most one afterstate per board and move. The memory is private to
/// this object and freed with it. Not Sendable: each thread has its own.
@safe
final class MoveBatch {
  /// The number of listed afterstates.
  private(set) var count = 0
  /// Whether the bits alone distinguish the afterstates, as a `LeafMemory` needs.
  private var bitsSuffice = false
  private let afterstates: UnsafeMutablePointer<Afterstate>
  private let values: UnsafeMutablePointer<Float>
  /// Rewards by board and move; minus infinity for illegal moves.
  private let rewards: UnsafeMutablePointer<Float>
  /// The number of the afterstate, by board and move; any number for illegal moves.
  private let places: UnsafeMutablePointer<UInt8>
  /// The places of the afterstates that the evaluator must value. The next field has their values.
  private let askedPlaces: UnsafeMutablePointer<UInt8>
  private let askedValues: UnsafeMutablePointer<Float>
  /// The place of the first afterstate of a board with a new 4. Afterstates of boards with a new 2 come before it.
  private var fours = 0

  /// The largest number of afterstates: a 2 or a 4 may appear on each of 16 cells, and a board has at most four moves.
  private static var capacity: Int { 16 * 2 * 4 }

  init() {
    unsafe afterstates = Self.memory(of: .empty)
    unsafe values = Self.memory(of: 0)
    unsafe rewards = Self.memory(of: -.infinity)
    unsafe places = Self.memory(of: 0)
    unsafe askedPlaces = Self.memory(of: 0)
    unsafe askedValues = Self.memory(of: 0)
  }

  @unsafe
  private static func memory<T>(of value: T) -> UnsafeMutablePointer<T> {
    let memory = UnsafeMutablePointer<T>.allocate(capacity: capacity)
    unsafe memory.initialize(repeating: value, count: capacity)
    return unsafe memory
  }

  deinit {
    unsafe afterstates.deallocate()
    unsafe values.deallocate()
    unsafe rewards.deallocate()
    unsafe places.deallocate()
    unsafe askedPlaces.deallocate()
    unsafe askedValues.deallocate()
  }

  /// Lists the moves on a single board.
  func fill(_ successors: Successors) {
    (count, bitsSuffice) = (0, false)
    append(successors, board: 0)
  }

  /// Lists the moves on all boards that may follow an afterstate: boards with a new 2 first, then boards with a new 4.
  func fill(after afterstate: Afterstate, table: MoveTable, chance: ChanceModel) {
    count = 0
    // Two tiles of 32768 merge to a tile that the line tables cannot distinguish from 32768.
    bitsSuffice = afterstate.overflow == 0 && !afterstate.hasTwoLargestTiles
    let (bits, empty) = (afterstate.bits, chance.emptyMask(of: afterstate))
    let (transposed, emptyTransposed) = (bits.nibblesTransposed, empty.nibblesTransposed)
    let (across, along) = (table.slideRows(bits), table.slideColumns(transposed: transposed))
    for exponent in chance.exponents {
      if exponent == 2 { fours = count }
      guard bitsSuffice else {
        for outcome in chance.outcomes(of: afterstate) where outcome.exponent == exponent {
          append(table.successors(of: afterstate.board(after: outcome)), board: Self.board(of: outcome))
        }
        continue
      }
      append(slidesOf: bits, rows: table.rows, whole: across, empty: empty, exponent: exponent, isTransposed: false)
      append(
        slidesOf: transposed, rows: table.columns, whole: along, empty: emptyTransposed, exponent: exponent,
        isTransposed: true)
    }
    if chance.exponents.upperBound == 1 { fours = count }
  }

  /// The places of the afterstates whose new tile has that exponent, after `fill(after:table:chance:)`.
  func range(exponent: Int) -> Range<Int> {
    exponent == 1 ? 0..<fours : fours..<count
  }

  subscript(place: Int) -> Afterstate {
    precondition(place >= 0 && place < count)
    return unsafe afterstates[place]
  }

  func setValue(_ value: Float, at place: Int) {
    precondition(place >= 0 && place < count)
    unsafe values[place] = value
  }

  /// Values a range of afterstates by the evaluator. Their list entries are overwritten.
  ///
  /// - Parameter memory: remembers values of the same evaluator
  /// - Returns: the number of afterstates that the evaluator has valued.
  func evaluate(_ range: Range<Int>, by evaluator: some Evaluator, memory: LeafMemory?) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let first = unsafe afterstates + range.lowerBound
    guard let memory, bitsSuffice else {
      unsafe Self.evaluate(first, count: range.count, into: values + range.lowerBound, by: evaluator)
      return range.count
    }
    // Unknown afterstates move to the front, without branches: a known afterstate is overwritten by the next one.
    var asked = 0
    for place in range {
      let afterstate = unsafe afterstates[place]
      let known = memory.value(ofBits: afterstate.bits)
      unsafe values[place] = known.value
      unsafe first[asked] = afterstate
      unsafe askedPlaces[asked] = UInt8(truncatingIfNeeded: place)
      asked &+= known.isKnown ? 0 : 1
    }
    unsafe Self.evaluate(first, count: asked, into: askedValues, by: evaluator)
    for index in 0..<asked {
      let value = unsafe askedValues[index]
      unsafe values[Int(askedPlaces[index])] = value
      unsafe memory.store(value, ofBits: first[index].bits)
    }
    return asked
  }

  @unsafe
  private static func evaluate(
    _ afterstates: UnsafeMutablePointer<Afterstate>, count: Int, into values: UnsafeMutablePointer<Float>,
    by evaluator: some Evaluator
  ) {
    var values = unsafe UnsafeMutableBufferPointer(start: values, count: count).mutableSpan
    unsafe evaluator.evaluate(UnsafeBufferPointer(start: afterstates, count: count).span, into: &values)
  }

  /// The expectation of the best move's reward plus value over all boards, in score points. A board without a legal
  /// move counts 0.
  func expectation(after afterstate: Afterstate, chance: ChanceModel) -> Float {
    var expected = 0.0
    for outcome in chance.outcomes(of: afterstate) {
      let board = Self.board(of: outcome)
      let best = best(on: board).sum
      if best > -.infinity || hasMoves(on: board) { expected += outcome.probability * Double(best) }
    }
    return Float(expected)
  }

  /// Reward plus value of the best move on the worst board, in score points. A board without a legal move counts 0.
  func minimum(after afterstate: Afterstate, chance: ChanceModel) -> Float {
    chance.outcomes(of: afterstate).reduce(.infinity) { worst, outcome in
      let board = Self.board(of: outcome)
      let best = best(on: board).sum
      return min(worst, best > -.infinity || hasMoves(on: board) ? best : 0)
    }
  }

  /// Reward plus value of the moves on a single board, by move number; minus infinity for illegal moves.
  var sums: SIMD4<Float> {
    var sums = SIMD4<Float>(repeating: -.infinity)
    for move in 0..<4 {
      let (reward, value) = unsafe (rewards[move], values[Int(places[move])])
      sums[move] = reward > -.infinity ? reward + value : -.infinity
    }
    return sums
  }

  private func hasMoves(on board: Int) -> Bool {
    (0..<4).contains { unsafe rewards[board &* 4 &+ $0] > -.infinity }
  }

  /// The move with the largest sum; if several are equal, the first of them. The sum is minus infinity if no move is
  /// legal, or if all sums are minus infinity.
  @inline(__always)
  private func best(on board: Int) -> (move: Int, sum: Float) {
    var best = (move: 0, sum: -Float.infinity)
    for move in 0..<4 {
      let sum = unsafe rewards[board &* 4 &+ move] + values[Int(places[board &* 4 &+ move])]
      best = sum > best.sum ? (move, sum) : best
    }
    return best
  }

  /// The number of the board that a chance outcome leads to.
  @inline(__always)
  private static func board(of outcome: ChanceOutcome) -> Int {
    board(cell: outcome.cell, exponent: outcome.exponent)
  }

  @inline(__always)
  private static func board(cell: Int, exponent: Int) -> Int { cell &* 2 &+ exponent &- 1 }

  private func append(_ successors: Successors, board: Int) {
    for move in 0..<4 {
      let isLegal = successors.legal.mask >> UInt8(move) & 1 == 1
      unsafe rewards[board &* 4 &+ move] = isLegal ? Float(successors.rewards[move]) : -.infinity
      guard isLegal else { continue }
      unsafe places[board &* 4 &+ move] = UInt8(truncatingIfNeeded: count)
      unsafe afterstates[count] = Afterstate(bits: successors.bits[move], overflow: successors.overflow[move])
      count &+= 1
    }
  }

  /// Appends the afterstates of all boards with one new tile, for slides left and right; for transposed boards, up and
  /// down.
  ///
  /// Only the row with the new tile slides differently than without the tile. No branch depends on tiles: an afterstate
  /// is always written, and the next one overwrites it unless it counts.
  ///
  /// - Parameters:
  ///   - bits: the board without the tile
  ///   - whole: the slides of that board
  ///   - empty: a 1 in the lowest bit of each empty cell
  @inline(__always)
  private func append(
    slidesOf bits: UInt64, rows: LineTable, whole: MoveTable.Slide, empty: UInt64, exponent: Int, isTransposed: Bool
  ) {
    let (toStart, toEnd) = isTransposed ? (Move.up, Move.down) : (Move.left, Move.right)
    // The count is kept in a register: in memory, each slide would wait for the one before.
    var next = count
    defer { count = next }
    for row in 0..<4 {
      let shift = UInt64(row &* 16)
      var cells = empty >> shift & 0x1111
      guard cells != 0 else { continue }
      let old = bits >> shift & 0xffff
      let others: UInt64 = ~(0xffff << shift)
      let (otherStarted, otherEnded) = (whole.toStart & others, whole.toEnd & others)
      let (startMoves, endMoves) = (otherStarted != bits & others, otherEnded != bits & others)
      let otherReward = whole.reward &- rows[old].reward
      var (start, end) = (LastSlide.none, LastSlide.none)
      while cells != 0 {
        let column = cells.trailingZeroBitCount / 4
        cells &= cells &- 1
        let new = old | UInt64(exponent) << UInt64(column * 4)
        let slide = rows[new]
        let reward = Float(otherReward &+ slide.reward)
        let cell = isTransposed ? column &* 4 &+ row : row &* 4 &+ column
        let board = Self.board(cell: cell, exponent: exponent) &* 4
        func add(_ slid: UInt64, _ others: UInt64, isLegal: Bool, last: inout LastSlide, move: Move) {
          let isNew = isLegal && slid != last.row
          let bits = others | slid << shift
          unsafe afterstates[next] = Afterstate(bits: isTransposed ? bits.nibblesTransposed : bits)
          last = isNew ? LastSlide(row: slid, place: next) : last
          next &+= isNew ? 1 : 0
          unsafe rewards[board &+ move.rawValue] = isLegal ? reward : -.infinity
          unsafe places[board &+ move.rawValue] = UInt8(truncatingIfNeeded: last.place)
        }
        add(slide.toStart, otherStarted, isLegal: startMoves || slide.toStart != new, last: &start, move: toStart)
        add(slide.toEnd, otherEnded, isLegal: endMoves || slide.toEnd != new, last: &end, move: toEnd)
      }
    }
  }

  /// The row that the previous tile slid to, and the number of that afterstate.
  private struct LastSlide {
    var row: UInt64
    var place: Int

    /// No previous slide. No row has more than 16 bits, so it equals none.
    static var none: LastSlide { LastSlide(row: .max, place: 0) }
  }
}

extension Afterstate {
  /// Whether the board has two tiles of exponent 15 or more, the largest that four bits can hold.
  fileprivate var hasTwoLargestTiles: Bool {
    let pairs = bits & bits >> 1
    let largest = pairs & pairs >> 2 & 0x1111_1111_1111_1111
    return largest & (largest &- 1) != 0
  }
}
