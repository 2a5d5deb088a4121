internal import TupeloTraining

/// Writing checkpoints.
extension TrainingRun {
  /// Writes a checkpoint where it belongs. A folder that is gone is made again, with what a run writes at its start.
  func save(_ onEvent: (Event) throws -> Void) throws {
    defer { checkpoints.postpone(games: trainer.games) }
    if let change = try directory.restore(newest: newest) {
      try onEvent(.problem(change))
      try attempt(onEvent) {
        try directory.begin(session, configuration)
        try recorder.reopen(in: directory)
      }
      best.lost()
    }
    try checkpoints.save(trainer) { try onEvent(.problem($0)) }
  }

  /// What the newest checkpoint of the run says of itself; `nil` before the first one.
  private var newest: RunConfiguration.Past? {
    let games = checkpoints.savedGames ?? (session.games > 0 ? session.games : nil)
    return games.map { RunConfiguration.Past(configuration, games: $0) }
  }

  /// Saves the last checkpoint of the session, unless the newest one is of the present games already.
  func saveLast(whileWaiting: () -> (() -> Bool), _ onEvent: (Event) throws -> Void) throws {
    guard checkpoints.savedGames != trainer.games else { return }
    try lastCheckpoint.save(
      trainer, in: directory, whileWaiting: whileWaiting, tell: { try onEvent(.problem($0)) },
      write: { try save(onEvent) })
  }
}
