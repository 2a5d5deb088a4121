import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloTables

/// Pruning by the weights that play uses, compared with counts of a slow reference.
@Suite struct PruneTests {
  private static func network() throws -> NTupleNetwork {
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 012 0145"))
    var random = RandomPositions(seed: 3)
    for (number, pattern) in network.specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize where random.number(below: 2) == 0 {
        network[pattern: number, standardIndex: index] = Float(random.number(in: -500...500))
      }
    }
    return network
  }

  /// The eight symmetric boards, by turning and mirroring a matrix.
  private static func symmetric(_ matrix: [[Int]]) -> [[[Int]]] {
    func turned(_ matrix: [[Int]]) -> [[Int]] { (0..<4).map { row in (0..<4).map { matrix[3 - $0][row] } } }
    return [matrix, matrix.map { $0.reversed() }].flatMap { first in
      (0..<3).reduce(into: [first]) { boards, _ in boards.append(turned(boards[boards.count - 1])) }
    }
  }

  /// Lookups of random positions, and of a slow reference by pattern and index.
  private struct Counted: ~Copyable {
    var usage: WeightUsage
    var reference: [[Int: Int]]
  }

  private static func counted(_ network: NTupleNetwork, positions: Int, largest: Int = 5) throws -> Counted {
    var usage = try WeightUsage(network)
    var reference = [[Int: Int]](repeating: [:], count: 2)
    var random = RandomPositions(seed: 8)
    for _ in 0..<positions {
      let matrix = random.matrix(largest: largest)
      usage.add(try Afterstate(matrix: matrix))
      for board in symmetric(matrix) {
        for (number, cells) in [[0, 1, 2], [0, 1, 4, 5]].enumerated() {
          let index = cells.enumerated().reduce(0) { $0 + board[$1.element / 4][$1.element % 4] << (4 * $1.offset) }
          reference[number][index, default: 0] += 1
        }
      }
    }
    return Counted(usage: usage, reference: reference)
  }

  @Test func countsLookups() throws {
    let network = try Self.network()
    let counted = try Self.counted(network, positions: 300)
    for (number, pattern) in network.specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize {
        let count = counted.usage.count(pattern: number, standardIndex: index)
        #expect(count == counted.reference[number][index, default: 0])
      }
    }
  }

  /// The weights that are kept have the largest n w^2, within a hundredth, and their number is close to the number
  /// requested.
  @Test(arguments: [0, 1, 100, 1000, 1 << 20]) func keepsWhatPlayNeeds(_ count: Int) throws {
    let network = try Self.network()
    let counted = try Self.counted(network, positions: 3000)
    let pruned = try network.pruned(to: count, by: counted.usage)
    // Weights without a table access share the accesses of those that have one.
    var numbers: [Int: Int] = [:]
    for (number, pattern) in network.specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize where network[pattern: number, standardIndex: index] != 0 {
        numbers[counted.reference[number][index, default: 0], default: 0] += 1
      }
    }
    let (once, never) = (numbers[1, default: 0], numbers[0, default: 0])
    #expect(once > 0 && once < never)
    var (kept, dropped) = ([Double](), [Double]())
    for (number, pattern) in network.specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize {
        let (before, after) = (
          network[pattern: number, standardIndex: index], pruned[pattern: number, standardIndex: index]
        )
        let lookups = counted.reference[number][index].map { Double($0) } ?? Double(once) / Double(never)
        let need = lookups * Double(before) * Double(before)
        if after != 0 {
          #expect(after == before)
          kept.append(need)
        } else {
          dropped.append(need)
        }
      }
    }
    let needed = (kept + dropped).count { $0 > 0 }
    #expect(kept.count <= count && kept.count >= min(count, needed) * 9 / 10)
    #expect(kept.allSatisfy { $0 > 0 })
    if let least = kept.min(), let largest = dropped.max() { #expect(least > 0.99 * largest) }
    // The network itself does not change.
    #expect(Self.isEqual(network, try Self.network()))
  }

  private static func isEqual(_ first: NTupleNetwork, _ second: NTupleNetwork) -> Bool {
    first.specification.patterns.indices.allSatisfy { number in
      (0..<first.specification.patterns[number].tableSize).allSatisfy {
        first[pattern: number, standardIndex: $0] == second[pattern: number, standardIndex: $0]
      }
    }
  }

  /// The file has nearly the size that was requested, whatever its header takes.
  @Test(.slow, arguments: [(8000, 100), (25_000, 1000), (32_000, 20_000), (40_000, 1000)])
  func fitsIntoAFile(_ bytes: Int, noteLength: Int) throws {
    let path = TemporaryFile.path("pruned.safetensors")
    defer { TemporaryFile.remove(path) }
    let network = try Self.network()
    let counted = try Self.counted(network, positions: 20_000, largest: 11)
    let metadata = ["note": String(repeating: "x", count: noteLength)]
    let pruned = try network.pruned(toFileOf: bytes, step: 1, by: counted.usage, metadata: metadata, path: path)
    try pruned.save(to: path, format: .compact(step: 1, drop: 0), metadata: metadata)
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size <= bytes && size > bytes * 95 / 100, "\(size)")
    #expect(try Self.isEqual(NTupleNetwork(path: path), rounded(pruned)))
  }

  private func rounded(_ network: NTupleNetwork) throws -> NTupleNetwork {
    let copy = try NTupleNetwork(network.specification)
    for (number, pattern) in network.specification.patterns.enumerated() {
      for index in 0..<pattern.tableSize {
        copy[pattern: number, standardIndex: index] = network[pattern: number, standardIndex: index].rounded()
      }
    }
    return copy
  }

  /// A count that reaches its largest number stays there, so the most frequent weight never counts as unused.
  @Test func countsDoNotWrap() throws {
    var usage = try WeightUsage(Self.network())
    for times in [.max - 9, 1, 1, .max] as [UInt32] { usage.add(Afterstate(bits: 0), times: times) }
    #expect(usage.count(pattern: 0, standardIndex: 0) == Int(UInt32.max))
    #expect(usage.count(pattern: 0, standardIndex: 1) == 0)
  }

  @Test func whatFitsStaysWhole() throws {
    let path = TemporaryFile.path("empty.safetensors")
    defer { TemporaryFile.remove(path) }
    let network = try Self.network()
    let usage = try WeightUsage(network)
    let whole = try network.pruned(toFileOf: 10_000_000, step: 1, by: usage, path: "x")
    #expect(Self.isEqual(whole, network))
    #expect(throws: CompactModelError.self) { try network.pruned(toFileOf: 600, step: 1, by: usage, path: "x") }
    // An empty file is no answer, not even one that fits.
    let empty = try NTupleNetwork(network.specification)
    try empty.save(to: path, format: .compact(step: 1))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(throws: CompactModelError.cannotFit(path: "x", bytes: size + 2, smallest: size)) {
      try network.pruned(toFileOf: size + 2, step: 1, by: usage, path: "x")
    }
  }
}
