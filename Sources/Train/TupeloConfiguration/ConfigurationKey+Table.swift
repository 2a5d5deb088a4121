internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloSearch

private typealias Key = ConfigurationKey

extension ConfigurationKey {
  /// All keys of the games of a catalogue, in the order of the reference and of a written configuration. Keys of a
  /// section are adjacent.
  static func table(of catalogue: GameCatalogue) -> [ConfigurationKey] {
    (run + [game(of: catalogue)] + catalogue.games.flatMap(numbers(of:)) + common).filter { key in
      key.when.game.map(catalogue.games.contains) ?? true
    }
  }

  private static let manyGames = 0...1_000_000_000_000
  private static let someGames = 1...1_000_000_000_000

  private static let run: [ConfigurationKey] = [
    Key("name", \.name, .name, .beside, "Names the run and its folder.").default("the file's name, or run"),
    Key(
      "seed", \.seed, .whole(0...UInt64.max), .workers,
      """
      Seed of all random numbers of training. One thread gives the same weights for the same seed and settings, bit for
      bit.
      """),
  ]

  private static func game(of catalogue: GameCatalogue) -> ConfigurationKey {
    Key(
      "game", \.game, .choice(catalogue.games.map { ($0.name, $0) }), .fixed, when: .choice,
      "The game: \(catalogue.games.map(\.phrase).joined(separator: ", or "))."
    ).default(catalogue.usual.name)
  }

  /// The keys for the numbers in the rules of a game.
  private static func numbers(of game: GameKind) -> [ConfigurationKey] {
    (game.rules?.keys ?? []).map { key in
      let path = game.path(of: key)
      return Key(
        path, of: { $0.game == game ? $0.gameRules.base.number(of: key) : nil }, .whole(key.range), .learning,
        when: .game(game), key.summary
      ).default("\(game.standardRules.base.number(of: key))")
    }
  }

