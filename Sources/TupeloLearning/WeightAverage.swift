internal import TupeloBLAS
package import TupeloNetwork
package import TupeloTables

/// The average of the weights over the last stretch of training, which plays better than the last weights do (Polyak &
/// Juditsky 1992): the noise of single updates cancels, what has been learned does not.
///
/// The k-th merge sets W_avg += s (W - W_avg), s being what its window says. One pass over the table per merge, by a
/// loop: twice as fast as `saxpby` of OpenBLAS (TupeloBLAS/README.md).
package final class WeightAverage: Sendable {
  package let weights: WeightStorage<PlainCell>
  package let window: AveragingWindow

  /// - Throws: `WeightStorageError.outOfMemory`.
  package init(count: Int, window: AveragingWindow) throws(WeightStorageError) {
    weights = try WeightStorage(count: count)
    self.window = window
  }

  /// Takes in the weights as they stand.
  ///
  /// - Parameters:
  ///   - merges: how many merges there have been before this one.
  ///   - filled: the network, where weights of its later stages that are zero play as those of earlier ones. The first
  ///     time that one is not zero, it counts as having been that of the earlier stage so far, not zero.
  /// - Precondition: as many weights as here.
  /// - Complexity: O(count), bound by memory.
  package func merge<Cell: WeightCell>(
    _ running: borrowing ExclusiveWeights<Cell>, merges: Int, filled: NetworkSpecification? = nil
  ) {
    precondition(running.count == weights.count)
    let share = window.share(after: merges)
    weights.exclusively { average in
      if let filled { average.fillStages(of: filled, takenOverIn: running) }
      running.withWeights { running in
        average.withMutableWeights { PlainLoops.axpby(share, running, 1 - share, &$0) }
      }
    }
  }

  /// Lookahead (Zhang et al. 2019): the running weights go part of the way back to their average, W += share (W_avg -
  /// W).
  ///
  /// - Parameter share: in 0...1
  /// - Precondition: as many weights as here.
  /// - Complexity: O(count), bound by memory.
  package func pull<Cell: WeightCell>(_ running: inout ExclusiveWeights<Cell>, by share: Float) {
    precondition(running.count == weights.count)
    weights.exclusively { average in
      average.withWeights { average in
        running.withMutableWeights { PlainLoops.axpby(share, average, 1 - share, &$0) }
      }
    }
  }
}
