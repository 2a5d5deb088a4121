internal import TupeloBLAS
public import TupeloNetwork

/// The average of the weights over the last stretch of training, which plays better than the last weights do (Polyak & Juditsky 1992):
/// the noise of single updates cancels, what has been learned does not.
///
/// The k-th merge sets W_avg += s (W - W_avg), s being what its window says. One pass over the table per merge, by a loop: twice as fast
/// as `saxpby` of OpenBLAS (TupeloBLAS/README.md).
public final class WeightAverage: Sendable {
  public let weights: WeightStorage<PlainCell>
  public let window: Window

  /// How far an average looks back.
  public enum Window: Hashable, Sendable {
    /// s = 1 / min(k, n): the plain mean of the first n merges, then an exponential one that forgets as fast.
    case merges(Int)
    /// s = 1 / max(1, f k): about the last part f of the run, a percentage, however long it is by then (polynomial decay, Shamir & Zhang 2013, with
    /// eta = 1/f - 1).
    case part(percent: Float)

    /// The share of the newest weights.
    ///
    /// - Parameter merges: how many merges there have been before this one.
    func share(after merges: Int) -> Float {
      switch self {
      case .merges(let count): 1 / Float(min(merges + 1, count))
      case .part(let percent): 1 / max(1, percent / 100 * Float(merges + 1))
      }
    }
  }

  /// - Throws: `WeightStorageError.outOfMemory`.
  public init(count: Int, window: Window) throws(WeightStorageError) {
    weights = try WeightStorage(count: count)
    self.window = window
  }

  /// Takes in the weights as they stand.
  ///
  /// - Parameters:
  ///   - merges: how many merges there have been before this one.
  ///   - filled: the network, where weights of its later stages that are zero play as those of earlier ones. The first time that one is not
  ///     zero, it counts as having been that of the earlier stage so far, not zero.
  /// - Precondition: as many weights as here, and no worker changes them meanwhile.
  /// - Complexity: O(count), bound by memory.
  public func merge<Cell: WeightCell>(
    _ running: WeightStorage<Cell>, merges: Int, filled: NetworkSpecification? = nil
  ) {
    precondition(running.count == weights.count)
    if let filled { weights.fillStages(of: filled, takenOverIn: running) }
    let share = window.share(after: merges)
    running.withWeights { running in
      weights.withMutableWeights { PlainLoops.axpby(share, running, 1 - share, &$0) }
    }
  }

  /// Lookahead (Zhang et al. 2019): the running weights go part of the way back to their average, W += share (W_avg - W).
  ///
  /// - Parameter share: in 0...1
  /// - Precondition: as many weights as here, and no worker changes them meanwhile.
  /// - Complexity: O(count), bound by memory.
  public func pull<Cell: WeightCell>(_ running: WeightStorage<Cell>, by share: Float) {
    precondition(running.count == weights.count)
    weights.withWeights { average in
      running.withMutableWeights { PlainLoops.axpby(share, average, 1 - share, &$0) }
    }
  }
}
