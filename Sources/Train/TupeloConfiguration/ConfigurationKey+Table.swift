internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloSearch

extension ConfigurationKey {
  /// All settings of the games of a catalogue, in the order of the reference and of a resolved configuration. Keys of a
  /// section are adjacent.
  static func table(of catalogue: GameCatalogue) -> [ConfigurationKey] {
    (run + [game(of: catalogue)] + catalogue.games.flatMap(rules(of:)) + common).filter { key in
      key.need?.game.map(catalogue.games.contains) ?? true
    }
  }

  private static let common =
    rules + network + dense + learner + stages + episodes + averaging + training + evaluation + output

  private static let run: [ConfigurationKey] = [
    ConfigurationKey(
      "name", .beside, .name, \.name, default: "the file's name, or run",
      "Names the run and its folder."),
    ConfigurationKey(
      "seed", .workers, .wholeNumber(0...UInt64.max), \.seed,
      "Seed of all random numbers of training. One thread with one seed always gives the same weights, bit for bit."),
  ]

  private static func game(of catalogue: GameCatalogue) -> ConfigurationKey {
    ConfigurationKey(
      "game", .fixed, .games(catalogue.games), \.game, default: catalogue.usual.name,
      "The game: \(catalogue.games.map(\.phrase).joined(separator: ", or ")).",
      omitsDefault: { _ in true }, ofAnyGame: false,
      clash: .replicas(for: { "game \($0.game)" }) { $0.game.tables?.mergesReplicas != true })
  }

  /// The keys for the numbers in the rules of a game.
  private static func rules(of game: GameKind) -> [ConfigurationKey] {
    guard let type = game.rules else { return [] }
    return type.keys.map { key in
      let path = "\(game.name).\(key.name)"
      return ConfigurationKey(
        path, .learning, .wholeNumber(key.range), set: { $0.parts.numbers[path] = $1 },
        get: { ($0.game == game ? $0.gameRules : game.standardRules).base.number(of: key) }, for: .game(game),
        key.summary)
    }
  }

  private static let rules: [ConfigurationKey] = [
    ConfigurationKey(
      "rules.rows", .learning, .wholeNumber(2...4), set: { $0.parts.rows = $1 }, get: { $0.rules.shape.rows },
      for: .board,
      "Rows of the board."),
    ConfigurationKey(
      "rules.columns", .learning, .wholeNumber(2...4), set: { $0.parts.columns = $1 }, get: { $0.rules.shape.columns },
      for: .board,
      "Columns of the board."),
    ConfigurationKey(
      "rules.four_probability", .learning, .number(0...1), set: { $0.parts.fourProbability = $1 },
      get: { $0.rules.fourProbability }, for: .board,
      "The probability that a new tile is a 4 instead of a 2."),
    ConfigurationKey(
      "rules.start_tiles", .learning, .wholeNumber(1...15), set: { $0.parts.startTiles = $1 },
      get: { $0.rules.startTiles }, for: .board,
      "Tiles on the board when a game starts. There must be fewer tiles than cells."),
  ]

