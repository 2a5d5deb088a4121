/// The progress of the runs of a sweep, and the time that is left.
struct SweepProgress {
  /// A run's games: those it had when the sweep was started, those it has, and those it is to have.
  struct Run {
    var first = 0
    /// A run that resumes removes records of games after its checkpoint.
    var games = 0 { didSet { first = min(first, games) } }
    let target: Int
    var isActive = false
    /// Whether it has been trained, or has failed: it takes no more time.
    var isOver = false

    /// The share of the run that this sweep does itself, in 0...1.
    var share: Double { share(of: target) }
    /// The share that it has done.
    var done: Double { isOver ? share : share(of: games) }

    private func share(of games: Int) -> Double { Double(max(games - first, 0)) / Double(max(target, 1)) }
  }

  var runs: [Run]

  init(targets: [Int]) { runs = targets.map { Run(target: $0) } }

  /// Seconds until all runs are trained, at the speed so far; `nil` before the first games. Runs of equal length are
  /// taken to be equally fast.
  func rest(after seconds: Double) -> Double? {
    let done = runs.reduce(0) { $0 + $1.done }
    let whole = runs.reduce(0) { $0 + $1.share }
    return done > 0 ? seconds * (whole - done) / done : nil
  }

  /// The line for people, the most wanted first: a narrow terminal shows the fields that fit.
  func text(after seconds: Double) -> String {
    let active = runs.filter { $0.isActive && !$0.isOver }
      .map { "\(Format.grouped($0.games))/\(Format.grouped($0.target))" }
    return "\(runs.count { $0.isOver })/\(runs.count) runs"
      + (rest(after: seconds).map { "  ETA \(Format.duration($0))" } ?? "")
      + (active.isEmpty ? "" : "  games " + active.joined(separator: ", "))
  }
}
