/// How far an average looks back.
public enum AveragingWindow: Hashable, Sendable {
  /// s = 1 / min(k, n): the plain mean of the first n merges, then an exponential one that forgets as fast.
  case merges(Int)
  /// s = 1 / max(1, f k): about the last part f of the run, a percentage, however long it is by then (polynomial decay,
  /// Shamir & Zhang 2013, with eta = 1/f - 1).
  case part(percent: Float)

  /// The share of the newest weights.
  ///
  /// - Parameter merges: how many merges there have been before this one.
  package func share(after merges: Int) -> Float {
    switch self {
    case .merges(let count): 1 / Float(min(merges + 1, count))
    case .part(let percent): 1 / max(1, percent / 100 * Float(merges + 1))
    }
  }
}
