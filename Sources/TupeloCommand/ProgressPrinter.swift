internal import TupeloTraining

/// Shows the progress of training: one updated line on a terminal, a plain line per number of games elsewhere.
struct ProgressPrinter {
  private let target: Int
  private let reportGames: Int
  private let isLive: Bool
  private var window = TrainingProgress()
  /// The last full window, which the live line shows until the next one is full.
  private var shown: TrainingProgress?

  init(target: Int, reportGames: Int, isLive: Bool = Terminal.outputIsTerminal) {
    self.target = target
    self.reportGames = reportGames
    self.isLive = isLive
  }

  /// - Parameters:
  ///   - round: the progress since the last call
  ///   - games: the total number of games
  mutating func add(_ round: TrainingProgress, games: Int) {
    window.add(round)
    let isBoundary = games.isMultiple(of: reportGames) || games >= target
    if isLive {
      let recent = shown ?? window
      let rest = Double(target - games) * window.seconds / Double(max(window.games, 1))
      // The most important facts come first, because a narrow terminal cuts the end off.
      Terminal.status(
        "\(Format.grouped(games))/\(Format.grouped(target)) games  ETA \(Format.duration(rest))  "
          + "average \(Format.grouped(recent.scoreMean))  2048 \(Format.percent(recent.rate(of: 2048)))  "
          + "\(Format.rate(window.movesPerSecond)) moves/s")
    } else if isBoundary {
      Terminal.line(Self.line(window, games: games))
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
      "evaluation games=\(games) average=\(Int(report.scoreMean.rounded())) margin=\(Int(report.scoreMargin.rounded()))"
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

  /// A line of `key=value` pairs about one window of games.
  static func line(_ window: TrainingProgress, games: Int) -> String {
    [
      "games=\(games)",
      "average=\(Int(window.scoreMean.rounded()))",
      "max=\(window.scoreMax)",
      "2048=\(Format.percent(window.rate(of: 2048)))",
      "8192=\(Format.percent(window.rate(of: 8192)))",
      "td_error=\(Int(window.absoluteErrorMean.rounded()))",
      "moves/s=\(Int(window.movesPerSecond.rounded()))",
    ].joined(separator: " ")
  }
}