  private static let network: [ConfigurationKey] = [
    ConfigurationKey(
      "network.layout", .fixed, .layout, set: { $0.parts.layout = $1 }, get: { _ in nil }, for: .board,
      default: RunConfiguration.standardLayout,
      "A network by its name, for the 4x4 board. Give this key or network.patterns.",
      alternative: "network.patterns"),
    ConfigurationKey(
      "network.patterns", .fixed, .patterns, set: { $0.parts.patterns = $1 },
      get: { $0.network.patterns.map { PatternText(text: $0.text) } }, for: .board,
      default: "the patterns of network.layout",
      "The n-tuples: hex cells, row by row from the top left, such as 012345 456789. Each has at most 8 cells.",
      alternative: "network.layout"),
    ConfigurationKey(
      "network.symmetries", .fixed, .choice([("shared", true), ("separate", false)]),
      set: { $0.parts.sharesSymmetries = $1 }, get: { $0.network.sharesSymmetries }, for: .board,
      default: "the choice of network.layout; shared for network.patterns",
      """
      shared: each pattern has one table, which all symmetric boards use.
      separate: each pattern is looked up on the board alone.
      """),
    ConfigurationKey(
      "network.stages", .fixed, .stages, set: { $0.parts.stages = $1 }, get: { $0.network.stages }, for: .board,
      """
      Divides the game into stages with weights of their own: by the largest tile, by the sum of all tiles, or by the
      tiles that are present.
      """,
      clash: .dense("leave it out") { $0.network.stages.count > 1 }),
    ConfigurationKey(
      "network.initial_model", .fixed, .file, \.initialModel,
      "A model to start from. Tables with the same patterns take its weights; all other tables start empty.",
      ofAnyGame: false),
  ]

  private static let dense: [ConfigurationKey] = [
    ConfigurationKey(
      "network.dense.hidden", .fixed, .wholeNumbers(1...8192), \.dense.hidden,
      "Widths of the hidden layers of a dense network, such as [32]. [] means a network of tables only.",
      omitsDefault: { _ in true }, ofAnyGame: false,
      clash: .replicas("network.dense") { $0.dense.isDense && $0.game.dense?.mergesReplicas != true }),
    ConfigurationKey(
      "network.dense.embedding", .fixed, .wholeNumber(1...512), \.dense.embedding, for: .dense,
      "Length of the row that each table entry has in place of a weight. 7, 15 or 31 fill whole cache lines."),
    ConfigurationKey(
      "network.dense.linear", .fixed, .choice([("yes", true), ("no", false)]), \.dense.linear, for: .dense,
      "Whether each row also has a weight that is added directly to the value, as in a network of tables."),
    ConfigurationKey(
      "network.dense.sums", .fixed, .cases, \.dense.sums, for: .dense,
      """
      groups: the rows of each pattern are added up, and the sums stand side by side.
      all: all rows are added up, followed by a rectifier (one-hot input).
      """
    ),
  ]

  private static let stages: [ConfigurationKey] = [
    ConfigurationKey(
      "stages.promotion", .learning, .cases, \.stages.promotion, for: .stages,
      """
      weight: each weight of a later stage starts as the weight of the previous stage (Jaskowski 2018).
      none: it starts as zero.
      """),
    ConfigurationKey(
      "stages.after_games", .learning, .wholeNumber(0...manyGames), \.stages.afterGames, for: .stages,
      "Games that train stage 0 alone. After them, the later stages start as copies of stage 0.",
      spent: {
        $0.isOver(\.stages.afterGames) && $0.now.fillsStages == $0.before.fillsStages
          ? "the later stages have weights of their own already" : nil
      }),
    ConfigurationKey(
      "stages.frozen", .learning, .wholeNumbers(0...15), \.stages.frozen, for: .stages,
      "Stages whose weights do not change."),
  ]

  private static let episodes: [ConfigurationKey] = [
    ConfigurationKey(
      "episodes.start", .learning, .cases, \.start.kind, for: .board,
      """
      Where episodes start. fresh: on a new board. restart: in the middle of the last game (Matsuzaki 2017).
      carousel: in each stage in turn (Jaskowski 2018). pool: often on a remembered board.
      """
    ),
    ConfigurationKey(
      "episodes.restart_moves", .learning, .wholeNumber(2...1_000_000), \.start.restartMoves, for: .starts(.restart),
      "For restart: an episode with fewer moves than this is followed by a fresh one."),
    ConfigurationKey(
      "episodes.batch", .learning, .wholeNumber(1...manyGames), \.start.batch, for: .starts(.carousel),
      "For carousel: episodes of one stage before the next stage begins."),
    ConfigurationKey(
      "episodes.pool", .learning, .wholeNumber(1...100_000), \.start.poolSize, for: .starts(.carousel, .pool),
      "For carousel and pool: remembered boards to start from, per stage and thread."),
    ConfigurationKey(
      "episodes.tile", .learning, .tile, \.start.tile, for: .starts(.pool),
      "For pool: a board is remembered when the first tile of this size appears on it."),
    ConfigurationKey(
      "episodes.share", .learning, .number(above: 0, atMost: 1), \.start.share, for: .starts(.pool),
      "For pool: the share of episodes that start from a remembered board."),
  ]

