internal import Threads
internal import TupeloLearning
internal import TupeloTraining

extension Benchmark {
  /// Measures the dense part of a batch: values, errors and steps of states whose weights have been gathered, with the
  /// 32 features of 4x6.
  ///
  /// - Parameter rows: the number of states in the batch.
  static func arithmetic(batch rows: Int) -> [Benchmark] {
    let share: Float = 1 / 32
    return compare("batch arithmetic \(rows)", rows, unit: "states") { _ in
      let states = GatheredStates(rows: rows, columns: 32)
      return (
        { states.work { $0.computeByBLAS(rows: rows, share: share) } },
        { states.work { $0.computeByLoop(rows: rows, share: share) } }
      )
    }
  }

  private final class GatheredStates: Sendable {
    private let batch: Locked<DenseBatch>

    init(rows: Int, columns: Int) {
      var dense = DenseBatch(rows: rows, columns: columns)
      for index in dense.weights.indices { dense.weights[index] = Float(index % 97) }
      for row in 0..<rows { dense.targets[row] = Float(row) }
      batch = Locked(dense)
    }

    func work(_ body: (inout DenseBatch) -> Void) {
      batch.withLock {
        body(&$0)
        keep(Double($0.steps[0]))
      }
    }
  }
}
