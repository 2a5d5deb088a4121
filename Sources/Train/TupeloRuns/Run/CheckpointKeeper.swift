internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// Writes the checkpoints of a run and keeps some of them. A run writes one at multiples of `output.checkpoint_games`,
/// and `output.checkpoint_minutes` after the last one.
///
/// `checkpoint.safetensors` is always the newest. If more than one is kept, each also gets a name with its number of
/// games, as a hard link. A hard link is a second name for one file, so nothing is written twice and the newest name
/// never points at half a file.
struct CheckpointKeeper {
  private let directory: RunDirectory
  private let output: RunConfiguration.Output
  private var nextTime: ContinuousClock.Instant
  /// The number of games in the newest checkpoint that this session has written; `nil` before the first one.
  private(set) var savedGames: Int?

  init(_ directory: RunDirectory, output: RunConfiguration.Output) {
    self.directory = directory
    self.output = output
    nextTime = Self.nextTime(output)
  }

  /// Whether the minutes since the last checkpoint have passed.
  var isTimeOver: Bool { ContinuousClock.now >= nextTime }

  /// Schedules the next checkpoint by time, also when this one could not be written.
  mutating func postpone() { nextTime = Self.nextTime(output) }

  private static func nextTime(_ output: RunConfiguration.Output) -> ContinuousClock.Instant {
    let minutes = output.checkpointMinutes
    return ContinuousClock.now + (minutes > 0 ? .seconds(60 * minutes) : .seconds(1 << 40))
  }

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
    let files = FileManager.default
    // `checkpoint.safetensors` may be a link, and a link to a link would follow every later checkpoint.
    let (newest, name) = (realPath(of: path), directory.file(Self.name(games: games)))
    // A run that was resumed at a kept checkpoint may stop there again.
    if isThere(name) { try files.removeItem(atPath: name) }
    do {
      try files.linkItem(atPath: newest, toPath: name)
    } catch {
      // Some file systems have no hard links, and none leads to another disk.
      try copy(newest, to: name)
    }
    for old in try numbered().dropLast(output.keep) { try files.removeItem(atPath: directory.file(old)) }
  }

  /// Copies a file, whole or not at all.
  private func copy(_ path: String, to destination: String) throws {
    let original = try MappedFile(path: path)
    let file = try ReplacementFile(path: destination)
    do {
      for start in stride(from: 0, to: original.byteCount, by: 1 << 20) {
        try original.withBytes(start..<min(start + 1 << 20, original.byteCount)) { try file.append($0) }
      }
      try file.commit()
    } catch {
      file.discard()
      throw error
    }
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
  static func count(in directory: RunDirectory) throws -> Int { try numbered(in: directory.path).count }

  private func numbered() throws -> [String] { try Self.numbered(in: directory.path) }

  /// The names of kept checkpoints in a folder, by ascending games.
  private static func numbered(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { games(ofName: $0) != nil }.sorted()
  }

  /// The checkpoint of most games in a run's folder, and its games; `nil` where there is none that can be read.
  ///
  /// - Parameter catalogue: the games that it may be of
  static func newest(in folder: String, of catalogue: GameCatalogue) throws -> (path: String, games: Int)? {
    var all: [(path: String, games: Int)] = []
    let path = folder + "/" + RunDirectory.Name.checkpoint
    if FileManager.default.fileExists(atPath: path) {
      do {
        all.append((path, try Checkpoint(path: path, of: catalogue).games))
      } catch is SafetensorsError {
        // A damaged checkpoint is a reason to resume from an earlier one.
      }
    }
    for name in try numbered(in: folder) {
      if let games = games(ofName: name) { all.append((folder + "/" + name, games)) }
    }
    return all.max { $0.games < $1.games }
  }

  private static let (prefix, suffix, digits) = ("checkpoint-", ".safetensors", 13)

  /// A name that sorts by the number of games.
  private static func name(games: Int) -> String {
    let text = String(games)
    return prefix + String(repeating: "0", count: max(0, digits - text.count)) + text + suffix
  }

  private static func games(ofName name: String) -> Int? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.utf8.count == prefix.count + digits + suffix.count,
      name.dropFirst(prefix.count).prefix(digits).allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return Int(name.dropFirst(prefix.count).prefix(digits))
  }
}
