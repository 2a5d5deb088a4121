internal import TupeloBLAS
package import TupeloLearning
package import TupeloNetwork
package import TupeloTables

/// The average of the weights over the last part of training. It plays better than the last weights, because the noise
/// of single updates cancels out (Polyak & Juditsky 1992).
///
/// The k-th merge sets W_avg += s (W - W_avg), where `window` gives s. A merge is one pass over the table while all
/// workers wait. It takes about 1 to 4% of training time on 4x6, with a merge every 1,000 games. A plain loop on one
/// thread does it:
///
/// - The loop is twice as fast as `saxpby` of OpenBLAS with one thread (configs/RESULTS.md).
/// - `sscal` and `saxpy` take 1.1 to 1.4 times as long as the loop, also in blocks that stay in the cache. The sum of
///   `saxpy` is rounded once or twice, depending on the processor, so runs would differ between machines.
/// - The memory's speed is the limit. Two threads were not faster than one on two busy cores. They would give the same
///   bits.
package final class WeightAverage {
  package private(set) var weights: WeightStorage<PlainCell>
  /// Whether no weights have been merged yet.
  package var isEmpty = true
  package let window: AveragingWindow
  /// The weights whose average changes after the first merge.
  private let changeable: [Range<Int>]

  /// - Parameter ranges: the weights that training changes; by default all. The first merge takes the other weights,
  ///   too, and then their average stays.
  /// - Throws: `WeightStorageError.outOfMemory`.
  package init(
    count: Int, window: AveragingWindow, changing ranges: [Range<Int>]? = nil
  ) throws(WeightStorageError) {
    weights = try WeightStorage(count: count)
    (self.window, changeable) = (window, ranges ?? [0..<count])
  }

  /// The present average. If it is still in use at the next merge, that merge copies it.
  package func snapshot() -> WeightStorage<PlainCell> { weights }

  /// Merges the present weights into the average.
  ///
  /// - Parameters:
  ///   - merges: the numbers of the merges that the present weights stand for, counted from 0. There are several when
  ///     replicas have played through several periods in one round
  ///   - filled: the network, if play replaces zero weights of its later stages with weights of earlier stages. For a
  ///     weight that is not zero for the first time, the average so far is then the earlier stage's average, not zero.
  /// - Throws: `WeightStorageError.outOfMemory` if a snapshot is still in use and a copy does not fit into memory.
  /// - Precondition: `running` has as many weights as the average.
  /// - Complexity: O(count), bound by memory.
  package func merge<Cell: WeightCell>(
    _ running: borrowing ReadableWeights<Cell>, merges: Range<Int>, filled: NetworkSpecification? = nil
  ) throws(WeightStorageError) {
    precondition(running.count == weights.count)
    try detach()
    let share = isEmpty ? 1 : window.share(of: merges)
    weights.exclusively(changing: isEmpty ? nil : changeable) { average in
      if let filled { average.fillStages(of: filled, takenOverIn: running) }
      running.withWeights { running in
        for range in average.changeable {
          average.withMutableWeights(of: range) {
            PlainLoops.axpby(share, running.extracting(range), 1 - share, &$0)
          }
        }
      }
    }
    isEmpty = false
  }

  private func detach() throws(WeightStorageError) {
    guard !isKnownUniquelyReferenced(&weights) else { return }
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    weights.reading { weights in copy.exclusively { $0.copyWeights(of: weights) } }
    weights = copy
  }
}
