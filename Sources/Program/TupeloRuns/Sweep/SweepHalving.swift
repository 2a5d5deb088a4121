internal import TupeloTraining

/// Successive halving (Jamieson and Talwalkar 2016): all variants are trained for a few games, the best of them for
/// more, and so on, until the last ones have had all games.
///
/// A run of a later round continues in the same folder, so a variant that stays to the end has the weights of an
/// undivided run.
public struct SweepHalving: Hashable, Sendable {
  /// The games of the first round.
  public let firstGames: Int
  /// The factor by which games grow from round to round, and variants become fewer; at least 2.
  public let factor: Int

  public init(firstGames: Int, factor: Int) {
    precondition(firstGames > 0 && factor > 1, "halving needs games and a factor of at least 2")
    (self.firstGames, self.factor) = (firstGames, factor)
  }

  /// The games that a run has had at the end of each round, up to `games`.
  func rounds(to games: Int) -> [Int] {
    var rounds: [Int] = []
    var next = firstGames
    while next < games {
      rounds.append(next)
      let (product, isTooLarge) = next.multipliedReportingOverflow(by: factor)
      next = isTooLarge ? games : product
    }
    return rounds + [games]
  }

  /// The variants of the next round, best first: one of `factor`, rounded up. A variant with an unfinished run is not
  /// among them.
  func best(of variants: [SweepSummary.Variant]) -> [String] {
    let complete = variants.filter { $0.seeds.count == $0.runs }
    let ranked = SweepSummary.ranked(complete)
    return ranked.prefix((variants.count + factor - 1) / factor).map(\.name)
  }
}

extension SweepPlan {
  /// The runs to begin with: all of them, trained for the games of the first round.
  public var firstRound: [SweepRun] {
    guard let halving, let games = runs.first?.configuration.training.games else { return runs }
    let rounds = halving.rounds(to: games)
    return runs.map { $0.trained(to: rounds[0], of: rounds) }
  }

  /// The runs of the round after one: those of the best variants, trained for more games. A single variant gets all
  /// games at once.
  ///
  /// - Returns: `nil` after the last round, where a run has not ended, and where no variant is left.
  public func round(after runs: [SweepRun], _ endings: [SweepSummary.Ending]) -> [SweepRun]? {
    guard let halving, let last = self.runs.first?.configuration.training.games,
      let done = runs.first?.configuration.training.games, done < last, endings.allSatisfy(\.isOver)
    else { return nil }
    let rounds = halving.rounds(to: last)
    let best = halving.best(of: SweepSummary(runs, endings).variants)
    let games = best.count == 1 ? last : rounds.first { $0 > done } ?? last
    let next = runs.filter { best.contains($0.variant) }.map { $0.trained(to: games, of: rounds) }
    return next.isEmpty ? nil : next
  }
}

extension SweepSummary.Ending {
  /// Whether the run has finished or failed.
  fileprivate var isOver: Bool {
    switch self {
    case .finished, .failed: true
    case .stopped, .waiting: false
    }
  }
}
