import TestSupport
import Testing
import TupeloLearning
import TupeloNetwork

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
      average.merge(running, merges: merge)
      history.append((0..<count).map { Double(running[$0].weight) })
      if merge == 2 {
        // Until the window is full: the plain mean.
        for index in 0..<count {
          let mean = history.reduce(0) { $0 + $1[index] } / 3
          #expect(abs(Double(average.weights[index].weight) - mean) < 0.001)
        }
      }
    }
    for index in 0..<count {
      // From then on each merge takes a third.
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
      average.merge(running, merges: merge)
      let share = min(1, 2 / Double(merge + 1))
      expected += share * (weight - expected)
      #expect((0..<8).allSatisfy { abs(Double(average.weights[$0].weight) - expected) < 0.001 })
    }
  }

  /// Each weight goes a quarter of the way to its average; what stands beside it stays.
  @Test func theWeightsArePulledToTheirAverage() throws {
    let running = try WeightStorage<CoherenceCell>(count: 100)
    let average = try WeightAverage(count: 100, window: .merges(1))
    for index in 0..<100 {
      running[index].weight = Float(index * 8)
      running[index].errorSum = 3
      running[index].absoluteErrorSum = 5
    }
    average.merge(running, merges: 0)
    for index in 0..<100 { running[index].weight = -4 }
    average.pull(running, by: 0.25)
    for index in 0..<100 {
      #expect(running[index].weight == -3 + Float(index * 2))
      #expect(running[index].errorSum == 3 && running[index].absoluteErrorSum == 5)
      #expect(average.weights[index].weight == Float(index * 8))
    }
  }

  @Test func plainWeights() throws { try Self.run(PlainCell.self) }
  @Test func weightsWithCoherenceSums() throws { try Self.run(CoherenceCell.self) }
}
