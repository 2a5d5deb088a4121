internal import TupeloBLAS
package import TupeloNetwork
package import TupeloTables

/// The average of the weights over the last stretch of training, which plays better than the last weights do (Polyak &
/// Juditsky 1992): the noise of single updates cancels, what has been learned does not.
///
/// The k-th merge sets W_avg += s (W - W_avg), s being what its window says. One pass over the table per merge, by a
/// loop: twice as fast as `saxpby` of OpenBLAS (configs/RESULTS.md).
package final class WeightAverage {
  package private(set) var weights: WeightStorage<PlainCell>
  /// Whether no weights have been taken in yet.
  package var isEmpty = true
  package let window: AveragingWindow

  /// - Throws: `WeightStorageError.outOfMemory`.
  package init(count: Int, window: AveragingWindow) throws(WeightStorageError) {
    weights = try WeightStorage(count: count)
    self.window = window
  }

  /// The average as it is. It is copied by the next merge, if it is still in use then.
  package func snapshot() -> WeightStorage<PlainCell> { weights }

  /// Takes in the weights as they stand.
  ///
  /// - Parameters:
  ///   - merges: how many merges there have been before this one.
  ///   - filled: the network, where weights of its later stages that are zero play as those of earlier ones. The first
  ///     time that one is not zero, it counts as having been that of the earlier stage so far, not zero.
  /// - Throws: `WeightStorageError.outOfMemory` when a snapshot is still in use and there is no room for a copy.
  /// - Precondition: as many weights as here.
  /// - Complexity: O(count), bound by memory.
  package func merge<Cell: WeightCell>(
    _ running: borrowing ExclusiveWeights<Cell>, merges: Int, filled: NetworkSpecification? = nil
  ) throws(WeightStorageError) {
    precondition(running.count == weights.count)
    try detach()
    let share = window.share(after: merges)
    weights.exclusively { average in
      if let filled { average.fillStages(of: filled, takenOverIn: running) }
      running.withWeights { running in
        average.withMutableWeights { PlainLoops.axpby(share, running, 1 - share, &$0) }
      }
    }
    isEmpty = false
  }

  private func detach() throws(WeightStorageError) {
    guard !isKnownUniquelyReferenced(&weights) else { return }
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    weights.exclusively { weights in copy.exclusively { $0.copyWeights(of: weights) } }
    weights = copy
  }
}
