internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// Saves the last checkpoint of a session, so that no training is lost when its folder cannot take it: because the disk
/// is full, or the folder is gone.
///
/// 1. At once, a copy goes to another place, in case the process is killed: to the working folder, or else to
/// `$TMPDIR`, or else to `/tmp`. A job scheduler may empty `$TMPDIR` at the end of a job. 2. The folder is tried again,
/// for a while or until a signal ends the wait. When it takes the checkpoint, the copy is removed. 3. Otherwise the
/// copy remains, and the error says where it is.
package struct LastCheckpoint {
  /// The time for which the folder is tried again.
  package var patience = Duration.seconds(600)
  /// The folders in which there may be room for the copy, in this order.
  package var places = [".", ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp", "/tmp"]

  /// - Parameters:
  ///   - trainer: the run
  ///   - directory: its folder
  ///   - write: writes the checkpoint where it belongs
  ///   - whileWaiting: called when waiting begins; it returns a function that says whether to stop waiting
  ///   - tell: called with messages for the user
  /// - Throws: `CheckpointRescue.elsewhere` when the checkpoint is in another place at the end; the error of `write`
  ///   when it is nowhere.
  func save(
    _ trainer: Trainer, in directory: RunDirectory, whileWaiting: () -> (() -> Bool), tell: (any Error) throws -> Void,
    write: () throws -> Void
  ) throws {
    var failure: any Error
    do {
      return try write()
    } catch {
      failure = error
    }
    try tell(failure)
    var copy = takeRefuge(trainer)
    // A signal that follows the message ends the wait.
    let isEnough = whileWaiting()
    try tell(CheckpointRescue.waiting(path: directory.path, copy: copy, games: trainer.games, patience: patience))
    let end = ContinuousClock.now + patience
    var pause = Duration.seconds(1)
    while ContinuousClock.now < end, !isEnough() {
      let next = min(ContinuousClock.now + pause, end)
      while ContinuousClock.now < next, !isEnough() { Thread.sleep(forTimeInterval: 0.02) }
      guard !isEnough() else { break }
      pause = min(pause * 2, .seconds(30))
      do {
        try write()
      } catch {
        failure = error
        guard copy == nil else { continue }
        copy = takeRefuge(trainer)
        if let copy { try tell(CheckpointRescue.found(copy: copy)) }
        continue
      }
      guard let copy else { return }
      do {
        try FileManager.default.removeItem(atPath: copy)
      } catch {
        return try tell(CheckpointRescue.left(copy: copy, reason: RunDirectory.reason(error)))
      }
      // A folder with other files stays.
      unsafe _ = rmdir(copy.parentFolder)
      return try tell(CheckpointRescue.settled(copy: copy))
    }
    guard let copy else { throw failure }
    throw CheckpointRescue.elsewhere(reason: "\(failure)", copy: copy)
  }

  /// Writes the checkpoint into a new folder in the first place that takes it.
  ///
  /// - Returns: the path of the file; `nil` where no place takes it.
  private func takeRefuge(_ trainer: Trainer) -> String? {
    for place in places {
      // A disk that other programs need, too, is not filled in vain.
      guard let space = FreeSpace(at: place), space.available > trainer.checkpointByteCount else { continue }
      let folder: String
      do {
        folder = try RunDirectory.claim("\(place)/tupelo-\(trainer.configuration.name)-\(trainer.games)")
      } catch {
        continue
      }
      let path = folder + "/" + RunDirectory.Name.checkpoint
      do {
        try trainer.save(to: path)
        return path
      } catch {
        // The next place may have room; an empty folder is left here.
        unsafe _ = rmdir(folder)
      }
    }
    return nil
  }
}

/// The state of a last checkpoint that could not be written where it belongs.
public enum CheckpointRescue: Error, Hashable, Sendable {
  /// The folder `path` is tried again; until then the checkpoint is at `copy`, or nowhere.
  case waiting(path: String, copy: String?, games: Int, patience: Duration)
  /// A place for the copy was found while waiting.
  case found(copy: String)
  /// The folder has taken the checkpoint, and the copy is removed.
  case settled(copy: String)
  /// The folder has taken the checkpoint, and the copy cannot be removed.
  case left(copy: String, reason: String)
  /// The checkpoint is at `copy`, for good.
  case elsewhere(reason: String, copy: String)
}

extension CheckpointRescue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .waiting(let path, let copy, let games, let patience):
      "\(path): the checkpoint of \(NumberText.counted(games, "game")) is "
        + (copy.map { "saved as \($0) for now" } ?? "not saved yet")
        + "; trying the folder again for \(NumberText.counted(Int(patience / .seconds(60)), "minute"))"
        + ": free space there; Ctrl-C or another signal ends the waiting"
    case .found(let copy): "the checkpoint is saved as \(copy) for now"
    case .settled(let copy): "the checkpoint is in its folder now, and its copy \(copy) is removed"
    case .left(let copy, let reason):
      "the checkpoint is in its folder now, but its copy \(copy) cannot be removed: \(reason): remove it"
    case .elsewhere(let reason, let copy):
      "\(reason); the checkpoint is saved as \(copy) instead; resume with: "
        + ShellText.command(["tupelo", "train", "--resume", copy.parentFolder])
    }
  }
}
