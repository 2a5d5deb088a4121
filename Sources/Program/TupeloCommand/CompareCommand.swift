internal import ArgumentParser
internal import TupeloRuns

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Says in which settings runs differ, and in their scores.",
    discussion: """
      Scores are those of the evaluations after training. Where one is missing, or the runs have learned from \
      different numbers of games, the latest scores at equal numbers of games are shown, too: of evaluations beside \
      training (interim), else of the training games.
      The difference has a 95% interval by Welch's t. It is of the evaluation games alone: how much another training \
      seed changes, tupelo sweep --seeds tells. The last line says the smallest difference that four such comparisons \
      of five would show. A comparison is underpowered where the interval has zero in it and differences of more than \
      1%.
      With more than two runs, the first one is the baseline: each of the others is compared with it, by an interval \
      of its own. tupelo runs lists the runs of a folder by score.
      """)

  @Argument(help: "Run folders, at least two; the first one is the baseline.", completion: .directory)
  var runs: [String]

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard runs.count > 1 else { throw ValidationError("compare is given one run: name another to compare it with") }
  }

  func run() throws {
    if runs.count == 2 {
      let comparison = try RunComparison(runs[0], runs[1])
      return Terminal.line(json ? comparison.json : ComparisonText.text(comparison))
    }
    let comparison = try BaselineComparison(runs)
    Terminal.line(json ? comparison.json : ComparisonText.text(comparison))
  }
}
