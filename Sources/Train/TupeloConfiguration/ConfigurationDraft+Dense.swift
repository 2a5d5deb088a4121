internal import TupeloDense
internal import TupeloEngine
internal import TupeloLearning
internal import TupeloModels
internal import TupeloNetwork

/// Dense networks: which other settings go with them.
extension ConfigurationDraft {
  func checkDense() -> [ConfigurationError.Problem] {
    guard configuration.dense.isDense else {
      let keys = ["network.dense.embedding", "network.dense.linear", "network.dense.sums"]
      let others = unused(
        keys + ["learner.weight_decay", "learner.clip", "learner.row_patience"],
        without: "network.dense.hidden, such as [32]")
      guard configuration.stepSize.rule == .adam else { return others }
      return others
        + [problem("learner.step_size", .contradiction(.unused(without: "network.dense.hidden, such as [32]")))]
    }
    let problems = strangers.map { problem($0.path, .contradiction(.notDense(need: $0.need))) }
    guard problems.isEmpty else { return problems }
    do throws(DenseError) {
      _ = try configuration.denseModel()
      return []
    } catch {
      return [problem("network.dense.hidden", .dense(error))]
    }
  }

  /// Settings that are for networks of tables, each with the remedy.
  private var strangers: [(path: String, need: String)] {
    var found: [(String, String)] = []
    if configuration.stepSize.rule == .temporalCoherence {
      found.append(("learner.step_size", "give adam or constant"))
    }
    if configuration.network.stages.count > 1 { found.append(("network.stages", "leave it out")) }
    if configuration.decay.share > 0 { found.append(("learner.decay", "give learner.weight_decay")) }
    if configuration.pruneEveryGames > 0 { found.append(("learner.prune_every_games", "leave it out")) }
    if configuration.rowPatience > 0, configuration.stepSize.rule != .adam {
      found.append(("learner.row_patience", "give learner.step_size adam"))
    }
    if configuration.training.threads > 1 { found.append(("training.threads", "one thread trains it, give 1")) }
    return found
  }
}
