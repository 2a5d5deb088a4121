internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

/// Problems of settings, or settings without effect, each with the key that a message names.
struct Findings {
  private(set) var problems: [ConfigurationError.Problem] = []

  var isEmpty: Bool { problems.isEmpty }

  mutating func add(_ key: String, _ reason: ConfigurationError.Reason) {
    problems.append(.init(source: .program, key: key, reason: reason))
  }

  /// - Parameter text: the sentence that follows the key; `nil` if nothing is wrong
  mutating func add(_ key: String, if isWrong: Bool = true, _ text: @autoclosure () -> String?) {
    if isWrong, let text = text() { add(key, .contradiction(text)) }
  }

  func refuse() throws(ConfigurationError) {
    guard isEmpty else { throw ConfigurationError(problems: problems) }
  }
}

extension RunConfiguration {
  /// Contradictions between settings that each have an allowed value, and apply.
  func contradictions(in settings: Settings) -> Findings {
    var found = Findings()
    let (isDense, warmUp, rule) = (dense.isDense, schedule.warmUpGames, stepSize.rule)
    let isEndless = settings.values["learner.steps"] == nil && LambdaReturn.steps(for: lambda) == nil
    found.add(
      "learner.lambda", if: isEndless,
      "lambda 1 has no default horizon: set learner.steps (a number, or episode)")
    found.add(
      "learner.steps", if: lambda == 0 && steps != 1,
      "lambda 0 looks one step ahead: for n-step returns set learner.lambda to 1, or leave learner.steps out")
    if rule == .temporalCoherence, let first = schedule.changes.first {
      found.add(
        "learner.alpha_schedule", if: first.games < warmUp,
        "changes alpha after \(CountText.text(first.games, "game")), while the warm-up of "
          + "\(CountText.text(warmUp, "game")) still runs: let it begin later")
    }
    found.add(
      "learner.zeros", if: zeros == .stay && fillsStages,
      "later stages take weights of earlier ones: set stages.promotion to none, and stages.after_games to 0")
    found.add(
      "learner.zeros", if: zeros == .stay && warmUp > 0 && !fillsStages,
      "a warm-up moves all weights: leave out learner.warm_up_games")
    // With a 4 on the last cell, tiles of 4, 8, 16 and so on fill the board.
    let largest = 1 << (network.shape.cellCount + 1)
    let most = network.stages.measure == .sum ? 2 * largest - 4 : largest
    if let threshold = network.stages.thresholds.last {
      found.add(
        "network.stages", if: threshold > most,
        "no \(network.shape) board reaches the stage at \(threshold): give at most \(most)")
    }
    let (count, last) = (network.stages.count, stages.frozen.max() ?? 0)
    found.add(
      "stages.frozen", if: count > 1 && last >= count,
      "there is no stage \(last): the network has stages 0 to \(count - 1)")
    found.add(
      "stages.frozen", if: count > 1 && last < count && Set(stages.frozen).count == count,
      "all stages are frozen: leave one out")
    found.add("network.stages", if: count > 1, Condition.dense.exclusion(in: self))
    found.add("episodes.start", if: start.kind == .carousel, Condition.stages.refusal(in: self))
    found.add(
      "training.games_at_once", if: !isDense && gamesAtOnce > 16 && Condition.interleaving.holds(in: self),
      "\(gamesAtOnce) games at once are for dense networks (network.dense): give up to 16")
    found.add(
      "learner.batch", if: batch != 1 && lambda > 0 && !isDense && !isEndless,
      "a batch learns TD(0): leave out learner.lambda, or set learner.batch to 1")
    found.add("learner.step_size", if: rule == .adam, Condition.dense.refusal(in: self))
    let (other, adam) = (Condition.dense("give adam or constant"), Condition.dense("give learner.step_size adam"))
    found.add("learner.step_size", if: rule == .temporalCoherence, other.exclusion(in: self))
    found.add("learner.row_patience", if: rowPatience > 0 && rule != .adam, adam.exclusion(in: self))
    let (threads, replicas) = (training.threads, training.replicas)
    found.add(
      "training.threads", if: replicas > 1 && threads > 1,
      "\(threads) threads share weights, and training.replicas gives each its own: give one of the two")
    for feature in unreplicated {
      found.add(
        "training.replicas", if: replicas > 1, "replicas cannot be used with \(feature): leave out one of the two")
    }
    if isDense, found.isEmpty {
      do { _ = try structure() } catch { found.add("network.dense.hidden", "\(error)") }
    }
    return found
  }

