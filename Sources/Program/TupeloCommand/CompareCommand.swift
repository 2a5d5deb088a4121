internal import ArgumentParser
internal import TupeloReports

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares runs, or settings over seeds: differences and scores.",
    usage: "tupelo compare <runs> ... [<options>]",
    discussion: """
      Runs whose settings differ only in the seed are a group; the folder of a sweep has a group for each variant. \
      Each run is one number of its group, because the games of a run are played by one network. Groups are compared \
      with the first one, the baseline: by the evaluations after training, at equal games, and at equal time of \
      training. A group has its mean with a 95% interval by Student's t, and its interquartile mean (IQM) with a \
      bootstrap interval. A difference has an interval by Welch's t and the probability that a run of the group beats \
      one of the baseline. The verdict is by the difference of means; with fewer than five runs of a group there is \
      none.

      Two runs, and runs without a group, are compared as agents: the intervals cover the chance of the evaluation \
      games, and not the difference that another seed makes. When an evaluation is missing, or the runs were trained \
      for different numbers of games, the latest scores at equal numbers of games are shown, too. A comparison is \
      "underpowered" when its interval contains zero and differences of more than 1%. The last line is the minimum \
      detectable difference: four of five such comparisons find a true difference of this size.

      Example:
        tupelo sweep --vary learner.alpha=0.5,1 --games 1k --seeds 1-5 --output alpha
        tupelo compare alpha
      """)

  @Argument(
    help: "Run folders and folders of runs, such as those of sweeps; the first run or group is the baseline.",
    completion: .directory)
  var runs: [String]

  @Option(name: .long, help: ArgumentHelp("The group or run to compare the others with.", valueName: "name"))
  var baseline: String?

  @Flag(name: .long, help: "Print comma-separated values.")
  var csv = false

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !csv || !json else { throw CommandEnd.wrong("--csv and --json are two forms of the table: give one of them") }
  }

  func run() throws {
    let comparison: Comparison
    do {
      comparison = try Comparison(runs, baseline: baseline)
    } catch let error as ComparisonError {
      throw error.isTyped ? ValidationError("\(error)") : error
    }
    Terminal.line(csv ? comparison.csv : json ? comparison.json : ComparisonText.text(comparison))
  }
}
