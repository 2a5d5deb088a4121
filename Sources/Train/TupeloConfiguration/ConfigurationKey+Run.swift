internal import TupeloBase
package import TupeloLearning
internal import TupeloModels
internal import TupeloSearch
package import TupeloSelfPlay

/// The keys of a run and its course: its name, seed and game, where episodes start, the average of the weights, the
/// length of training, evaluations and files.
extension ConfigurationKey {
  /// The keys of this file after the game, in the order of the reference.
  static let course: [ConfigurationKey] = [
    .start, .restartMoves, .startBatch, .pool, .tile, .share, .averagingEveryGames, .averagingWindow,
    .games, .threads, .replicas, .mergeMoves, .gamesAtOnce, .soloGames, .reportGames, .minutes,
    .evaluationGames, .evaluationEveryGames, .interimGames, .target, .patience, .evaluationSeed, .plies,
    .evaluationThreads,
    .directory, .checkpointGames, .checkpointMinutes, .keep, .onCheckpoint,
  ]

  static let manyGames = 0...1_000_000_000_000
  static let someGames = 1...1_000_000_000_000

  package static let name = Key<String>(
    "name", \.name, .name, .beside, default: "the file's name, or run", "Names the run and its folder.")
  package static let seed = Key<UInt64>(
    "seed", \.seed, .whole(0...UInt64.max), .workers,
    "Seed of all random numbers of training. One thread gives the same weights for the same seed and settings, bit for",
    "bit.")

  static func game(of catalogue: GameCatalogue) -> Key<GameKind> {
    Key(
      "game", \.game, .choice(catalogue.games.map { ($0.name, $0) }), .fixed, when: .choice,
      default: catalogue.usual.name,
      "The game: \(catalogue.games.map(\.phrase).joined(separator: ", or ")).")
  }

  package static let start = Key<EpisodeStart.Kind>(
    "episodes.start", \.start.kind, .cases, .learning, when: .board,
    "Where episodes start. fresh: on a new board. restart: in the middle of the last game (Matsuzaki 2017).",
    "carousel: in each stage in turn (Jaskowski 2018). pool: often on a remembered board."
  ) { run, _ in [run.start.kind == .carousel ? Condition.stages.refusal(in: run) : nil] }
  package static let restartMoves = Key<Int>(
    "episodes.restart_moves", \.start.restartMoves, .whole(2...1_000_000), .learning, when: .starts(.restart),
    "An episode with fewer moves than this is followed by a fresh one.")
  package static let startBatch = Key<Int>(
    "episodes.batch", \.start.batch, .whole(someGames), .learning, when: .starts(.carousel),
    "Episodes of one stage before the next stage begins.")
  package static let pool = Key<Int>(
    "episodes.pool", \.start.poolSize, .whole(1...100_000), .learning, when: .starts(.carousel, .pool),
    "Remembered boards to start from, per stage, thread and interleaved game.")
  package static let tile = Key<Int>(
    "episodes.tile", \.start.tile, .whole(4...32768, "a tile") { $0.nonzeroBitCount == 1 }, .learning,
    when: .starts(.pool),
    "A board is remembered when the first tile of this size appears on it.")
  package static let share = Key<Double>(
    "episodes.share", \.start.share, .number(above: 0, atMost: 1), .learning, when: .starts(.pool),
    "The share of episodes that start from a remembered board.")

  package static let averagingEveryGames = Key<Int>(
    "averaging.every_games", \.averaging.everyGames, .whole(manyGames), .fixed,
    "Games between two merges of the weights into their average, which is used for play. 0 means no averaging.")
  package static let averagingWindow = Key<AveragingWindow>(
    "averaging.window", \.averaging.window, .averagingWindow, .fixed,
    "How far back the average looks: over the last part of the run so far, or over a number of merges.")

