internal import ArgumentParser
internal import TupeloRuns

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares runs: the settings in which they differ, and their scores.",
    usage: "tupelo compare <runs> ... [<options>]",
    discussion: """
      The scores are from the evaluations after training. When an evaluation is missing, or the runs were trained for \
      different numbers of games, the latest scores at equal numbers of games are shown, too. They are from \
      evaluations during training ("interim"), or else from the training games.

      A difference has a 95% interval by Welch's t. The interval covers the chance of the evaluation games, and not \
      the difference that another training seed makes: tupelo sweep --seeds measures this one. A comparison is \
      "underpowered" when its interval contains zero and differences of more than 1%. The last line is the minimum \
      detectable difference: four of five such comparisons find a true difference of this size.

      With more than two runs, the first run is the baseline, and each other run is compared with it. tupelo runs \
      lists the runs of a folder by score.

      Example:
        tupelo train --layout 17x4 --games 2k --output runs/full
        tupelo train --layout 17x4 --games 2k --alpha 0.5 --output runs/half
        tupelo compare runs/full runs/half
      """)

  @Argument(help: "Run folders, at least two; the first one is the baseline.", completion: .directory)
  var runs: [String]

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard runs.count > 1 else { throw CommandEnd.wrong("compare is given one run: name another to compare it with") }
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