  private static let learner: [ConfigurationKey] = [
    ConfigurationKey(
      "learner.step_size", .fixed, .cases, \.stepSize.rule,
      derived: { $0.dense.isDense && $0.stepSize == .temporalCoherence() ? .adam : nil },
      default: "temporal-coherence; adam for dense networks",
      """
      How far each weight moves. temporal-coherence: by how much its errors agree (Jaskowski 2018).
      constant: equally far for all weights. adam: by the moments of its gradients (dense networks).
      """,
      ofAnyGame: false,
      clash: .dense("give adam or constant") { $0.stepSize.rule == .temporalCoherence }),
    ConfigurationKey(
      "learner.alpha", .learning, .number(above: 0, atMost: 1), \.stepSize.alpha,
      default: "1.0 with temporal-coherence, 0.1 with constant, 0.0003 with adam",
      """
      The step size: each of the m weights behind a value moves by alpha / m of the error.
      For dense networks it is the learning rate.
      """,
      ofAnyGame: false,
      spent: { resumption in
        resumption.changeInForce.map { change in
          let since = change.games == 0 ? "the start" : CountText.text(change.games, "game")
          return "learner.alpha_schedule says \(change.alpha) since \(since): change learner.alpha_schedule"
        }
      }),
    ConfigurationKey(
      "learner.lambda", .learning, .number(0...1), \.lambda,
      "The lambda of TD(lambda). 0 gives TD(0). 1 with a number of learner.steps gives the n-step return."),
    ConfigurationKey(
      "learner.steps", .learning, .either("episode", or: .wholeNumber(1...1000)), \.steps,
      derived: { LambdaReturn.steps(for: $0.lambda) },
      default: "the smallest n with lambda^n <= 0.1: 1 for lambda 0, 4 for lambda 0.5",
      """
      Moves that a target looks ahead. episode: learning goes backward over each finished game.
      For dense networks: states per trajectory.
      """),
    ConfigurationKey(
      "learner.warm_up_games", .learning, .wholeNumber(0...manyGames), \.schedule.warmUpGames, for: .coherence,
      "Games of plain TD before temporal coherence begins (OTD+TC, Guei et al. 2021).",
      spent: { $0.isOver(\.schedule.warmUpGames) ? "the warm-up is over" : nil }),
    ConfigurationKey(
      "learner.warm_up_alpha", .learning, .number(above: 0, atMost: 1), \.schedule.warmUpAlpha, for: .coherence,
      "The step size during the warm-up games.",
      spent: { $0.now.schedule.warmUpGames <= $0.games ? "the warm-up is over" : nil }),
    ConfigurationKey(
      "learner.alpha_schedule", .learning, .alphaSchedule, \.schedule.changes,
      "Changes of the step size, each after a number of games.",
      spent: { $0.isScheduleOver ? "its last change is in force already" : nil }),
    ConfigurationKey(
      "learner.exploration", .learning, .number(0...1), \.exploration,
      "The probability that a training move is any legal move (epsilon-greedy). 2048 explores enough without it."),
    ConfigurationKey(
      "learner.initial_value", .learning, .number(0...10_000_000), \.initialValue,
      "Optimistic initialization: the value of every state before training, in score points (Guei et al. 2021).",
      spent: { _ in "the weights have learned since: start a new run" }),
    ConfigurationKey(
      "learner.batch", .learning, .wholeNumber(1...1024), \.batch,
      derived: { $0.dense.isDense && $0.batch == 1 ? 64 : nil },
      default: "1, which is the fastest for tables; 64 for dense networks",
      "States in one update. 1 means that the learner updates from one state at a time."),
    ConfigurationKey(
      "learner.weight_decay", .learning, .number(0...1), \.weightDecay, for: .dense,
      "For dense networks: at each step a weight also loses this part of alpha, as a share of the weight (AdamW)."),
    ConfigurationKey(
      "learner.row_patience", .learning, .number(0...1_000_000_000), \.rowPatience, for: .dense,
      """
      For dense networks with adam: updates of a row after which its rate is 71%. The rate falls with the root of the
      number of updates. 0 means a constant rate.
      """,
      clash: .dense("give learner.step_size adam") { $0.rowPatience > 0 && $0.stepSize.rule != .adam }),
    ConfigurationKey(
      "learner.clip", .learning, .number(0...1_000_000), \.clip, for: .dense,
      "For dense networks: the largest norm of the gradient of a step. 0 means no limit."),
    ConfigurationKey(
      "learner.decay", .learning, .number(0...0.5), \.decay.share,
      "The share that every weight loses at each decay. 0 means no decay.",
      clash: .dense("give learner.weight_decay") { $0.decay.share > 0 }),
    ConfigurationKey(
      "learner.decay_every_games", .learning, .wholeNumber(1...manyGames), \.decay.everyGames,
      "Games between two decays of the weights."),
    ConfigurationKey(
      "learner.zeros", .fixed, .cases, \.zeros, for: .coherentStart,
      """
      Weights that are zero in network.initial_model. learn: they learn like all others.
      stay: they stay zero, so that a pruned model does not become larger when it is fine-tuned.
      """,
      omitsDefault: { _ in true }, clash: .replicas("learner.zeros stay") { $0.zeros == .stay }),
  ]

