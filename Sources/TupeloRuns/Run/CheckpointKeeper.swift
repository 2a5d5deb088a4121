internal import Foundation
internal import TupeloTraining

/// Decides when a run writes checkpoints and which of them are kept.
///
/// `checkpoint.safetensors` is always the newest. If more than one is kept, each also gets a name with its number of
/// games, as a hard link. A hard link is a second name for one file, so nothing is written twice and the newest name
/// never points at half a file.
struct CheckpointKeeper {
  private let directory: RunDirectory
  private let output: RunConfiguration.Output
  private var nextGames: Int
  private var nextTime: ContinuousClock.Instant

  init(_ directory: RunDirectory, output: RunConfiguration.Output, games: Int) {
    self.directory = directory
    self.output = output
    (nextGames, nextTime) = Self.next(after: games, output)
  }

  func isDue(games: Int) -> Bool { games >= nextGames || ContinuousClock.now >= nextTime }

  /// Schedules the next checkpoint, also when this one could not be written.
  private mutating func postpone(games: Int) { (nextGames, nextTime) = Self.next(after: games, output) }

  /// Writes a checkpoint and removes those that are not kept.
  ///
  /// - Throws: the errors of `Trainer.save`, with the older checkpoint still there; `RunDirectoryError`.
  mutating func save(_ trainer: Trainer) throws {
    defer { postpone(games: trainer.games) }
    let path = directory.file(RunDirectory.Name.checkpoint)
    try trainer.save(to: path)
    guard output.keep > 1 else { return }
    do {
      let name = Self.name(games: trainer.games)
      let files = FileManager.default
      // Checkpoints of this many games or more are left from before the run was resumed at an earlier checkpoint.
      for stale in try numbered() where stale >= name { try files.removeItem(atPath: directory.file(stale)) }
      do {
        try files.linkItem(atPath: path, toPath: directory.file(name))
      } catch {
        // Some file systems have no hard links.
        try files.copyItem(atPath: path, toPath: directory.file(name))
      }
      let kept = try numbered()
      for old in kept.dropLast(output.keep) { try files.removeItem(atPath: directory.file(old)) }
    } catch {
      throw RunDirectoryError.notWritable(path: directory.path, reason: RunDirectory.reason(error))
    }
  }

  /// The number of checkpoints in a folder that have their number of games in their names.
  static func count(in directory: RunDirectory) throws -> Int { try numbered(in: directory).count }

  private func numbered() throws -> [String] { try Self.numbered(in: directory) }

  private static func numbered(in directory: RunDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).filter(isNumbered).sorted()
  }

  /// A name that sorts by the number of games.
  private static func name(games: Int) -> String { "checkpoint-" + String(format: "%013d", games) + ".safetensors" }

  private static func isNumbered(_ name: String) -> Bool {
    name.hasPrefix("checkpoint-") && name.hasSuffix(".safetensors") && name.utf8.count == 11 + 13 + 12
  }

  private static func next(after games: Int, _ output: RunConfiguration.Output) -> (Int, ContinuousClock.Instant) {
    let every = output.checkpointGames
    let minutes = output.checkpointMinutes
    return (
      every > 0 ? (games / every + 1) * every : .max,
      ContinuousClock.now + (minutes > 0 ? .seconds(60 * minutes) : .seconds(1 << 40))
    )
  }
}
