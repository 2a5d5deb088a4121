internal import PlainText
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
      "Decides all random numbers of training; one thread and one seed give the same weights bit for bit."),
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
      "The chance that a new tile is a 4 instead of a 2."),
    ConfigurationKey(
      "rules.start_tiles", .learning, .wholeNumber(1...15), set: { $0.parts.startTiles = $1 },
      get: { $0.rules.startTiles }, for: .board,
      "Tiles on the board when a game starts; fewer than it has cells."),
  ]

  private static let network: [ConfigurationKey] = [
    ConfigurationKey(
      "network.layout", .fixed, .layout, set: { $0.parts.layout = $1 }, get: { _ in nil }, for: .board,
      default: RunConfiguration.standardLayout,
      "A network by its name, for the 4x4 board. Give this or network.patterns.",
      alternative: "network.patterns"),
    ConfigurationKey(
      "network.patterns", .fixed, .patterns, set: { $0.parts.patterns = $1 },
      get: { $0.network.patterns.map { PatternText(text: $0.text) } }, for: .board,
      default: "those of network.layout",
      "The n-tuples, as hex cells row by row from the top left, such as 012345 456789; at most 8 cells each.",
      alternative: "network.layout"),
    ConfigurationKey(
      "network.symmetries", .fixed, .choice([("shared", true), ("separate", false)]),
      set: { $0.parts.sharesSymmetries = $1 }, get: { $0.network.sharesSymmetries }, for: .board,
      default: "the layout's own; shared for network.patterns",
      "shared looks every pattern up on all symmetric boards in one table; separate looks at the board alone."),
    ConfigurationKey(
      "network.stages", .fixed, .stages, set: { $0.parts.stages = $1 }, get: { $0.network.stages }, for: .board,
      "Cuts the game into stages with weights of their own: by the largest tile, the sum of all, or the tiles "
        + "present.",
      clash: .dense("leave it out") { $0.network.stages.count > 1 }),
    ConfigurationKey(
      "network.initial_model", .fixed, .file, \.initialModel,
      "A model to start from: its tables of the same patterns are taken over, others start empty.",
      ofAnyGame: false),
  ]

  private static let dense: [ConfigurationKey] = [
    ConfigurationKey(
      "network.dense.hidden", .fixed, .wholeNumbers(1...8192), \.dense.hidden,
      "Widths of the hidden layers of a dense network, such as [32]; [] for a network of tables alone.",
      omitsDefault: { _ in true }, ofAnyGame: false,
      clash: .replicas("network.dense") { $0.dense.isDense && $0.game.dense?.mergesReplicas != true }),
    ConfigurationKey(
      "network.dense.embedding", .fixed, .wholeNumber(1...512), \.dense.embedding, for: .dense,
      "Numbers of the row that each entry of a table has instead of a weight; 7, 15 or 31 fill cache lines."),
    ConfigurationKey(
      "network.dense.linear", .fixed, .choice([("yes", true), ("no", false)]), \.dense.linear, for: .dense,
      "Whether each row also has a weight that is added straight to the value, as in a network of tables."),
    ConfigurationKey(
      "network.dense.sums", .fixed, .cases, \.dense.sums, for: .dense,
      "groups adds up rows pattern by pattern, side by side; all adds up all of them, with a rectifier (one-hot input)."
    ),
  ]

  private static let stages: [ConfigurationKey] = [
    ConfigurationKey(
      "stages.promotion", .learning, .cases, \.stages.promotion, for: .stages,
      "weight lets a weight of a later stage begin as that of the stage before (Jaskowski 2018); none, as zero."),
    ConfigurationKey(
      "stages.after_games", .learning, .wholeNumber(0...manyGames), \.stages.afterGames, for: .stages,
      "Games in stage 0 alone, after which the later stages start as copies of it.",
      spent: {
        $0.isOver(\.stages.afterGames) && $0.now.fillsStages == $0.before.fillsStages
          ? "the later stages have weights of their own already" : nil
      }),
    ConfigurationKey(
      "stages.frozen", .learning, .wholeNumbers(0...15), \.stages.frozen, for: .stages,
      "Stages whose weights stay as they are."),
  ]

  private static let episodes: [ConfigurationKey] = [
    ConfigurationKey(
      "episodes.start", .learning, .cases, \.start.kind, for: .board,
      "Start of episodes: fresh boards, middle of the last (Matsuzaki 2017), stages in turn (Jaskowski 2018) or a pool."
    ),
    ConfigurationKey(
      "episodes.restart_moves", .learning, .wholeNumber(2...1_000_000), \.start.restartMoves, for: .starts(.restart),
      "restart: an episode of fewer moves is followed by a fresh one."),
    ConfigurationKey(
      "episodes.batch", .learning, .wholeNumber(1...manyGames), \.start.batch, for: .starts(.carousel),
      "carousel: episodes of one stage before the next one's turn."),
    ConfigurationKey(
      "episodes.pool", .learning, .wholeNumber(1...100_000), \.start.poolSize, for: .starts(.carousel, .pool),
      "carousel, pool: boards remembered to start from, per stage and thread."),
    ConfigurationKey(
      "episodes.tile", .learning, .tile, \.start.tile, for: .starts(.pool),
      "pool: boards are remembered when the first tile of this size is made."),
    ConfigurationKey(
      "episodes.share", .learning, .number(above: 0, atMost: 1), \.start.share, for: .starts(.pool),
      "pool: the share of episodes that starts from it."),
  ]

  private static let learner: [ConfigurationKey] = [
    ConfigurationKey(
      "learner.step_size", .fixed, .cases, \.stepSize.rule,
      derived: { $0.dense.isDense && $0.stepSize == .temporalCoherence() ? .adam : nil },
      default: "temporal-coherence; adam for dense networks",
      "How far a weight moves: by how much its errors agree (Jaskowski 2018), all the same, or adam (dense networks).",
      ofAnyGame: false,
      clash: .dense("give adam or constant") { $0.stepSize.rule == .temporalCoherence }),
    ConfigurationKey(
      "learner.alpha", .learning, .number(above: 0, atMost: 1), \.stepSize.alpha,
      default: "1.0 with temporal-coherence, 0.1 with constant, 0.0003 with adam",
      "The step size: each of the m weights behind a value moves by alpha / m of the error. Dense networks: the rate.",
      ofAnyGame: false,
      spent: { resumption in
        resumption.changeInForce.map { change in
          let since = change.games == 0 ? "the start" : CountText.text(change.games, "game")
          return "learner.alpha_schedule says \(change.alpha) since \(since): change learner.alpha_schedule"
        }
      }),
    ConfigurationKey(
      "learner.lambda", .learning, .number(0...1), \.lambda,
      "How much the target of a state owes to later moves: 0 is TD(0), 1 with some steps the n-step return."),
    ConfigurationKey(
      "learner.steps", .learning, .either("episode", or: .wholeNumber(1...1000)), \.steps,
      derived: { LambdaReturn.steps(for: $0.lambda) },
      default: "as many as weigh more than a tenth: 1 for lambda 0, 4 for lambda 0.5",
      "Moves that a target looks ahead; episode learns backward over each finished game. Dense: states per stretch."),
    ConfigurationKey(
      "learner.warm_up_games", .learning, .wholeNumber(0...manyGames), \.schedule.warmUpGames, for: .coherence,
      "Games of plain TD before temporal coherence begins (OTD+TC, Guei et al. 2021).",
      spent: { $0.isOver(\.schedule.warmUpGames) ? "the warm-up is over" : nil }),
    ConfigurationKey(
      "learner.warm_up_alpha", .learning, .number(above: 0, atMost: 1), \.schedule.warmUpAlpha, for: .coherence,
      "The step size of these games.",
      spent: { $0.now.schedule.warmUpGames <= $0.games ? "the warm-up is over" : nil }),
    ConfigurationKey(
      "learner.alpha_schedule", .learning, .alphaSchedule, \.schedule.changes,
      "Changes of the step size after so many games.",
      spent: { $0.isScheduleOver ? "its last change is in force already" : nil }),
    ConfigurationKey(
      "learner.exploration", .learning, .number(0...1), \.exploration,
      "The chance that a training move is any legal one (epsilon-greedy); 2048 explores enough without."),
    ConfigurationKey(
      "learner.initial_value", .learning, .number(0...10_000_000), \.initialValue,
      "Optimistic initialization: what every state is worth before training, in score points (Guei et al. 2021).",
      spent: { _ in "the weights have learned since: start a new run" }),
    ConfigurationKey(
      "learner.batch", .learning, .wholeNumber(1...1024), \.batch,
      derived: { $0.dense.isDense && $0.batch == 1 ? 64 : nil },
      default: "1, which is the fastest for tables; 64 for dense networks",
      "States learned from at once; 1 learns after every move."),
    ConfigurationKey(
      "learner.weight_decay", .learning, .number(0...1), \.weightDecay, for: .dense,
      "For dense networks: at each step a weight also loses this part of alpha, as a share of it (AdamW)."),
    ConfigurationKey(
      "learner.row_patience", .learning, .number(0...1_000_000_000), \.rowPatience, for: .dense,
      "For dense networks with adam: steps of a row after which its rate is 71%; it falls with their root. 0: "
        + "constant.",
      clash: .dense("give learner.step_size adam") { $0.rowPatience > 0 && $0.stepSize.rule != .adam }),
    ConfigurationKey(
      "learner.clip", .learning, .number(0...1_000_000), \.clip, for: .dense,
      "For dense networks: the largest norm of a step's gradient; 0 for any."),
    ConfigurationKey(
      "learner.decay", .learning, .number(0...0.5), \.decay.share,
      "What every weight loses at a time, as a share of it; 0 for no decay.",
      clash: .dense("give learner.weight_decay") { $0.decay.share > 0 }),
    ConfigurationKey(
      "learner.decay_every_games", .learning, .wholeNumber(1...manyGames), \.decay.everyGames,
      "Games between two times that weights decay."),
    ConfigurationKey(
      "learner.prune_every_games", .learning, .wholeNumber(0...manyGames), \.pruneEveryGames, for: .initialModel,
      "Games after which what is zero in network.initial_model is made zero again, to fine-tune a pruned model.",
      omitsDefault: { _ in true }, clash: .dense("leave it out") { $0.pruneEveryGames > 0 }),
  ]

  private static let averaging: [ConfigurationKey] = [
    ConfigurationKey(
      "averaging.every_games", .fixed, .wholeNumber(0...manyGames), \.averaging.everyGames,
      "Games between two merges of the weights into their average, which is what plays; 0 for no averaging."),
    ConfigurationKey(
      "averaging.window", .fixed, .averagingWindow, \.averaging.window,
      "How far the average looks back: over the last part of the run so far, or over so many merges."),
  ]

  private static let training: [ConfigurationKey] = [
    ConfigurationKey(
      "training.games", .free, .wholeNumber(1...manyGames), \.training.games,
      "Games to train in all; a resumed run counts those of its past."),
    ConfigurationKey(
      "training.threads", .workers, .wholeNumber(1...1024), \.training.threads,
      "Games played and learned from at the same time, on shared weights.",
      clash: .dense("one thread trains it, give 1") { $0.training.threads > 1 }),
    ConfigurationKey(
      "training.replicas", .free, .wholeNumber(1...64), \.training.replicas,
      "Copies of the weights, each learned by a thread of its own and merged now and then; the same bits every time.",
      omitsDefault: { _ in true }),
    ConfigurationKey(
      "training.merge_moves", .free, .wholeNumber(1...1_000_000_000), \.training.mergeMoves,
      "Moves of each replica, or of each process of mpirun, between two merges.",
      omitsDefault: { $0.training.replicas <= 1 }),
    ConfigurationKey(
      "training.games_at_once", .workers, .wholeNumber(1...1024), \.gamesAtOnce, for: .interleaving,
      default: "learner.batch for dense networks; 2 for large tables (4x6, and 8x6 without coherence sums); else 1",
      "Games that a thread interleaves while memory is on its way (1 to 16; batches: 1); dense: games in lockstep."),
    ConfigurationKey(
      "training.solo_games", .free, .wholeNumber(0...manyGames), \.training.soloGames,
      "Games that one thread plays alone before the others join in: many threads on an empty network can spoil it.",
      spent: { $0.isOver(\.training.soloGames) ? "they have been played" : nil }),
    ConfigurationKey(
      "training.report_games", .free, .wholeNumber(1...manyGames), \.training.reportGames,
      "Games per progress line when the output is no terminal."),
    ConfigurationKey(
      "training.minutes", .free, .number(0...1_000_000), \.training.minutes,
      "Minutes after which training saves and stops, whatever games are left, counted anew when resumed; 0 for no "
        + "limit.",
      omitsDefault: { _ in true }),
  ]

  private static let evaluation: [ConfigurationKey] = [
    ConfigurationKey(
      "evaluation.games", .beside, .wholeNumber(0...manyGames), \.evaluation.games,
      "Games to evaluate the trained network with; 0 for none."),
    ConfigurationKey(
      "evaluation.every_games", .beside, .wholeNumber(0...manyGames), \.evaluation.everyGames,
      "Games between evaluations beside training, which keep the best model so far in best.safetensors; 0 for none."),
    ConfigurationKey(
      "evaluation.interim_games", .beside, .wholeNumber(2...manyGames), \.evaluation.interimGames,
      "Games of each of these evaluations, the same ones every time."),
    ConfigurationKey(
      "evaluation.target", .beside, .number(0...10_000_000), \.evaluation.target, for: .evaluations,
      "Training stops once one of these evaluations has this average score, whatever games are left; 0 for none.",
      omitsDefault: { _ in true }),
    ConfigurationKey(
      "evaluation.patience", .beside, .wholeNumber(0...1_000_000), \.evaluation.patience, for: .evaluations,
      "Training stops after so many of these evaluations in a row without a better one; 0 for none.",
      omitsDefault: { _ in true }),
    ConfigurationKey(
      "evaluation.seed", .beside, .wholeNumber(0...UInt64.max), \.evaluation.seed,
      "Decides the evaluation games: the same seed gives every network the same luck."),
    ConfigurationKey(
      "evaluation.plies", .beside, .wholeNumber(AgentSpecification.pliesRange), \.evaluation.plies, for: .board,
      "Search depth: 1 is greedy, each further ply adds one chance layer and one max layer."),
    ConfigurationKey(
      "evaluation.threads", .beside, .wholeNumber(1...1024), \.evaluation.threads,
      default: "the number of cores that the process may use",
      "Evaluation games played at the same time; the result does not depend on it."),
  ]

  private static let output: [ConfigurationKey] = [
    ConfigurationKey(
      "output.directory", .beside, .folder, \.output.directory,
      default: "null, which means runs/<name>__<seed>__<date-time>",
      "The run folder."),
    ConfigurationKey(
      "output.checkpoint_games", .beside, .wholeNumber(0...manyGames), \.output.checkpointGames,
      "Games between checkpoints; 0 for no such rule. One is written at the end in any case."),
    ConfigurationKey(
      "output.checkpoint_minutes", .beside, .wholeNumber(0...100_000), \.output.checkpointMinutes,
      "Minutes between checkpoints; 0 for no such rule."),
    ConfigurationKey(
      "output.keep", .beside, .wholeNumber(1...1000), \.output.keep,
      "Checkpoints that stay. With more than 1, each also has a name with its number of games."),
    ConfigurationKey(
      "output.on_checkpoint", .beside, .command, \.output.onCheckpoint,
      default: "null, which means none",
      "Shell command after each checkpoint, with TUPELO_RUN, TUPELO_CHECKPOINT, ...; exit status 77 stops training.",
      omitsDefault: { _ in true }),
  ]

  private static let manyGames = 1_000_000_000_000
}
