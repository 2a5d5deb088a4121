import TestSupport
import Testing
import TupeloLearning
import TupeloTables
import TupeloTraining

/// Passes over whole tables compared with loops over single cells.
@Suite struct WholeTableTests {
  /// Weights and sums of all kinds, most of them zero.
  private static func storage<Cell: WeightCell>(_: Cell.Type, count: Int, seed: UInt64) throws -> WeightStorage<Cell> {
    let weights = try WeightStorage<Cell>(count: count)
    var positions = RandomPositions(seed: seed)
    for index in 0..<count where positions.number(below: 4) == 0 {
      for plane in Cell.planes.indices { weights[index][plane: plane] = Float(positions.number(in: -1000...1000)) }
      if Cell.planes.count == 3 {
        weights[index][plane: 2] = abs(weights[index][plane: 1]) * 2
      }
    }
    return weights
  }

  private static func cells<Cell: WeightCell>(_ weights: WeightStorage<Cell>) -> [[Float]] {
    (0..<weights.count).map { index in Cell.planes.indices.map { weights[index][plane: $0] } }
  }

  private static func decays<Cell: WeightCell>(_: Cell.Type) throws {
    let weights = try storage(Cell.self, count: 1001, seed: 1)
    let before = cells(weights)
    weights.exclusively { $0.decay(by: 0.25) }
    #expect(cells(weights) == before.map { [$0[0] * 0.75] + $0.dropFirst() })
  }

  @Test func decayLeavesSumsAlone() throws {
    try Self.decays(PlainCell.self)
    try Self.decays(CoherenceCell.self)
  }

  @Test func weightsAreCopiedBetweenKindsOfCells() throws {
    let coherent = try Self.storage(CoherenceCell.self, count: 500, seed: 3)
    let plain = try WeightStorage<PlainCell>(count: 500)
    plain.exclusively { plain in coherent.reading { plain.copyWeights(of: $0) } }
    #expect((0..<500).allSatisfy { plain[$0].weight == coherent[$0].weight })
    let other = try Self.storage(CoherenceCell.self, count: 500, seed: 4)
    let sums = Self.cells(other).map { $0.dropFirst() }
    other.exclusively { other in plain.reading { other.copyWeights(of: $0) } }
    #expect(Self.cells(other).map { $0.dropFirst() } == sums)
    #expect((0..<500).allSatisfy { other[$0].weight == coherent[$0].weight })
  }

  @Test(arguments: [0, 1, 3, 4, 1000, 4099]) func diagnosticsOfCoherentWeights(_ count: Int) throws {
    let weights = try Self.storage(CoherenceCell.self, count: 5000, seed: 5)
    let range = 500..<500 + count
    let found = weights.reading { $0.diagnostics(range) }
    let cells = Self.cells(weights)[range].map { $0.map(Double.init) }
    let visited = cells.filter { $0[2] > 0 }
    #expect(found.count == count && found.visited == visited.count)
    let norm = cells.reduce(0) { $0 + $1[0] * $1[0] }.squareRoot()
    #expect(abs(found.norm - norm) <= 1e-12 * norm)
    let step = visited.isEmpty ? 0 : visited.reduce(0) { $0 + abs($1[1]) / $1[2] } / Double(visited.count)
    #expect(abs(found.meanStepSize - step) < 1e-6)
    #expect(count < 1000 || (found.visitedShare > 0.2 && found.visitedShare < 0.3))
  }

  @Test(arguments: [0, 1, 3, 4, 1000, 4099]) func diagnosticsOfPlainWeights(_ count: Int) throws {
    let weights = try Self.storage(PlainCell.self, count: 5000, seed: 6)
    let found = weights.reading { $0.diagnostics(3..<3 + count) }
    let cells = Self.cells(weights)[3..<3 + count].map { Double($0[0]) }
    #expect(found.count == count && found.visited == cells.count { $0 != 0 })
    #expect(abs(found.norm - cells.reduce(0) { $0 + $1 * $1 }.squareRoot()) < 1e-6)
    #expect(found.meanStepSize == (found.visited == 0 ? 0 : 1))
  }

  /// The diagnostics of the parts of a table add up to those of the table, within rounding.
  @Test func diagnosticsAddUp() throws {
    let weights = try Self.storage(CoherenceCell.self, count: 5000, seed: 7)
    var parts = weights.reading { $0.diagnostics(0..<1234) }
    parts.add(weights.reading { $0.diagnostics(1234..<5000) })
    let whole = weights.reading { $0.diagnostics(0..<5000) }
    #expect(parts.count == whole.count && parts.visited == whole.visited)
    #expect(abs(parts.norm - whole.norm) < 1e-9 * whole.norm)
    #expect(abs(parts.meanStepSize - whole.meanStepSize) < 1e-9)
  }

  /// The estimate is compared with the norm of all differences. It reads 4,096 of 262,144 weights, whose changes are
  /// uniform, so five standard errors are 5%.
  @Test func updateNormComesCloseToTheWhole() throws {
    let count = 1 << 18
    let weights = try WeightStorage<CoherenceCell>(count: count)
    var norm = weights.reading { UpdateNorm($0) }
    #expect(weights.reading { norm.advance($0) } == 0)
    var positions = RandomPositions(seed: 9)
    var squares = 0.0
    for index in 0..<count {
      let change = Float(positions.number(in: -1000...1000))
      squares += Double(change) * Double(change)
      weights[index].weight += change
    }
    #expect(abs(weights.reading { norm.advance($0) } / squares.squareRoot() - 1) < 0.05)
    #expect(weights.reading { norm.advance($0) } == 0)
  }
}
