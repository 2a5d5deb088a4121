internal import ArgumentParser
internal import TupeloTraining

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Lets you play 2048 or Set in the terminal, with hints.",
    usage: "tupelo play [<model>] [<options>]",
    discussion: """
      Keys of 2048: arrows, w a s d or h j k l move; ? shows a hint; u undoes a move; r plays it again; n begins a new \
      game; q quits. In Set (--game set), the three letters that stand beside three cards take them, and + deals three \
      more cards. Keys may also come from a pipe.

      Example:
        tupelo play models/small
      """)

  @Argument(
    help: "Model for hints: file, checkpoint or run folder (default: the shipped model, or the heuristic).",
    completion: .models)
  var model: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Plies that a hint searches in 2048, 1 to 8 (default: a model searches for "
        + "\(AgentOptions.instantMilliseconds) ms, the heuristic 2 plies)."))
  var plies: Int?

  @OptionGroup var choice: GameOption

  @Option(name: .customLong("seed"), help: "Random seed (default: another game each time).")
  var givenSeed: Seed?

  var seed: UInt64? { givenSeed?.value }

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Save each game's record: FILE, FILE-2, "
        + "...", valueName: "file"), completion: .file())
  var record: String?

  @OptionGroup var spawn: SpawnOptions

  func validate() throws {
    if let plies { try AgentOptions.check(plies: plies) }
  }

  func run() throws {
    let interrupt = Interrupt()
    if let record { try RecordFile.prepare(record) }
    // No agent is named, so without a model and a choice the game is 2048.
    let game = try Entrants(game: choice.game, agents: [], paths: model.map { [$0] } ?? [], spawn: spawn).game
    try game.play(self, interrupt)
  }

  func playBoards(_ interrupt: Interrupt) throws {
    // An option of the command, or else as many plies as a model can in a time that feels instant.
    let options = AgentOptions(plies: plies)
    let contestant = try options.instantContestant(path: model, heuristicPlies: 2)
    let rules = try spawn.rules(shape: contestant.shape)
    var person = BoardPerson(
      try contestant.makeAgent(rules: rules), coach: contestant.path.map(ModelName.short) ?? "heuristic",
      shape: rules.shape, interrupt)
    try person.play(rules: rules, seed: seed, record: record, interrupt)
  }
}
