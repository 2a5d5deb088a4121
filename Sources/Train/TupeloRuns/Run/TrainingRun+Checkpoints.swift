internal import Foundation
internal import TupeloTraining

/// Writing checkpoints, and the steps after each checkpoint.
extension TrainingRun {
  /// Writes a checkpoint where it belongs. A folder that is gone is made again, with the files that a run writes at its
  /// start.
  func save(_ onEvent: (Event) throws -> Void) throws {
    defer { checkpoints.postpone() }
    if let change = try directory.restore(newest: newest) {
      try onEvent(.problem(change))
      try attempt(onEvent) {
        try directory.begin(session, configuration)
        try recorder.reopen(in: directory)
      }
      best.lost()
      // A copy of the run's own folder has its checkpoint, so the best model there is the run's own, too.
      if case .exchanged = change,
        FileManager.default.fileExists(atPath: directory.file(RunDirectory.Name.checkpoint))
      {
        try attempt(onEvent) { best = try BestModel(directory, isFresh: false) }
      }
    }
    try checkpoints.save(trainer) { try onEvent(.problem($0)) }
    try callHook(directory.file(RunDirectory.Name.checkpoint), onEvent)
  }

  /// The facts in the newest checkpoint of the run; `nil` before the first one.
  private var newest: RunConfiguration.Past? {
    let games = checkpoints.savedGames ?? (session.games > 0 ? session.games : nil)
    return games.map { RunConfiguration.Past(configuration, games: $0) }
  }

  /// Saves the last checkpoint of the session, unless the newest one is of the present games already.
  func saveLast(_ onEvent: (Event) throws -> Void) throws {
    guard checkpoints.savedGames != trainer.games else { return }
    do {
      try lastCheckpoint.save(trainer) { try save(onEvent) }
    } catch let error as CheckpointRescue {
      try callHook(error.copy, onEvent)
      throw error
    }
  }

  /// Calls the command of `output.onCheckpoint`. A failure is a problem, and the run continues.
  private func callHook(_ checkpoint: String, _ onEvent: (Event) throws -> Void) throws {
    guard let hook else { return }
    try attempt(onEvent) {
      let facts = CheckpointHook.Facts(
        run: directory.path, checkpoint: checkpoint, games: trainer.games, evaluation: evaluation)
      if try hook.call(facts), earlyStop == nil, trainer.games < configuration.training.games { earlyStop = .command }
    }
  }
}
