internal import ArgumentParser
internal import Foundation
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

struct EvaluateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measures a model over many games.",
    discussion: "The result depends on the model, the plies, the seed and the number of games, not on the threads.")

  @Argument(help: "Model file, checkpoint or run folder.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(name: .long, help: "Games to play.")
  var games = 1000

  @Option(name: .long, help: "Plies to search: 1 is greedy.")
  var plies = 1

  @Option(name: .long, help: "Random seed.")
  var seed: UInt64 = 1_000_003

  @Option(name: .long, help: "Threads (default: all cores).")
  var threads: Int?

  @OptionGroup var spawn: SpawnOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func validate() throws {
    guard games >= 1 else { throw ValidationError("--games is \(games): give at least 1") }
    guard (1...6).contains(plies) else { throw ValidationError("--plies is \(plies): give 1 to 6") }
    if let threads, !(1...1024).contains(threads) {
      throw ValidationError("--threads is \(threads): give 1 to 1024")
    }
  }

  func run() throws {
    let interrupt = Interrupt()
    let network = try NTupleNetwork(path: RunFolder.checkpoint(at: model))
    let rules = try spawn.rules(shape: network.specification.shape)
    let plies = plies
    let evaluation = Evaluation(
      games: games, seed: seed, threads: threads ?? ProcessInfo.processInfo.activeProcessorCount, rules: rules)
    let isLive = Terminal.outputIsTerminal && !json
    guard
      let report = EvaluationRun.show(
        evaluation, interrupt: interrupt, isLive: isLive, makeAgent: { Expectimax(network, plies: plies, rules: rules) }
      )
    else { throw CleanExit.message("stopped before a game was finished") }
    Terminal.line(json ? report.json : "\(report)")
  }
}

/// The rules that a model file does not fix.
struct SpawnOptions: ParsableArguments {
  @Option(name: .long, help: "Probability that a new tile is a 4.")
  var fourProbability = 0.1

  @Option(name: .long, help: "Tiles at the start.")
  var startTiles = 2

  func rules(shape: BoardShape) throws -> Rules {
    try Rules(shape: shape, fourProbability: fourProbability, startTiles: startTiles)
  }
}