  /// Settings that cannot be combined with replicas, because they keep values in addition to the weights that cannot be
  /// merged.
  package var unreplicated: [String] {
    var found: [String] = []
    if game.tables?.mergesReplicas != true { found.append("game \(game)") }
    if dense.isDense, game.dense?.mergesReplicas != true { found.append("network.dense") }
    if zeros == .stay { found.append("learner.zeros stay") }
    return found
  }

  /// Settings that are allowed and have no effect. They are not errors, because checkpoints of earlier runs have such
  /// settings, too, and a later `training.games` may give them an effect.
  ///
  /// - Parameter settings: what was said about a new run; `nil` for a run that is resumed
  func warnings(in settings: Settings?) -> Findings {
    var found = Findings()
    let isDefaultStep = settings.map { $0.values["learner.alpha"] == nil } ?? false
    found.add(
      "network.initial_model", if: initialModel != nil && isDefaultStep && stepSize.isCoherent && !dense.isDense,
      "a model has no sums E and A, so the default step size \(stepSize.alpha) soon overwrites what it has learned, "
        + "and it plays far worse: set learner.alpha; 0.1 is gentler")
    found.add(
      "learner.lambda", if: lambda > 0 && steps == 1,
      "\(lambda) has no effect with learner.steps 1: give more steps, or leave it out")
    found.add(
      "training.games_at_once", if: batch > 1 && !dense.isDense && training.gamesAtOnce != nil,
      "\(gamesAtOnce) has no effect with learner.batch above 1, which plays one game at a time: leave it out")
    // Features that a number turns on. Overrides and sweeps turn them off, too, and leave the other keys as they are.
    let isUnmeasured = evaluation.games == 0 && evaluation.everyGames == 0
    let off: [(isOff: Bool, name: String, keys: [String])] = [
      (stepSize.isCoherent && schedule.warmUpGames == 0, "learner.warm_up_games", ["learner.warm_up_alpha"]),
      (decay.share == 0, "learner.decay", ["learner.decay_every_games"]),
      (averaging.everyGames == 0, "averaging.every_games", ["averaging.window"]),
      (evaluation.everyGames == 0, "evaluation.every_games", ["evaluation.interim_games"]),
      (isUnmeasured, "evaluation.games or evaluation.every_games", ["evaluation.seed", "evaluation.plies"]),
    ]
    for feature in off where feature.isOff {
      for key in feature.keys where keys.named(key)?.isChanged(self) == true {
        found.add(key, "has no effect while \(feature.name) is 0: set it, or leave this key out")
      }
    }
    let end = "training ends after \(CountText.text(training.games, "game"))"
    if let change = schedule.changes.first(where: { $0.games >= training.games }) {
      found.add(
        "learner.alpha_schedule",
        "the change of alpha after \(CountText.text(change.games, "game")) has no effect: \(end)")
    }
    let periods: [(key: String, name: String, games: Int)] = [
      ("learner.decay", "decay", decay.share > 0 ? decay.everyGames : 0),
      ("averaging.every_games", "average", averaging.everyGames),
      ("evaluation.every_games", "evaluation during training", evaluation.everyGames),
      ("output.checkpoint_games", "checkpoint of this interval", output.checkpointGames),
    ]
    for period in periods where period.games > training.games && settings?.values[period.key] != nil {
      found.add(
        period.key,
        "the first \(period.name) is after \(CountText.text(period.games, "game")), and \(end): it has no effect")
    }
    return found
  }
}
