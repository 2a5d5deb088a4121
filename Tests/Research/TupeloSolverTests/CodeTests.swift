import TestSupport
import Testing
import TupeloEngine
import TupeloSolver

/// The small pieces: codes of positions, and sorted sets of them.
@Suite struct CodeTests {
  private static let shapes = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]

  /// Codes agree with the engine's canonical form, and their order is that of the bits.
  @Test(arguments: shapes) func codesNamePositions(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let code = StateCode(shape)
    #expect(code.base == shape.cellCount + 2)
    var positions = RandomPositions(seed: 5, shape: shape)
    var last = Board.empty
    for _ in 0..<3000 {
      let matrix = positions.matrix(largest: shape.cellCount + 1)
      let board = try Board(exponents: matrix.flatMap { $0 }, shape: shape)
      guard board != .empty else { continue }
      #expect(code.covers(board))
      #expect(code.position(of: code.code(of: board.bits)) == board.bits)
      #expect(code.canonical(board.bits) == board.canonical(in: shape).bits)
      #expect(code.canonicalCode(of: board.bits) == code.code(of: board.canonical(in: shape).bits))
      #expect((code.code(of: board.bits) < code.code(of: last.bits)) == (board.bits < last.bits))
      let exponents = matrix.flatMap { $0 }
      let number = exponents.reversed().reduce(0) { $0 * code.base + $1 }
      #expect(Int(code.code(of: board.bits)) == number)
      last = board
    }
    let largest = [shape.cellCount + 2] + Array(repeating: 0, count: shape.cellCount - 1)
    #expect(!code.covers(try Board(exponents: largest, shape: shape)))
    #expect(!code.covers(Board.empty))
    #expect(!code.covers(Board(bits: 1 << 60)))
    #expect(!code.covers(Board(bits: 0xf, overflow: 1)))
  }

  @Test(arguments: [0, 1, 2, 255, 256, 257, 5000]) func sortsAndUnites(_ count: Int) {
    var random = RandomStream(seed: UInt64(count))
    for bits in [3, 12, 24, 32] as [UInt64] {
      let runs = (0..<5).map { _ in (0..<count).map { _ in UInt32(random.next() >> (64 - bits)) } }
      let sorted = runs.map { SortedCodes.make(from: $0) }
      for (run, codes) in zip(runs, sorted) { #expect(codes == Set(run).sorted()) }
      for threads in 1...2 {
        #expect(SortedCodes.union(of: sorted, threads: threads) == Set(runs.joined()).sorted())
      }
    }
    #expect(SortedCodes.union(of: [], threads: 1).isEmpty)
  }
}
