internal import TupeloEngine
internal import TupeloNetwork

extension ConfigurationKey {
  /// All settings, in the order of the reference and of a resolved configuration; a section's keys stand together.
  package static let table: [ConfigurationKey] =
    run + rules + network + learner + averaging + training + evaluation + output

  private static let run = [
    ConfigurationKey(
      "name", .name, \.name, default: "the file's name, or run",
      "Names the run and its folder."),
    ConfigurationKey(
      "seed", .wholeNumber(0...UInt64.max), \.seed,
      "Decides all random numbers of training; one thread and one seed give the same weights bit for bit."),
  ]

  private static let rules = [
    ConfigurationKey(
      "rules.rows", .wholeNumber(2...4), draft: \.rows, resolved: { $0.rules.shape.rows },
      "Rows of the board."),
    ConfigurationKey(
      "rules.columns", .wholeNumber(2...4), draft: \.columns, resolved: { $0.rules.shape.columns },
      "Columns of the board."),
    ConfigurationKey(
      "rules.four_probability", .number(0...1), draft: \.fourProbability, resolved: { $0.rules.fourProbability },
      "The chance that a new tile is a 4 instead of a 2."),
    ConfigurationKey(
      "rules.start_tiles", .wholeNumber(1...15), draft: \.startTiles, resolved: { $0.rules.startTiles },
      "Tiles on the board when a game starts; fewer than it has cells."),
  ]

  private static let network = [
    ConfigurationKey(
      "network.layout", .layout, draft: \.layout, resolved: { _ in nil }, default: RunConfiguration.standardLayout,
      "A network by its name, for the 4x4 board. Give this or network.patterns."),
    ConfigurationKey(
      "network.patterns", .patterns, draft: \.patterns,
      resolved: { $0.network.patterns.map { PatternText(text: $0.text) } },
      default: "those of network.layout",
      "The n-tuples, as hex cells row by row from the top left, such as 012345 456789; at most 8 cells each."),
    ConfigurationKey(
      "network.symmetries", .choice([("shared", true), ("separate", false)]), draft: \.sharesSymmetries,
      resolved: { $0.network.sharesSymmetries }, default: "the layout's own; shared for network.patterns",
      "shared looks every pattern up on all symmetric boards in one table; separate looks at the board alone."),
  ]

  private static let learner = [
    ConfigurationKey(
      "learner.step_size", .choice(RunConfiguration.StepSize.Rule.allCases.map { ($0.name, $0) }),
      draft: \.stepSizeRule,
      resolved: { $0.stepSize.rule },
      "How far a weight moves for an error: each by how much its errors agree (Jaskowski 2016), or all the same."),
    ConfigurationKey(
      "learner.alpha", .number(above: 0, atMost: 1), draft: \.alpha, resolved: { $0.stepSize.alpha },
      default: "1.0 with temporal-coherence, 0.1 with constant",
      "The step size: each of the m weights behind a value moves by alpha / m of the error."),
    ConfigurationKey(
      "learner.initial_value", .number(0...10_000_000), \.initialValue,
      "Optimistic initialization: what every state is worth before training, in score points (Guei 2021)."),
  ]

  private static let averaging = [
    ConfigurationKey(
      "averaging.every_games", .wholeNumber(0...manyGames), \.averaging.everyGames,
      "Games between two merges of the weights into their average, which is what plays; 0 for no averaging."),
    ConfigurationKey(
      "averaging.window", .wholeNumber(1...1_000_000), \.averaging.window,
      "Merges that the average looks back on."),
  ]

  private static let training = [
    ConfigurationKey(
      "training.games", .wholeNumber(1...manyGames), \.training.games,
      "Games to train in all; a resumed run counts those of its past."),
    ConfigurationKey(
      "training.threads", .wholeNumber(1...1024), \.training.threads,
      "Games played and learned from at the same time, on shared weights."),
    ConfigurationKey(
      "training.report_games", .wholeNumber(1...manyGames), \.training.reportGames,
      "Games per progress line when the output is no terminal."),
  ]

  private static let evaluation = [
    ConfigurationKey(
      "evaluation.games", .wholeNumber(0...manyGames), \.evaluation.games,
      "Games to evaluate the trained network with; 0 for none."),
    ConfigurationKey(
      "evaluation.seed", .wholeNumber(0...UInt64.max), \.evaluation.seed,
      "Decides the evaluation games: the same seed gives every network the same luck."),
    ConfigurationKey(
      "evaluation.plies", .wholeNumber(1...6), \.evaluation.plies,
      "Search depth: 1 is greedy, each further ply adds one chance layer and one max layer."),
    ConfigurationKey(
      "evaluation.threads", .wholeNumber(1...1024), \.evaluation.threads, default: "the number of cores",
      "Evaluation games played at the same time; the result does not depend on it."),
  ]

  private static let output = [
    ConfigurationKey(
      "output.directory", .folder, \.output.directory, default: "null, which means runs/<name>__<seed>__<date-time>",
      "The run folder."),
    ConfigurationKey(
      "output.checkpoint_games", .wholeNumber(0...manyGames), \.output.checkpointGames,
      "Games between checkpoints; 0 for one at the end only."),
  ]

  private static let manyGames = 1_000_000_000_000
}
