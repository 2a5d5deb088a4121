/// The part of a run that a weight average covers.
public enum AveragingWindow: Hashable, Sendable {
  /// About the last n merges: s = 1 / min(k, n). This is the plain mean of the first n merges, and then an exponential
  /// average with this rate.
  case merges(Int)
  /// About the last part f of the run, in percent, for any length of the run: s = 1 / max(1, f k). This is polynomial
  /// decay (Shamir & Zhang 2013, with eta = 1/f - 1).
  case part(percent: Float)

  /// The share s of the newest weights in the average.
  ///
  /// - Parameter merges: the numbers of merges with these weights, counted from 0
  package func share(of merges: Range<Int>) -> Float {
    merges.dropFirst().reduce(merges.first.map(share) ?? 0) { $0 + (1 - $0) * share(of: $1) }
  }

  private func share(of merge: Int) -> Float {
    switch self {
    case .merges(let count): 1 / Float(min(merge + 1, count))
    case .part(let percent): 1 / max(1, percent / 100 * Float(merge + 1))
    }
  }
}
