internal import TupeloBase
internal import TupeloEngine
package import TupeloLearning
package import TupeloModels
package import TupeloNetwork

/// The keys of what is learned and how: the rules, the network, the learner and its stages.
extension ConfigurationKey {
  /// The keys of this file, in the order of the reference.
  static let model: [ConfigurationKey] = [
    .rows, .columns, .fourProbability, .startTiles,
    .layout, .patterns, .symmetries, .networkStages, .initialModel, .hidden, .embedding, .linear, .sums,
    .stepSize, .alpha, .lambda, .steps, .warmUpGames, .warmUpAlpha, .alphaSchedule, .exploration, .initialValue,
    .batch, .weightDecay, .rowPatience, .clip, .decay, .decayEveryGames, .zeros,
    .promotion, .afterGames, .frozen,
  ]

  /// The keys for the numbers in the rules of a game other than 2048: `set.features`.
  static func numbers(of game: GameKind) -> [ConfigurationKey] { (game.rules?.keys ?? []).map { number($0, of: game) } }

  static func number(_ key: RulesKey, of game: GameKind) -> Key<Int> {
    Key(
      "\(game.name).\(key.name)", \.[number: key, of: game], .whole(key.range), .learning, when: .game(game),
      key.summary)
  }

  package static let rows = Key<Int>(
    "rules.rows", \.rules.shape.rows, .whole(2...4), .learning, when: .board, "Rows of the board.")
  package static let columns = Key<Int>(
    "rules.columns", \.rules.shape.columns, .whole(2...4), .learning, when: .board, "Columns of the board.")
  package static let fourProbability = Key<Double>(
    "rules.four_probability", \.rules.fourProbability, .number(0...1), .learning, when: .board,
    "The probability that a new tile is a 4 instead of a 2.")
  package static let startTiles = Key<Int>(
    "rules.start_tiles", \.rules.startTiles, .whole(1...15), .learning, when: .board,
    "Tiles on the board when a game starts. There must be fewer tiles than cells.")

  package static let layout = Key<String?>(
    "network.layout", \.layout, .choice(NamedLayout.all.map { ($0.name, $0.name) }), .fixed, when: .boardChoice,
    default: RunConfiguration.standardLayout,
    "A network by its name, for the 4x4 board. Give this key or network.patterns.")
  package static let patterns = Key<[String]>(
    "network.patterns", \.patternTexts, .patterns, .fixed, when: .board, default: "the patterns of network.layout",
    "The n-tuples: hex cells, row by row from the top left, such as 012345 456789. Each has at most 8 cells.")
  package static let symmetries = Key<Bool>(
    "network.symmetries", \.network.sharesSymmetries, .choice([("shared", true), ("separate", false)]), .fixed,
    when: .board, default: "the choice of network.layout; shared for network.patterns",
    "shared: each pattern has one table, which all symmetric boards use.",
    "separate: each pattern is looked up on the board alone.")
  package static let networkStages = Key<StagePartition>(
    "network.stages", \.network.stages, .stages, .fixed, when: .board,
    "Divides the game into stages with weights of their own: by the largest tile, by the sum of all tiles, or by the",
    "tiles that are present. Not for dense networks."
  ) { run, _ in
    // With a 4 on the last cell, tiles of 4, 8, 16 and so on fill the board.
    let (stages, shape) = (run.network.stages, run.network.shape)
    let largest = 1 << (shape.cellCount + 1)
    let most = stages.measure == .sum ? 2 * largest - 4 : largest
    let unreached = stages.thresholds.last.flatMap { $0 > most ? $0 : nil }
    return [
      unreached.map { "no \(shape) board reaches the stage at \($0): give at most \(most)" },
      stages.count > 1 ? run.refusalOfDense() : nil,
    ]
  }
  package static let initialModel = Key<String?>(
    "network.initial_model", \.initialModel, .optional("the path of a file"), .fixed, when: .model,
    "A model to start from. Tables with the same patterns take its weights; all other tables start empty.")

