internal import TupeloTables

/// Memory for some weights and their sums, in the order of storage.
package struct CellBuffer: Sendable {
  package var weights: [Float]
  package var sums: [Float]

  /// - Parameters:
  ///   - capacity: the number of weights
  ///   - sumCount: the number of sums of each weight
  package init(capacity: Int, sumCount: Int) {
    weights = [Float](repeating: 0, count: capacity)
    sums = [Float](repeating: 0, count: capacity * sumCount)
  }
}

extension CellBuffer {
  /// Reads some blocks, one after the other.
  ///
  /// - Parameter isNeeded: whether a block is read; the places of other blocks do not change
  mutating func read<Cell: WeightCell>(
    _ blocks: [TouchedBlock], of table: WeightBlocks<Cell>, where isNeeded: (TouchedBlock) -> Bool = { _ in true }
  ) {
    for (place, block) in blocks.enumerated() where isNeeded(block) {
      table.read(block.number, into: &weights, &sums, place: place)
    }
  }

  /// Writes some blocks to several tables.
  func write<Cell: WeightCell>(_ blocks: [TouchedBlock], to tables: [WeightBlocks<Cell>]) {
    for (place, block) in blocks.enumerated() {
      for table in tables { table.write(block.number, from: weights, sums, place: place) }
    }
  }
}
