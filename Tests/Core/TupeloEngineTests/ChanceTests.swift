import TestSupport
import Testing
import TupeloBase
import TupeloEngine

@Suite struct ChanceTests {
  @Test(arguments: allShapes) func outcomesEqualReference(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    var positions = RandomPositions(seed: 3, shape: shape)
    for four in [0, 0.1, 0.5, 1] {
      let chance = ChanceModel(try Rules(shape: shape, fourProbability: four))
      for _ in 0..<50 {
        let matrix = positions.matrix(largest: 17)
        let reference = ReferenceBoard(matrix.map { $0.map { $0 == 0 ? 0 : 1 << $0 } })
        let afterstate = reference.engineAfterstate
        let (outcomes, spawns) = (Array(chance.outcomes(of: afterstate)), reference.spawns(fourProbability: four))
        #expect(outcomes.map(\.cell) == spawns.map(\.cell))
        #expect(outcomes.map { 1 << $0.exponent } == spawns.map(\.tile))
        #expect(outcomes.map { afterstate.board(after: $0) } == spawns.map(\.board.engineBoard))
        for (outcome, spawn) in zip(outcomes, spawns) {
          #expect(abs(outcome.probability - spawn.probability) < 1e-15)
        }
        #expect(outcomes.isEmpty || abs(outcomes.reduce(0) { $0 + $1.probability } - 1) < 1e-12)
        #expect(chance.emptyMask(of: afterstate) == reference.emptyCells.reduce(0) { $0 | 1 << UInt64($1 * 4) })
      }
    }
  }

  /// A tile that cannot appear is refused: it would change the cell beside it.
  @Test func outcomesAreChecked() async {
    await #expect(processExitsWith: .trap) {
      print(Afterstate(bits: 0).board(after: ChanceOutcome(cell: 0, exponent: 17, probability: 1)))
    }
  }

  /// Draws are as frequent as the enumeration says, by chi-square, and the shorter form draws the same.
  @Test(arguments: [0, 0.1, 0.5], ["0000000000000000", "1200000300400050", "fghf00ghffgh12ab", "1234567812345670"])
  func sampledAsEnumerated(_ four: Double, _ hex: String) throws {
    let board = try Board(hex: hex)
    let afterstate = Afterstate(bits: board.bits, overflow: board.overflow)
    let chance = ChanceModel(try Rules(fourProbability: four))
    let outcomes = Array(chance.outcomes(of: afterstate))
    let (seed, draws) = (UInt64(12), 100_000)
    var (random, twin) = (RandomStream(seed: seed), RandomStream(seed: seed))
    var counts = Array(repeating: 0, count: outcomes.count)
    var differences = 0
    for _ in 0..<draws {
      let drawn = chance.sample(of: afterstate, using: &random)
      let index = try #require(outcomes.firstIndex { $0.cell == drawn.cell && $0.exponent == drawn.exponent })
      counts[index] += 1
      if abs(drawn.probability - outcomes[index].probability) > 1e-15 { differences += 1 }
      if chance.board(after: afterstate, using: &twin) != afterstate.board(after: drawn) { differences += 1 }
    }
    #expect(differences == 0 && random == twin)
    let test = ChiSquare(observed: counts, probabilities: outcomes.map(\.probability))
    #expect(test.isPlausible, "\(test)")
  }

  /// A stream whose next number is `draw`: with a first word of zero, xoshiro256++ puts out the last one turned left by
  /// 23.
  private static func stream(drawing draw: UInt64) throws -> RandomStream {
    try #require(RandomStream(state: [0, 1, 0, draw >> 23 | draw << 41]))
  }

  /// The k-th of every set of empty cells, for the least and the greatest draw that means k.
  @Test(.slow) func choosesEveryCellOfEverySet() throws {
    let chance = ChanceModel(.standard)
    var wrong = 0
    for mask in 1..<65_536 {
      let empty = (0..<16).filter { mask >> $0 & 1 == 1 }
      let occupied = (0..<16).filter { mask >> $0 & 1 == 0 }
      let afterstate = Afterstate(bits: occupied.reduce(0) { $0 | UInt64(1 + $1 % 15) << UInt64($1 * 4) })
      let count = UInt64(empty.count)
      for rank in 0..<count {
        for draw in [(rank << 32 + count - 1) / count, ((rank + 1) << 32 + count - 1) / count - 1] {
          var random = try Self.stream(drawing: draw << 32)
          if chance.sample(of: afterstate, using: &random).cell != empty[Int(rank)] { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
  }

  /// The low half of a draw is a 4 below the probability times 2^32, rounded, and a 2 from there on.
  @Test(arguments: [(0, 0), (0.1, 429_496_730), (0.5, 0x8000_0000), (1, 0x1_0000_0000)] as [(Double, UInt64)])
  func fourAtTheThreshold(_ four: Double, _ threshold: UInt64) throws {
    let chance = ChanceModel(try Rules(fourProbability: four))
    for draw in [0, threshold &- 1, threshold, 0xffff_ffff] as [UInt64] where draw <= 0xffff_ffff {
      var random = try Self.stream(drawing: draw)
      var twin = random
      let outcome = chance.sample(of: .empty, using: &random)
      #expect(outcome.cell == 0 && outcome.exponent == (draw < threshold ? 2 : 1))
      #expect(chance.board(after: .empty, using: &twin).bits == (draw < threshold ? 2 : 1))
    }
  }

  private struct Bits: Evaluator {
    func value(of afterstate: Afterstate) -> Float { Float(afterstate.bits) + Float(afterstate.overflow) }
  }

  /// The batched form that every evaluator has by default calls the single form once for each afterstate.
  @Test func evaluatorsAnswerInBatches() {
    let afterstates = (0..<5).map { Afterstate(bits: $0 * 3, overflow: UInt32($0)) }
    var values = [Float](repeating: -1, count: 6)
    var span = values.mutableSpan
    Bits().evaluate(afterstates.span, into: &span)
    #expect(values == [0, 4, 8, 12, 16, -1])
  }
}