  package static let hidden = Key<[Int]>(
    "network.dense.hidden", \.dense.hidden, .wholes(1...8192), .fixed, when: .choice,
    "Widths of the hidden layers of a dense network, such as [32]. [] means a network of tables only.")
  package static let embedding = Key<Int>(
    "network.dense.embedding", \.dense.embedding, .whole(1...512), .fixed, when: .dense,
    "Length of the row that each table entry has in place of a weight. 7, 15 or 31 fill whole cache lines.")
  package static let linear = Key<Bool>(
    "network.dense.linear", \.dense.linear, .choice([("yes", true), ("no", false)]), .fixed, when: .dense,
    "Whether each row also has a weight that is added directly to the value, as in a network of tables.")
  package static let sums = Key<DenseArchitecture.Sums>(
    "network.dense.sums", \.dense.sums, .cases, .fixed, when: .dense,
    "groups: the rows of each pattern are added up, and the sums stand side by side.",
    "all: all rows are added up, followed by a rectifier (one-hot input).")

  package static let stepSize = Key<RunConfiguration.StepSize.Rule>(
    "learner.step_size", \.stepSize.rule, .cases, .fixed, when: .rule,
    default: "temporal-coherence; adam for dense networks",
    "How far each weight moves. temporal-coherence: by how much its errors agree (Jaskowski 2018).",
    "constant: equally far for all weights. adam: by the moments of its gradients (dense networks)."
  ) { run, _ in
    [
      run.stepSize.rule == .adam ? Condition.dense.refusal(in: run) : nil,
      run.stepSize.isCoherent ? run.refusalOfDense("give adam or constant") : nil,
    ]
  }
  package static let alpha = Key<Float>(
    "learner.alpha", \.stepSize.alpha, .number(above: 0, atMost: 1), .learning,
    default: "1.0 with temporal-coherence, 0.1 with constant, 0.0003 with adam",
    "The step size: each of the m weights behind a value moves by alpha / m of the error.",
    "For dense networks it is the learning rate.")
  package static let lambda = Key<Float>(
    "learner.lambda", \.returns.lambda, .number(0...1), .learning,
    "The lambda of TD(lambda). 0 gives TD(0). 1 with a number of learner.steps gives the n-step return."
  ) { run, said in
    [run.isEndless(in: said) ? "lambda 1 has no default horizon: set learner.steps (a number, or episode)" : nil]
  }
  package static let steps = Key<Int?>(
    "learner.steps", \.returns.steps, .steps(1...LambdaReturn.mostSteps), .learning,
    default: "the smallest n with lambda^n <= 0.1, at most 1000: 1 for lambda 0, 4 for lambda 0.5",
    "Moves that a target looks ahead. episode: learning goes backward over each finished game.",
    "For dense networks: states per trajectory."
  ) { run, _ in
    guard run.returns.lambda == 0, let steps = run.returns.steps, steps > 1 else { return [] }
    return ["lambda 0 looks one step ahead: for n-step returns set learner.lambda to 1, or leave learner.steps out"]
  }
  package static let warmUpGames = Key<Int>(
    "learner.warm_up_games", \.schedule.warmUpGames, .whole(manyGames), .learning, when: .coherence,
    "Games of plain TD before temporal coherence begins. With an initial value this is OTD+TC (Guei et al. 2021).")
  package static let warmUpAlpha = Key<Float>(
    "learner.warm_up_alpha", \.schedule.warmUpAlpha, .number(above: 0, atMost: 1), .learning, when: .coherence,
    "The step size during the warm-up games.")
  package static let alphaSchedule = Key<[StepSizeSchedule.Change]>(
    "learner.alpha_schedule", \.schedule.changes, .alphaSchedule, .learning,
    "Changes of the step size, each after a number of games."
  ) { run, _ in
    let warmUp = run.schedule.warmUpGames
    guard run.stepSize.isCoherent, let first = run.schedule.changes.first, first.games < warmUp else { return [] }
    let (games, all) = (CountText.text(first.games, "game"), CountText.text(warmUp, "game"))
    return ["changes alpha after \(games), while the warm-up of \(all) still runs: let it begin later"]
  }
  package static let exploration = Key<Double>(
    "learner.exploration", \.exploration, .number(0...1), .learning,
    "The probability that a training move is any legal move (epsilon-greedy). 2048 explores enough without it.")
  package static let initialValue = Key<Float>(
    "learner.initial_value", \.initialValue, .number(0...10_000_000), .learning,
    "Optimistic initialization: the value of every state before training, in score points (Guei et al. 2021).")
  package static let batch = Key<Int>(
    "learner.batch", \.batch, .whole(1...1024), .learning,
    default: "1, which is the fastest for tables; 64 for dense networks",
    "States in one update. 1 means that the learner updates from one state at a time."
  ) { run, said in
    let isOneStep = run.returns.lambda == 0 && run.returns.steps != nil
    guard run.batch != 1, !isOneStep, !run.dense.isDense, !run.isEndless(in: said) else { return [] }
    return ["a batch learns TD(0): leave out learner.lambda and learner.steps, or set learner.batch to 1"]
  }
  package static let weightDecay = Key<Float>(
    "learner.weight_decay", \.weightDecay, .number(0...1), .learning, when: .dense,
    "At each step a weight also loses this part of alpha, as a share of the weight (AdamW).")
  package static let rowPatience = Key<Float>(
    "learner.row_patience", \.rowPatience, .number(0...1_000_000_000), .learning, when: .dense,
    "For adam: updates of a row after which its rate is 71%. The rate falls with the root of the number of updates.",
    "0 means a constant rate."
  ) { run, _ in
    [run.rowPatience > 0 && run.stepSize.rule != .adam ? run.refusalOfDense("give learner.step_size adam") : nil]
  }
  package static let clip = Key<Double>(
    "learner.clip", \.clip, .number(0...1_000_000), .learning, when: .dense,
    "The largest norm of the gradient of a step. 0 means no limit.")
  package static let decay = Key<Float>(
    "learner.decay", \.decay.share, .number(0...0.5), .learning, notDense: "give learner.weight_decay",
    "The share that every weight loses at each decay. 0 means no decay.")
  package static let decayEveryGames = Key<Int>(
    "learner.decay_every_games", \.decay.everyGames, .whole(someGames), .learning,
    "Games between two decays of the weights.")
  package static let zeros = Key<RunConfiguration.ZeroWeights>(
    "learner.zeros", \.zeros, .cases, .fixed, when: .coherentStart,
    "Weights that are zero in network.initial_model. learn: they learn like all others.",
    "stay: they stay zero, so that a pruned model does not become larger when it is fine-tuned."
  ) { run, _ in
    guard run.zeros == .stay else { return [] }
    if run.fillsStages {
      return ["later stages take weights of earlier ones: set stages.promotion to none, and stages.after_games to 0"]
    }
    return [run.schedule.warmUpGames > 0 ? "a warm-up moves all weights: leave out learner.warm_up_games" : nil]
  }

  package static let promotion = Key<RunConfiguration.Stages.Promotion>(
    "stages.promotion", \.stages.promotion, .cases, .learning, when: .stages,
    "weight: each weight of a later stage starts as the weight of the previous stage (Jaskowski 2018).",
    "none: it starts as zero.")
  package static let afterGames = Key<Int>(
    "stages.after_games", \.stages.afterGames, .whole(manyGames), .learning, when: .stages,
    "Games that train stage 0 alone. After them, the later stages start as copies of stage 0.")
  package static let frozen = Key<[Int]>(
    "stages.frozen", \.stages.frozen, .wholes(0...15), .learning, when: .stages,
    "Stages whose weights do not change."
  ) { run, _ in
    let (count, frozen) = (run.network.stages.count, Set(run.stages.frozen))
    guard count > 1 else { return [] }
    if let last = frozen.max(), last >= count {
      return ["there is no stage \(last): the network has stages 0 to \(count - 1)"]
    }
    return [frozen.count == count ? "all stages are frozen: leave one out" : nil]
  }
}
