internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// Shows the progress of training: one updated line on a terminal, a plain line per number of games elsewhere.
struct ProgressPrinter {
  private let target: Int
  private let reportGames: Int
  /// The rules of the game, which decide the fields of a line.
  private let rules: GameRules
  /// The time at which training stops, even if games are left; `nil` for never.
  private let end: ContinuousClock.Instant?
  private let isLive: Bool
  /// Whether only evaluations and warnings are printed.
  private let isQuiet: Bool
  private var forecast: RunForecast
  private var window = TrainingProgress()
  /// The last full window, which the live line shows until the next one is full.
  private var shown: TrainingProgress?

  /// - Parameters:
  ///   - minutes: the minutes of training; 0 means no limit
  ///   - games: the games of the run so far
  ///   - moves: their moves
  init(
    target: Int, reportGames: Int, rules: GameRules, minutes: Double, games: Int, moves: Int, isQuiet: Bool
  ) {
    self.target = target
    self.reportGames = reportGames
    self.rules = rules
    end = minutes > 0 ? .now + .seconds(60 * minutes) : nil
    self.isQuiet = isQuiet
    isLive = Terminal.outputIsTerminal && !isQuiet
    forecast = RunForecast(games: games, moves: moves)
  }

  /// - Parameters:
  ///   - round: the progress since the last call
  ///   - games: the total number of games
  mutating func add(_ round: TrainingProgress, games: Int) {
    guard !isQuiet else { return }
    window.add(round)
    forecast.add(games: round.games, moves: round.moves, seconds: round.seconds)
    let isBoundary = games / reportGames > (games - round.games) / reportGames || games >= target
    if isLive {
      let recent = shown ?? window
      // The most wanted first: a narrow terminal shows the fields that fit.
      let rate = rules.rates(of: recent).first.map { "\($0.name) \(Format.percent($0.rate))  " } ?? ""
      let scores = recent.freshGames > 0 ? "average \(rules.game.text(ofMean: recent.scoreMean))  " + rate : ""
      Terminal.status(
        "\(Format.grouped(games))/\(Format.grouped(target)) games  ETA \(Format.duration(secondsLeft(after: games)))  "
          + scores
          + "\(Format.grouped(window.movesPerSecond)) moves/s")
    } else if isBoundary {
      Terminal.line(line(window, games: games) + rest(after: games))
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
      "evaluation games=\(games) average=\(plain(report.scoreMean)) margin=\(plain(report.scoreMargin))"
        + (isBest ? " best" : ""))
  }

  /// Prints a warning about a file that could not be written, while training continues.
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
        "average=\(plain(window.scoreMean))",
        "max=\(Format.whole(window.scoreMax))",
      ] + rules.rates(of: window).map { "\($0.name)=\(Format.percent($0.rate))" }
    let all = [
      "td_error=\(plain(window.absoluteErrorMean))",
      "moves/s=\(Format.grouped(window.movesPerSecond))",
    ]
    return (["games=\(games)"] + (window.freshGames > 0 ? scores : []) + all).joined(separator: " ")
  }
}

extension ProgressPrinter {
  /// A score or error without separators: points in full, Sets with three digits.
  private func plain(_ value: Double) -> String { rules.game.plainText(ofMean: value) }

  /// The end of a line: the games to train in all, and how long those to come will take.
  private func rest(after games: Int) -> String {
    " goal=\(target)" + (games < target ? " eta=\(Format.duration(secondsLeft(after: games)))" : "")
  }

  /// Seconds of training to come, within the time limit.
  private func secondsLeft(after games: Int) -> Double {
    let seconds = forecast.secondsLeft(until: target)
    guard let end else { return seconds }
    return min(seconds, max((end - .now) / .seconds(1), 0))
  }
}
