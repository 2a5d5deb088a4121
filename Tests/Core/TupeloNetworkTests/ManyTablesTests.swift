import CAllocationCounter
import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Files of many tables, and models that several threads use at once.
@Suite final class ManyTablesTests {
  private let path = TemporaryFile.path("model.safetensors")

  deinit { TemporaryFile.remove(path) }

  /// The allocations for the last table of a network with a number of patterns and 16 stages.
  private func allocations(patterns: Int) throws -> UInt64 {
    let specification = try NetworkSpecification(
      patterns: (0..<patterns).map { try TuplePattern(text: String($0, radix: 16)) }, sharesSymmetries: false,
      stages: StagePartition(.sum, at: (1...15).map { $0 * 100 }))
    let network = try NTupleNetwork(specification)
    let map = network.indexer.tableMap
    let tensors = WeightStorage<PlainCell>.tensors(of: map)
    var count: UInt64 = 0
    try SafetensorsWriter.write(to: path, tensors: tensors) { tensor, sink in
      let before = tupelo_allocation_count()
      let isWritten = try network.weights.write(tensor, of: map, to: &sink)
      if tensor == tensors.last { count = tupelo_allocation_count() - before }
      #expect(isWritten)
    }
    return count
  }

  /// The work for one table does not depend on the number of tables, so writing takes linear time.
  @Test(.enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc"))
  func writingATableDoesNotSearchAllTables() throws {
    let (few, many) = try (allocations(patterns: 1), allocations(patterns: 16))
    #expect(few > 0 && many < few + 20, "\(few) and \(many)")
  }

  #if os(Linux)
  /// A compact table of a promoted network is unpacked once. So a file that changes later does not matter.
  @Test func tablesThatFillOthersStayUnpacked() throws {
    let specification = try NetworkSpecification(
      patterns: [TuplePattern(text: "01234")], stages: StagePartition(.largest, at: [64]))
    let network = try NTupleNetwork(specification)
    let count = 1 << 16
    for index in stride(from: 0, to: 2 * count, by: 7) { network[pattern: 0, standardIndex: index] = Float(index) }
    for index in stride(from: 0, to: 2 * count, by: 14) {
      network[pattern: 0, standardIndex: index, stage: 1] = -5
    }
    try network.save(
      to: path, format: .compact(step: 1, drop: 0), metadata: [ModelFile.Key.filledStages: "1"])
    var filled = try FilledWeights(SafetensorsFile(path: path), tables: specification.tables, stages: 2)
    for start in [0, count] {
      var values = [Float](repeating: -1, count: count)
      var span = values.mutableSpan
      try filled.copy(table: 1, range: start..<start + count, into: &span)
      for offset in 0..<count {
        let index = start + offset
        let expected: Float = index % 14 == 0 ? -5 : index % 7 == 0 ? Float(index) : 0
        guard values[offset] == expected else {
          Issue.record("weight \(index) is \(values[offset]) instead of \(expected)")
          return
        }
      }
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      let size = try file.seekToEnd()
      try file.seek(toOffset: size / 2)
      try file.write(contentsOf: Data(repeating: 0xff, count: Int(size - size / 2)))
      try file.close()
    }
  }
  #endif

  /// Threads save one model, and compute its identity, at the same time.
  @Test func threadsMaySaveOneModel() async {
    await #expect(processExitsWith: .success) {
      let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 0123 0145"))
      network[pattern: 0, standardIndex: 9] = 5
      let paths = (0..<8).map { TemporaryFile.path("model\($0).safetensors") }
      defer { paths.forEach(TemporaryFile.remove) }
      DispatchQueue.concurrentPerform(iterations: paths.count) { number in
        var hash = WeightHash()
        network.add(to: &hash)
        do { try network.save(to: paths[number]) } catch { fatalError("\(error)") }
      }
      for path in paths {
        let weight = try NTupleNetwork(path: path)[pattern: 0, standardIndex: 9]
        precondition(weight == 5)
      }
    }
  }
}