  private static let averaging: [ConfigurationKey] = [
    ConfigurationKey(
      "averaging.every_games", .fixed, .wholeNumber(0...manyGames), \.averaging.everyGames,
      "Games between two merges of the weights into their average, which is used for play. 0 means no averaging."),
    ConfigurationKey(
      "averaging.window", .fixed, .averagingWindow, \.averaging.window,
      "How far back the average looks: over the last part of the run so far, or over a number of merges."),
  ]

  private static let training: [ConfigurationKey] = [
    ConfigurationKey(
      "training.games", .free, .wholeNumber(1...manyGames), \.training.games,
      "Games to train in all. A resumed run counts the games that it has played before."),
    ConfigurationKey(
      "training.threads", .workers, .wholeNumber(1...1024), \.training.threads,
      "Games that are played and learned from at the same time, on shared weights.",
      clash: .dense("one thread trains it, give 1") { $0.training.threads > 1 }),
    ConfigurationKey(
      "training.replicas", .free, .wholeNumber(1...64), \.training.replicas,
      """
      Copies of the weights in one process. A thread learns on each copy, and all copies are merged at regular
      intervals. Under mpirun, each process has its own copies, and they are merged in the same way. The result is the
      same, bit for bit, every time.
      """,
      omitsDefault: { _ in true }),
    ConfigurationKey(
      "training.merge_moves", .free, .wholeNumber(1...1_000_000_000), \.training.mergeMoves,
      "Moves of each replica, or of each process under mpirun, between two merges.",
      omitsDefault: { $0.training.replicas <= 1 }),
    ConfigurationKey(
      "training.games_at_once", .workers, .wholeNumber(1...1024), \.gamesAtOnce, for: .interleaving,
      default: "learner.batch for dense networks; 2 for large tables (4x6; 8x6 unless moves read sums); else 1",
      """
      Games that a thread interleaves (1 to 16): while one game waits for memory, the thread advances another one.
      For dense networks: games that are played in lockstep.
      """),
    ConfigurationKey(
      "training.solo_games", .free, .wholeNumber(0...manyGames), \.training.soloGames,
      "Games that one thread plays alone before the others join. Many threads can spoil an empty network.",
      spent: { $0.isOver(\.training.soloGames) ? "they have been played" : nil }),
    ConfigurationKey(
      "training.report_games", .free, .wholeNumber(1...manyGames), \.training.reportGames,
      "Games per record of the metrics, and per progress line when the output is not a terminal."),
    ConfigurationKey(
      "training.minutes", .free, .number(0...1_000_000), \.training.minutes,
      """
      Minutes after which a session saves and stops, even if games are left. A resumed run starts counting from 0 again.
      0 means no limit.
      """,
      omitsDefault: { _ in true }),
  ]

