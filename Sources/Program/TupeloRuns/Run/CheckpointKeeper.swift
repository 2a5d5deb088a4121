internal import Foundation
internal import TupeloBase
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
  /// The number of games in the newest checkpoint that this session has written; `nil` before the first one.
  private(set) var savedGames: Int?

  init(_ directory: RunDirectory, output: RunConfiguration.Output, games: Int) {
    self.directory = directory
    self.output = output
    (nextGames, nextTime) = Self.next(after: games, output)
  }

  func isDue(games: Int) -> Bool { games >= nextGames || ContinuousClock.now >= nextTime }

  /// Schedules the next checkpoint, also when this one could not be written.
  mutating func postpone(games: Int) { (nextGames, nextTime) = Self.next(after: games, output) }

  /// Writes a checkpoint and removes those that are not kept. If the disk has no room for it, the oldest kept
  /// checkpoints are given up, as many as needed.
  ///
  /// - Parameter onLoss: called for each kept checkpoint that is given up, or that cannot be kept
  /// - Throws: the errors of `Trainer.save`, with the older checkpoint still there.
  mutating func save(_ trainer: Trainer, onLoss: (RunDirectoryError) throws -> Void) throws {
    let path = directory.file(RunDirectory.Name.checkpoint)
    while true {
      do {
        try trainer.save(to: path)
        break
      } catch let error as SystemError where error.isLackOfRoom {
        guard let given = try giveUpOldest(forBytes: trainer.checkpointByteCount) else { throw error }
        try onLoss(.givenUp(path: given))
      }
    }
    savedGames = trainer.games
    do {
      try keep(path, games: trainer.games)
    } catch {
      try onLoss(.notKept(path: directory.file(Self.name(games: trainer.games)), reason: RunDirectory.reason(error)))
    }
  }

  /// Gives the newest checkpoint a name with its number of games, and removes the oldest names.
  private func keep(_ path: String, games: Int) throws {
    guard output.keep > 1 else { return }
    let name = Self.name(games: games)
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
  }

  /// Removes the oldest kept checkpoint, if all of them together take the room that a new checkpoint needs. Another
  /// name of `checkpoint.safetensors` takes no room of its own and stays.
  ///
  /// - Returns: the path of the file that was removed; `nil` when no file was removed.
  private func giveUpOldest(forBytes needed: Int) throws -> String? {
    let files = FileManager.default
    let newest = realPath(of: directory.file(RunDirectory.Name.checkpoint))
    let isThere = files.fileExists(atPath: newest)
    let place = try files.attributesOfItem(atPath: isThere ? newest : directory.path)
    var spare: [(path: String, bytes: Int)] = []
    for name in try numbered() {
      let kept = try files.attributesOfItem(atPath: directory.file(name))
      // A checkpoint may be a link to another disk.
      guard kept[.systemNumber] as? Int == place[.systemNumber] as? Int,
        kept[.type] as? FileAttributeType == .typeRegular,
        kept[.systemFileNumber] as? Int != place[.systemFileNumber] as? Int
      else { continue }
      spare.append((directory.file(name), kept[.size] as? Int ?? 0))
    }
    let free = FreeSpace(at: isThere ? newest : directory.path)?.most ?? 0
    guard let oldest = spare.first, free + spare.reduce(0, { $0 + $1.bytes }) >= needed else { return nil }
    try files.removeItem(atPath: oldest.path)
    return oldest.path
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