  package static let games = Key<Int>(
    "training.games", \.training.games, .whole(someGames), .free,
    "Games to train in all. A resumed run counts the games that it has played before; +1000 means 1,000 more.")
  package static let threads = Key<Int>(
    "training.threads", \.training.threads, .whole(1...1024), .workers, notDense: "one thread trains it, give 1",
    "Threads that play and learn at the same time, on shared weights."
  ) { run, _ in
    let (threads, replicas) = (run.training.threads, run.training.replicas)
    guard threads > 1, replicas > 1 else { return [] }
    return ["\(threads) threads share weights, and training.replicas gives each its own: give one of the two"]
  }
  package static let replicas = Key<Int>(
    "training.replicas", \.training.replicas, .whole(1...64), .free, when: .changed,
    "Copies of the weights in one process. A thread learns on each copy, and all copies are merged at regular",
    "intervals. Under mpirun, each process has its own copies, and they are merged in the same way. With one thread",
    "for each copy the result is the same, bit for bit, every time."
  ) { run, _ in
    run.training.replicas > 1
      ? run.unreplicated.map { "replicas cannot be used with \($0): leave out one of the two" } : []
  }
  package static let mergeMoves = Key<Int>(
    "training.merge_moves", \.training.mergeMoves, .whole(1...1_000_000_000), .free, when: .replicas,
    "Moves of each replica between two merges; under mpirun, of the replicas of each process.")
  package static let gamesAtOnce = Key<Int>(
    "training.games_at_once", \.gamesAtOnce, .whole(1...1024), .workers, when: .interleaving,
    default: "learner.batch for dense networks; 2 for large tables (4x6; 8x6 unless TC learns move by move); else 1",
    "Games that a thread interleaves (1 to 16): while one game waits for memory, the thread advances another one.",
    "For dense networks: games that are played in lockstep."
  ) { run, _ in
    guard !run.dense.isDense, run.gamesAtOnce > 16, Condition.interleaving.holds(in: run) else { return [] }
    return ["\(run.gamesAtOnce) games at once are for dense networks (network.dense): give up to 16"]
  }
  package static let soloGames = Key<Int>(
    "training.solo_games", \.training.soloGames, .whole(manyGames), .free,
    "Games that one thread plays alone before the others join. Many threads can spoil an empty network.")
  package static let reportGames = Key<Int>(
    "training.report_games", \.training.reportGames, .whole(someGames), .free,
    "Games per record of the metrics, and per progress line when the output is not a terminal.")
  package static let minutes = Key<Double>(
    "training.minutes", \.training.minutes, .number(0...1_000_000), .free, when: .changed,
    "Minutes after which a session saves, evaluates and stops, even if games are left. A resumed run starts counting",
    "from 0 again. 0 means no limit.")

  package static let evaluationGames = Key<Int>(
    "evaluation.games", \.evaluation.games, .whole(manyGames), .beside,
    "Games that evaluate the trained network. 0 means no evaluation.")
  package static let evaluationEveryGames = Key<Int>(
    "evaluation.every_games", \.evaluation.everyGames, .whole(manyGames), .beside,
    "Games between evaluations during training. The best model so far is kept in best.safetensors.",
    "0 means no such evaluations.")
  package static let interimGames = Key<Int>(
    "evaluation.interim_games", \.evaluation.interimGames, .whole(2...manyGames.upperBound), .beside,
    "Games of each evaluation during training. They are the same games every time, and other games than those of the",
    "evaluation at the end: their seed is evaluation.seed + 10^9.")
  package static let target = Key<Double>(
    "evaluation.target", \.evaluation.target, .number(0...10_000_000), .beside, when: .evaluations,
    "Training stops when an evaluation during training has this average score, even if games are left.",
    "0 means no target.")
  package static let patience = Key<Int>(
    "evaluation.patience", \.evaluation.patience, .whole(0...1_000_000), .beside, when: .evaluations,
    "Training stops after this many evaluations during training in a row that are not better than the best one.",
    "Evaluations with other games, seed or plies do not count. 0 means no such stop.")
  package static let evaluationSeed = Key<UInt64>(
    "evaluation.seed", \.evaluation.seed, .whole(0...UInt64.max), .beside,
    "Seed of the evaluation games. It has no effect on training.")
  package static let plies = Key<Int>(
    "evaluation.plies", \.evaluation.plies, .whole(AgentSpecification.pliesRange), .beside, when: .board,
    "Search depth: 1 is greedy, and each further ply adds one chance layer and one max layer.")
  package static let evaluationThreads = Key<Int>(
    "evaluation.threads", \.evaluation.threads, .whole(1...1024), .beside,
    default: "the number of cores that the process may use",
    "Evaluation games that are played at the same time. The result does not depend on this number.")

  package static let directory = Key<String?>(
    "output.directory", \.output.directory, .optional("the path of a folder"), .beside,
    default: "null, which means runs/<name>__<seed>__<date-time>", "The run folder.")
  package static let checkpointGames = Key<Int>(
    "output.checkpoint_games", \.output.checkpointGames, .whole(manyGames), .beside,
    "Games between checkpoints. 0 turns this interval off. The last checkpoint is always written.")
  package static let checkpointMinutes = Key<Int>(
    "output.checkpoint_minutes", \.output.checkpointMinutes, .whole(0...100_000), .beside,
    "Minutes between checkpoints. 0 turns this interval off.")
  package static let keep = Key<Int>(
    "output.keep", \.output.keep, .whole(1...1000), .beside,
    "Checkpoints that are kept. With more than 1, each of them also has a name with its number of games.")
  package static let onCheckpoint = Key<String?>(
    "output.on_checkpoint", \.output.onCheckpoint, .optional("a shell command"), .beside, when: .changed,
    default: "null, which means no command",
    "Shell command after each checkpoint, with TUPELO_RUN, TUPELO_CHECKPOINT and others in its environment.",
    "Exit status 77 stops training.")
}
