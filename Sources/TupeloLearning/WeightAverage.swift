internal import TupeloBLAS
public import TupeloNetwork

/// The average of the weights over the last stretch of training, which plays better than the last weights do (Polyak & Juditsky 1992):
/// the noise of single updates cancels, what has been learned does not.
///
/// The k-th merge sets W_avg += (W - W_avg) / min(k, window): the plain mean of the first `window` merges, then an exponential one that
/// forgets as fast. One pass over the table per merge, by BLAS.
public final class WeightAverage: Sendable {
  public let weights: WeightStorage<PlainCell>
  /// Merges that the average looks back on.
  public let window: Int

  /// - Throws: `WeightStorageError.outOfMemory`.
  public init(count: Int, window: Int) throws(WeightStorageError) {
    weights = try WeightStorage(count: count)
    self.window = window
  }

  /// Takes in the weights as they stand.
  ///
  /// - Parameter merges: how many merges there have been before this one.
  /// - Precondition: as many weights as here, and no worker changes them meanwhile.
  /// - Complexity: O(count), bound by memory.
  public func merge<Cell: WeightCell>(_ running: WeightStorage<Cell>, merges: Int) {
    precondition(running.count == weights.count)
    let share = 1 / Float(min(merges + 1, window))
    running.withWords { running in
      weights.withMutableWords { average in
        BLAS.axpby(share, running, stride: Cell.stride / 4, 1 - share, &average)
      }
    }
  }
}