  private static let evaluation: [ConfigurationKey] = [
    ConfigurationKey(
      "evaluation.games", .beside, .wholeNumber(0...manyGames), \.evaluation.games,
      "Games that evaluate the trained network. 0 means no evaluation."),
    ConfigurationKey(
      "evaluation.every_games", .beside, .wholeNumber(0...manyGames), \.evaluation.everyGames,
      """
      Games between evaluations during training. The best model so far is kept in best.safetensors.
      0 means no such evaluations.
      """),
    ConfigurationKey(
      "evaluation.interim_games", .beside, .wholeNumber(2...manyGames), \.evaluation.interimGames,
      "Games of each evaluation during training. They have the same seeds every time."),
    ConfigurationKey(
      "evaluation.target", .beside, .number(0...10_000_000), \.evaluation.target, for: .evaluations,
      """
      Training stops when an evaluation during training has this average score, even if games are left.
      0 means no target.
      """,
      omitsDefault: { _ in true }),
    ConfigurationKey(
      "evaluation.patience", .beside, .wholeNumber(0...1_000_000), \.evaluation.patience, for: .evaluations,
      """
      Training stops after this many evaluations during training in a row that are not better than the best one.
      0 means no such stop.
      """,
      omitsDefault: { _ in true }),
    ConfigurationKey(
      "evaluation.seed", .beside, .wholeNumber(0...UInt64.max), \.evaluation.seed,
      "Seed of the evaluation games. It has no effect on training."),
    ConfigurationKey(
      "evaluation.plies", .beside, .wholeNumber(AgentSpecification.pliesRange), \.evaluation.plies, for: .board,
      "Search depth: 1 is greedy, and each further ply adds one chance layer and one max layer."),
    ConfigurationKey(
      "evaluation.threads", .beside, .wholeNumber(1...1024), \.evaluation.threads,
      default: "the number of cores that the process may use",
      "Evaluation games that are played at the same time. The result does not depend on this number."),
  ]

  private static let output: [ConfigurationKey] = [
    ConfigurationKey(
      "output.directory", .beside, .folder, \.output.directory,
      default: "null, which means runs/<name>__<seed>__<date-time>",
      "The run folder."),
    ConfigurationKey(
      "output.checkpoint_games", .beside, .wholeNumber(0...manyGames), \.output.checkpointGames,
      "Games between checkpoints. 0 turns this interval off. The last checkpoint is always written."),
    ConfigurationKey(
      "output.checkpoint_minutes", .beside, .wholeNumber(0...100_000), \.output.checkpointMinutes,
      "Minutes between checkpoints. 0 turns this interval off."),
    ConfigurationKey(
      "output.keep", .beside, .wholeNumber(1...1000), \.output.keep,
      "Checkpoints that are kept. With more than 1, each of them also has a name with its number of games."),
    ConfigurationKey(
      "output.on_checkpoint", .beside, .command, \.output.onCheckpoint,
      default: "null, which means no command",
      """
      Shell command after each checkpoint, with TUPELO_RUN, TUPELO_CHECKPOINT and others in its environment.
      Exit status 77 stops training.
      """,
      omitsDefault: { _ in true }),
  ]

  private static let manyGames = 1_000_000_000_000
}
