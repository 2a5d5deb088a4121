import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork

/// The private order of weights in memory is a bijection of the order in files.
@Suite struct StorageOrderTests {
  @Test(arguments: [
    ["0123", "4567", "0145", "1256", "02", "7"], ["01234", "01245"], ["012345", "012456"], ["45689a"], ["01489a"],
    ["01259a"], ["fa50"], ["0246"],
  ]) func isBijective(_ texts: [String]) throws {
    let specification = try NetworkSpecification(patterns: texts.map { try TuplePattern(text: $0) })
    let indexer = TupleIndexer(specification)
    var seen = [Bool](repeating: false, count: specification.weightCount)
    for (number, pattern) in specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize {
        let position = indexer.storageIndex(pattern: number, standardIndex: index)
        let isFree = seen.indices.contains(position) && !seen[position]
        guard isFree else {
          Issue.record("\(pattern): standard index \(index) goes to \(position), which is taken or outside")
          return
        }
        seen[position] = true
      }
    }
    #expect(seen.allSatisfy { $0 })
  }

  /// The lowest bits of all cells first, in the order of their numbers, then the second ones.
  @Test(arguments: [(4, 4), (2, 4)]) func planesLieOneAfterTheOther(_ rows: Int, _ columns: Int) throws {
    let shape = try BoardShape(rows: rows, columns: columns)
    let pattern = try TuplePattern(text: "3106", shape: shape)
    let indexer = TupleIndexer(try NetworkSpecification(patterns: [pattern], shape: shape, sharesSymmetries: false))
    for (digit, place) in [2, 1, 0, 3].enumerated() {
      for plane in 0..<4 {
        let index = indexer.storageIndex(pattern: 0, standardIndex: 1 << (digit * 4 + plane))
        #expect(index == 1 << (plane * 4 + place))
      }
    }
  }

  /// A file is the standard order: reading back through a file gives each weight its place.
  @Test func wholeTableMapAgreesWithSingleIndices() throws {
    let network = try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01456")]))
    for index in 0..<(1 << 20) { network[pattern: 0, standardIndex: index] = Float(index) }
    let path = TemporaryFile.path("order.safetensors")
    defer { TemporaryFile.remove(path) }
    try network.save(to: path)
    let loaded = try NTupleNetwork(path: path)
    for index in stride(from: 0, to: 1 << 20, by: 37) {
      #expect(loaded[pattern: 0, standardIndex: index] == Float(index))
    }
  }
}
