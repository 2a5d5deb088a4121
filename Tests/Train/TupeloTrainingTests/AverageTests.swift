import TestSupport
import Testing
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// The average of weights against the same sums in double precision.
@Suite struct AverageTests {
  private static func run<Cell: WeightCell>(_: Cell.Type) throws {
    let count = 1000
    let running = try WeightStorage<Cell>(count: count)
    let average = try WeightAverage(count: count, window: .merges(3))
    var positions = RandomPositions(seed: 8)
    var history: [[Double]] = []
    for merge in 0..<6 {
      for index in 0..<count { running[index].weight = Float(positions.number(in: -1000...1000)) }
      try running.reading { try average.merge($0, merges: merge..<merge + 1) }
      history.append((0..<count).map { Double(running[$0].weight) })
      if merge == 2 {
        // Until the window is full, the average is the plain mean.
        for index in 0..<count {
          let mean = history.reduce(0) { $0 + $1[index] } / 3
          #expect(abs(Double(average.weights[index].weight) - mean) < 0.001)
        }
      }
    }
    for index in 0..<count {
      // After that, each merge has a share of one third.
      let first = (history[0][index] + history[1][index] + history[2][index]) / 3
      let expected = history[3...].reduce(first) { $0 * 2 / 3 + $1[index] / 3 }
      #expect(abs(Double(average.weights[index].weight) - expected) < 0.001)
    }
  }

  /// The window grows with the run: with half of it, the k-th merge counts 2/k.
  @Test func aPartOfTheRun() throws {
    let running = try WeightStorage<PlainCell>(count: 8)
    let average = try WeightAverage(count: 8, window: .part(percent: 50))
    var expected = 0.0
    for merge in 0..<20 {
      let weight = Double(merge * merge)
      for index in 0..<8 { running[index].weight = Float(weight) }
      try running.reading { try average.merge($0, merges: merge..<merge + 1) }
      let share = min(1, 2 / Double(merge + 1))
      expected += share * (weight - expected)
      #expect((0..<8).allSatisfy { abs(Double(average.weights[$0].weight) - expected) < 0.001 })
    }
  }

  /// A snapshot keeps its weights while the average changes. Without a snapshot in use, the average changes in place.
  @Test func snapshotsStay() throws {
    let running = try WeightStorage<CoherenceCell>(count: 100)
    let average = try WeightAverage(count: 100, window: .merges(2))
    #expect(average.isEmpty)
    for index in 0..<100 { running[index].weight = Float(index * 8) }
    try running.reading { try average.merge($0, merges: 0..<1) }
    #expect(!average.isEmpty)
    let snapshot = average.snapshot()
    for index in 0..<100 { running[index].weight = -4 }
    try running.reading { try average.merge($0, merges: 1..<2) }
    #expect(average.weights !== snapshot)
    let storage = ObjectIdentifier(average.weights)
    try running.reading { try average.merge($0, merges: 2..<3) }
    #expect(ObjectIdentifier(average.weights) == storage)
    for index in 0..<100 {
      #expect(snapshot[index].weight == Float(index * 8))
      #expect(average.weights[index].weight == Float(index * 2) - 3)
    }
  }

  /// Three stages. A weight that a later stage takes over late counts, for the time before, with the value that was
  /// played: the weight of the nearest earlier stage that had one.
  @Test func weightsTakenOverLateAreAveragedAsTheyPlayed() throws {
    let stages = try StagePartition(text: "largest=2048,8192")
    let specification = try NetworkSpecification(patterns: [TuplePattern(text: "01")], stages: stages)
    let size = specification.stageWeightCount
    let running = try WeightStorage<CoherenceCell>(count: specification.weightCount)
    let average = try WeightAverage(count: specification.weightCount, window: .merges(100))
    var played = [Double](repeating: 0, count: specification.weightCount)
    for merge in 0..<8 {
      for index in 0..<size {
        running[index].weight = Float(100 * index + merge * merge + 1)
        // Each weight is set at a time of its own; the second stage's even ones are never set.
        if index % 2 == 1, merge > index % 7 { running[size + index].weight = Float(-7 * index - merge) }
        if merge > index % 6 + 1 { running[2 * size + index].weight = Float(3 * index + 2 * merge) }
      }
      try running.reading { try average.merge($0, merges: merge..<merge + 1, filled: specification) }
      for index in played.indices {
        let weight = stride(from: index, through: 0, by: -size).map { running[$0].weight }.first { $0 != 0 } ?? 0
        played[index] += Double(weight)
      }
    }
    average.weights.exclusively { $0.fillStages(of: specification) }
    for index in played.indices {
      #expect(abs(Double(average.weights[index].weight) - played[index] / 8) < 0.01, "\(index)")
    }
  }

  @Test func plainWeights() throws { try Self.run(PlainCell.self) }
  @Test func weightsWithCoherenceSums() throws { try Self.run(CoherenceCell.self) }
}
