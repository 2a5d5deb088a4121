internal import TupeloTraining

/// Shows the progress of training: one updated line on a terminal, a plain line per number of games elsewhere.
struct ProgressPrinter {
  private let target: Int
  private let reportGames: Int
  /// The tiles whose rates are shown.
  private let tiles: [Int]
  private let isLive: Bool
  private var window = TrainingProgress()
  /// The last full window, which the live line shows until the next one is full.
  private var shown: TrainingProgress?

  init(target: Int, reportGames: Int, tiles: [Int], isLive: Bool = Terminal.outputIsTerminal) {
    self.target = target
    self.reportGames = reportGames
    self.tiles = tiles
    self.isLive = isLive
  }

  /// - Parameters:
  ///   - round: the progress since the last call
  ///   - games: the total number of games
  mutating func add(_ round: TrainingProgress, games: Int) {
    window.add(round)
    let isBoundary = games / reportGames > (games - round.games) / reportGames || games >= target
    if isLive {
      let recent = shown ?? window
      let rest = Double(target - games) * window.seconds / Double(max(window.games, 1))
      // The most wanted first: a narrow terminal cuts the end off.
      let rate = tiles.first.map { "\($0) \(Format.percent(recent.rate(of: $0)))  " } ?? ""
      let scores = recent.freshGames > 0 ? "average \(Format.grouped(recent.scoreMean))  " + rate : ""
      Terminal.status(
        "\(Format.grouped(games))/\(Format.grouped(target)) games  ETA \(Format.duration(rest))  " + scores
          + "\(Format.rate(window.movesPerSecond)) moves/s")
    } else if isBoundary {
      Terminal.line(line(window, games: games))
    }
    if isBoundary {
      shown = window
      window = TrainingProgress()
    }
  }

  /// Prints an evaluation during training.
  func show(_ report: EvaluationReport, isBest: Bool, games: Int) {
    if isLive { Terminal.clearStatus() }
    Terminal.line(
      "evaluation games=\(games) average=\(Format.whole(report.scoreMean)) margin=\(Format.whole(report.scoreMargin))"
        + (isBest ? " best" : ""))
  }

  /// Prints a warning about a file that could not be written, while training goes on.
  func warn(_ text: String) {
    if isLive { Terminal.clearStatus() }
    Terminal.warning(text)
  }

  func finish() {
    if isLive { Terminal.clearStatus() }
  }

  /// A line of `key=value` pairs over one window of games. Scores are of games from a new board, and left out where
  /// there was none.
  private func line(_ window: TrainingProgress, games: Int) -> String {
    let scores =
      [
        "average=\(Format.whole(window.scoreMean))",
        "max=\(window.scoreMax)",
      ] + tiles.map { "\($0)=\(Format.percent(window.rate(of: $0)))" }
    let all = [
      "td_error=\(Format.whole(window.absoluteErrorMean))",
      "moves/s=\(Format.whole(window.movesPerSecond))",
    ]
    return (["games=\(games)"] + (window.freshGames > 0 ? scores : []) + all).joined(separator: " ")
  }
}
