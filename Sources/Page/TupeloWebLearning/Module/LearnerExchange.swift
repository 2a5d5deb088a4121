internal import TupeloEngine

/// The memory in which the page and the learner hand numbers to each other. Numbers are little-endian.
///
/// | bytes | content |
/// |---|---|
/// | 0..<16 | the board of a question, an exponent per cell |
/// | 16..<32 | rewards by move number |
/// | 32..<64 | values by move number: reward and value of the afterstate, in score points |
/// | 64..<104 | totals: games, moves, sum of scores, best score, sum of absolute TD errors |
/// | 104..<248 | totals: games by the exponent of their largest tile |
/// | 256..<262400 | the patterns of a network, or up to 65,536 numbers in single precision |
///
/// Soundness of the unsafe memory: its bytes are never freed. Every place above lies within it and is aligned for its
/// type. Places of numbers and bytes are checked. The module has one thread.
@safe
struct LearnerExchange: @unchecked Sendable {
  /// The largest count of numbers in single precision.
  static var most: Int { 1 << 16 }
  private static var room: Int { 256 }

  private let memory: UnsafeMutableRawPointer

  init() {
    let count = Self.room + 4 * Self.most
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    unsafe self.memory = memory
  }

  /// The address at which the page finds it.
  var address: UnsafeMutableRawPointer { @unsafe get { unsafe memory } }

  /// The board of the question. Exponents that no board can have count as the largest one.
  var board: Board {
    (0..<16).reduce(.empty) { board, cell in
      let byte = unsafe memory.load(fromByteOffset: cell, as: UInt8.self)
      return board.replacing(cell: cell, with: min(Int(byte), 17))
    }
  }

  func setMove(_ move: Int, reward: Int, value: Double) {
    precondition((0..<4).contains(move))
    unsafe memory.storeBytes(of: Int32(reward), toByteOffset: 16 + 4 * move, as: Int32.self)
    unsafe memory.storeBytes(of: value, toByteOffset: 32 + 8 * move, as: Double.self)
  }

  /// The totals, which the page may set.
  var totals: LearningTotals {
    get {
      var totals = LearningTotals()
      totals.games = unsafe memory.load(fromByteOffset: 64, as: Int64.self)
      totals.moves = unsafe memory.load(fromByteOffset: 72, as: Int64.self)
      totals.scoreSum = unsafe memory.load(fromByteOffset: 80, as: Double.self)
      totals.scoreMax = unsafe memory.load(fromByteOffset: 88, as: Double.self)
      totals.errorSum = unsafe memory.load(fromByteOffset: 96, as: Double.self)
      for exponent in 0..<LearningTotals.outcomeCount {
        totals.outcomes[exponent] = unsafe memory.load(fromByteOffset: 104 + 8 * exponent, as: Int64.self)
      }
      return totals
    }
    nonmutating set {
      unsafe memory.storeBytes(of: newValue.games, toByteOffset: 64, as: Int64.self)
      unsafe memory.storeBytes(of: newValue.moves, toByteOffset: 72, as: Int64.self)
      unsafe memory.storeBytes(of: newValue.scoreSum, toByteOffset: 80, as: Double.self)
      unsafe memory.storeBytes(of: newValue.scoreMax, toByteOffset: 88, as: Double.self)
      unsafe memory.storeBytes(of: newValue.errorSum, toByteOffset: 96, as: Double.self)
      for exponent in 0..<LearningTotals.outcomeCount {
        unsafe memory.storeBytes(
          of: newValue.outcomes[exponent], toByteOffset: 104 + 8 * exponent, as: Int64.self)
      }
    }
  }

  func setNumber(_ index: Int, _ number: Float) {
    precondition((0..<Self.most).contains(index))
    unsafe memory.storeBytes(of: number, toByteOffset: Self.room + 4 * index, as: Float.self)
  }

  /// The patterns of a network: their cells, with a 255 after each pattern and another one at the end.
  var patterns: [[Int]] {
    var patterns: [[Int]] = []
    var cells: [Int] = []
    for place in 0..<4 * Self.most {
      let byte = unsafe memory.load(fromByteOffset: Self.room + place, as: UInt8.self)
      if byte < 255 {
        cells.append(Int(byte))
      } else if cells.isEmpty {
        break
      } else {
        patterns.append(cells)
        cells = []
      }
    }
    return patterns
  }
}
