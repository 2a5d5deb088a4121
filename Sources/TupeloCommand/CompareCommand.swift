internal import ArgumentParser
internal import TupeloRuns

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Says in which settings two runs differ, and in their scores.",
    discussion: """
      Scores are those of the evaluations after training. Where one is missing, or the runs have learned from \
      different numbers of games, the latest scores at equal numbers of games are shown, too: of evaluations beside \
      training (interim), else of the training games.
      The difference has a 95% interval by Welch's t. It is of the evaluation games alone: how much another training \
      seed changes, tupelo sweep --seeds tells. The last line says the smallest difference that four such comparisons \
      of five would show. A comparison is underpowered where the interval has zero in it and differences of more than \
      1%.
      """)

  @Argument(help: "Run folder.", completion: .directory)
  var first: String

  @Argument(help: "Run folder to compare with the first.", completion: .directory)
  var second: String

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func run() throws {
    let comparison = try RunComparison(first, second)
    Terminal.line(json ? comparison.json : ComparisonText.text(comparison))
  }
}