  private static let common: [ConfigurationKey] = [
    Key("rules.rows", of: \.rules.shape.rows, .whole(2...4), .learning, when: .board, "Rows of the board."),
    Key("rules.columns", of: \.rules.shape.columns, .whole(2...4), .learning, when: .board, "Columns of the board."),
    Key(
      "rules.four_probability", of: \.rules.fourProbability, .number(0...1), .learning, when: .board,
      "The probability that a new tile is a 4 instead of a 2."),
    Key(
      "rules.start_tiles", of: \.rules.startTiles, .whole(1...15), .learning, when: .board,
      "Tiles on the board when a game starts. There must be fewer tiles than cells."),

    Key(
      "network.layout", of: { _ in nil }, .choice(NamedLayout.all.map { ($0.name, $0.name) }), .fixed, when: .board,
      "A network by its name, for the 4x4 board. Give this key or network.patterns."
    ).default(RunConfiguration.standardLayout),
    Key(
      "network.patterns", of: { $0.network.patterns.map(\.text) }, .patterns, .fixed, when: .board,
      "The n-tuples: hex cells, row by row from the top left, such as 012345 456789. Each has at most 8 cells."
    ).default("the patterns of network.layout"),
    Key(
      "network.symmetries", of: \.network.sharesSymmetries, .choice([("shared", true), ("separate", false)]), .fixed,
      when: .board,
      """
      shared: each pattern has one table, which all symmetric boards use.
      separate: each pattern is looked up on the board alone.
      """
    ).default("the choice of network.layout; shared for network.patterns"),
    Key(
      "network.stages", of: \.network.stages, .stages, .fixed, when: .board,
      """
      Divides the game into stages with weights of their own: by the largest tile, by the sum of all tiles, or by the
      tiles that are present. Not for dense networks.
      """),
    Key(
      "network.initial_model", \.initialModel, .optional("the path of a file"), .fixed, when: .model,
      "A model to start from. Tables with the same patterns take its weights; all other tables start empty."),

    Key(
      "network.dense.hidden", \.dense.hidden, .wholes(1...8192), .fixed, when: .choice,
      "Widths of the hidden layers of a dense network, such as [32]. [] means a network of tables only."),
    Key(
      "network.dense.embedding", \.dense.embedding, .whole(1...512), .fixed, when: .dense,
      "Length of the row that each table entry has in place of a weight. 7, 15 or 31 fill whole cache lines."),
    Key(
      "network.dense.linear", \.dense.linear, .choice([("yes", true), ("no", false)]), .fixed, when: .dense,
      "Whether each row also has a weight that is added directly to the value, as in a network of tables."),
    Key(
      "network.dense.sums", \.dense.sums, .cases, .fixed, when: .dense,
      """
      groups: the rows of each pattern are added up, and the sums stand side by side.
      all: all rows are added up, followed by a rectifier (one-hot input).
      """),

    Key(
      "learner.step_size", \.stepSize.rule, .cases, .fixed, when: .model,
      """
      How far each weight moves. temporal-coherence: by how much its errors agree (Jaskowski 2018).
      constant: equally far for all weights. adam: by the moments of its gradients (dense networks).
      """
    ).default("temporal-coherence; adam for dense networks"),
    Key(
      "learner.alpha", \.stepSize.alpha, .number(above: 0, atMost: 1), .learning, when: .model,
      """
      The step size: each of the m weights behind a value moves by alpha / m of the error.
      For dense networks it is the learning rate.
      """
    ).default("1.0 with temporal-coherence, 0.1 with constant, 0.0003 with adam"),
    Key(
      "learner.lambda", \.lambda, .number(0...1), .learning,
      "The lambda of TD(lambda). 0 gives TD(0). 1 with a number of learner.steps gives the n-step return."),
    Key(
      "learner.steps", \.steps, .steps(1...LambdaReturn.mostSteps), .learning,
      """
      Moves that a target looks ahead. episode: learning goes backward over each finished game.
      For dense networks: states per trajectory.
      """
    ).default("the smallest n with lambda^n <= 0.1, at most 1000: 1 for lambda 0, 4 for lambda 0.5"),
    Key(
      "learner.warm_up_games", \.schedule.warmUpGames, .whole(manyGames), .learning, when: .coherence,
      "Games of plain TD before temporal coherence begins. With an initial value this is OTD+TC (Guei et al. 2021)."),
    Key(
      "learner.warm_up_alpha", \.schedule.warmUpAlpha, .number(above: 0, atMost: 1), .learning, when: .coherence,
      "The step size during the warm-up games."),
    Key(
      "learner.alpha_schedule", \.schedule.changes, .alphaSchedule, .learning,
      "Changes of the step size, each after a number of games."),
    Key(
      "learner.exploration", \.exploration, .number(0...1), .learning,
      "The probability that a training move is any legal move (epsilon-greedy). 2048 explores enough without it."),
    Key(
      "learner.initial_value", \.initialValue, .number(0...10_000_000), .learning,
      "Optimistic initialization: the value of every state before training, in score points (Guei et al. 2021)."),
    Key(
      "learner.batch", \.batch, .whole(1...1024), .learning,
      "States in one update. 1 means that the learner updates from one state at a time."
    ).default("1, which is the fastest for tables; 64 for dense networks"),
    Key(
      "learner.weight_decay", \.weightDecay, .number(0...1), .learning, when: .dense,
      "At each step a weight also loses this part of alpha, as a share of the weight (AdamW)."),
    Key(
      "learner.row_patience", \.rowPatience, .number(0...1_000_000_000), .learning, when: .dense,
      """
      For adam: updates of a row after which its rate is 71%. The rate falls with the root of the number of updates.
      0 means a constant rate.
      """),
    Key(
      "learner.clip", \.clip, .number(0...1_000_000), .learning, when: .dense,
      "The largest norm of the gradient of a step. 0 means no limit."),
    Key(
      "learner.decay", \.decay.share, .number(0...0.5), .learning, unless: .dense("give learner.weight_decay"),
      "The share that every weight loses at each decay. 0 means no decay."),
    Key(
      "learner.decay_every_games", \.decay.everyGames, .whole(someGames), .learning,
      "Games between two decays of the weights."),
    Key(
      "learner.zeros", \.zeros, .cases, .fixed, when: .coherentStart,
      """
      Weights that are zero in network.initial_model. learn: they learn like all others.
      stay: they stay zero, so that a pruned model does not become larger when it is fine-tuned.
      """),

    Key(
      "stages.promotion", \.stages.promotion, .cases, .learning, when: .stages,
      """
      weight: each weight of a later stage starts as the weight of the previous stage (Jaskowski 2018).
      none: it starts as zero.
      """),
    Key(
      "stages.after_games", \.stages.afterGames, .whole(manyGames), .learning, when: .stages,
      "Games that train stage 0 alone. After them, the later stages start as copies of stage 0."),
    Key(
      "stages.frozen", \.stages.frozen, .wholes(0...15), .learning, when: .stages,
      "Stages whose weights do not change."),

    Key(
      "episodes.start", \.start.kind, .cases, .learning, when: .board,
      """
      Where episodes start. fresh: on a new board. restart: in the middle of the last game (Matsuzaki 2017).
      carousel: in each stage in turn (Jaskowski 2018). pool: often on a remembered board.
      """),
    Key(
      "episodes.restart_moves", \.start.restartMoves, .whole(2...1_000_000), .learning, when: .starts(.restart),
      "An episode with fewer moves than this is followed by a fresh one."),
    Key(
      "episodes.batch", \.start.batch, .whole(someGames), .learning, when: .starts(.carousel),
      "Episodes of one stage before the next stage begins."),
    Key(
      "episodes.pool", \.start.poolSize, .whole(1...100_000), .learning, when: .starts(.carousel, .pool),
      "Remembered boards to start from, per stage, thread and interleaved game."),
    Key(
      "episodes.tile", \.start.tile, .whole(4...32768, "a tile") { $0.nonzeroBitCount == 1 }, .learning,
      when: .starts(.pool),
      "A board is remembered when the first tile of this size appears on it."),
    Key(
      "episodes.share", \.start.share, .number(above: 0, atMost: 1), .learning, when: .starts(.pool),
      "The share of episodes that start from a remembered board."),

    Key(
      "averaging.every_games", \.averaging.everyGames, .whole(manyGames), .fixed,
      "Games between two merges of the weights into their average, which is used for play. 0 means no averaging."),
    Key(
      "averaging.window", \.averaging.window, .averagingWindow, .fixed,
      "How far back the average looks: over the last part of the run so far, or over a number of merges."),

    Key(
      "training.games", \.training.games, .whole(someGames), .free,
      "Games to train in all. A resumed run counts the games that it has played before; +1000 means 1,000 more."),
    Key(
      "training.threads", \.training.threads, .whole(1...1024), .workers,
      unless: .dense("one thread trains it, give 1"),
      "Threads that play and learn at the same time, on shared weights."),
    Key(
      "training.replicas", \.training.replicas, .whole(1...64), .free, when: .changed,
      """
      Copies of the weights in one process. A thread learns on each copy, and all copies are merged at regular
      intervals. Under mpirun, each process has its own copies, and they are merged in the same way. With one thread
      for each copy the result is the same, bit for bit, every time.
      """),
    Key(
      "training.merge_moves", \.training.mergeMoves, .whole(1...1_000_000_000), .free, when: .replicas,
      "Moves of each replica between two merges; under mpirun, of the replicas of each process."),
    Key(
      "training.games_at_once", \.gamesAtOnce, .whole(1...1024), .workers, when: .interleaving,
      """
      Games that a thread interleaves (1 to 16): while one game waits for memory, the thread advances another one.
      For dense networks: games that are played in lockstep.
      """
    ).default("learner.batch for dense networks; 2 for large tables (4x6; 8x6 unless TC learns move by move); else 1"),
    Key(
      "training.solo_games", \.training.soloGames, .whole(manyGames), .free,
      "Games that one thread plays alone before the others join. Many threads can spoil an empty network."),
    Key(
      "training.report_games", \.training.reportGames, .whole(someGames), .free,
      "Games per record of the metrics, and per progress line when the output is not a terminal."),
    Key(
      "training.minutes", \.training.minutes, .number(0...1_000_000), .free, when: .changed,
      """
      Minutes after which a session saves, evaluates and stops, even if games are left. A resumed run starts counting
      from 0 again. 0 means no limit.
      """),

    Key(
      "evaluation.games", \.evaluation.games, .whole(manyGames), .beside,
      "Games that evaluate the trained network. 0 means no evaluation."),
    Key(
      "evaluation.every_games", \.evaluation.everyGames, .whole(manyGames), .beside,
      """
      Games between evaluations during training. The best model so far is kept in best.safetensors.
      0 means no such evaluations.
      """),
    Key(
      "evaluation.interim_games", \.evaluation.interimGames, .whole(2...manyGames.upperBound), .beside,
      """
      Games of each evaluation during training. They are the same games every time, and other games than those of the
      evaluation at the end: their seed is evaluation.seed + 10^9.
      """),
    Key(
      "evaluation.target", \.evaluation.target, .number(0...10_000_000), .beside, when: .evaluations,
      """
      Training stops when an evaluation during training has this average score, even if games are left.
      0 means no target.
      """),
    Key(
      "evaluation.patience", \.evaluation.patience, .whole(0...1_000_000), .beside, when: .evaluations,
      """
      Training stops after this many evaluations during training in a row that are not better than the best one.
      Evaluations with other games, seed or plies do not count. 0 means no such stop.
      """),
    Key(
      "evaluation.seed", \.evaluation.seed, .whole(0...UInt64.max), .beside,
      "Seed of the evaluation games. It has no effect on training."),
    Key(
      "evaluation.plies", \.evaluation.plies, .whole(AgentSpecification.pliesRange), .beside, when: .board,
      "Search depth: 1 is greedy, and each further ply adds one chance layer and one max layer."),
    Key(
      "evaluation.threads", \.evaluation.threads, .whole(1...1024), .beside,
      "Evaluation games that are played at the same time. The result does not depend on this number."
    ).default("the number of cores that the process may use"),

    Key("output.directory", \.output.directory, .optional("the path of a folder"), .beside, "The run folder.")
      .default("null, which means runs/<name>__<seed>__<date-time>"),
    Key(
      "output.checkpoint_games", \.output.checkpointGames, .whole(manyGames), .beside,
      "Games between checkpoints. 0 turns this interval off. The last checkpoint is always written."),
    Key(
      "output.checkpoint_minutes", \.output.checkpointMinutes, .whole(0...100_000), .beside,
      "Minutes between checkpoints. 0 turns this interval off."),
    Key(
      "output.keep", \.output.keep, .whole(1...1000), .beside,
      "Checkpoints that are kept. With more than 1, each of them also has a name with its number of games."),
    Key(
      "output.on_checkpoint", \.output.onCheckpoint, .optional("a shell command"), .beside, when: .changed,
      """
      Shell command after each checkpoint, with TUPELO_RUN, TUPELO_CHECKPOINT and others in its environment.
      Exit status 77 stops training.
      """
    ).default("null, which means no command"),
  ]
}
