internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// Saves the last checkpoint of a session, so that no training is lost when its folder cannot take it: because the disk
/// is full, or the folder is gone. Then a copy goes to another place: to the working folder, or else to `$TMPDIR`, or
/// else to `/tmp`. A job scheduler may empty `$TMPDIR` at the end of a job.
package struct LastCheckpoint {
  /// The folders in which there may be room for the copy, in this order.
  package var places = [".", ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp", "/tmp"]

  /// Saves the checkpoint where it belongs, or else in another place.
  ///
  /// - Parameter write: writes the checkpoint where it belongs
  /// - Throws: `CheckpointRescue` when the checkpoint is in another place; the error of `write` when it is nowhere.
  func save(_ trainer: Trainer, write: () throws -> Void) throws {
    do {
      try write()
    } catch {
      guard let copy = takeRefuge(trainer) else { throw error }
      throw CheckpointRescue(reason: "\(error)", copy: copy)
    }
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

/// The last checkpoint could not be written where it belongs, and is at `copy`.
public struct CheckpointRescue: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String
  public let copy: String

  package init(reason: String, copy: String) { (self.reason, self.copy) = (reason, copy) }

  public var description: String {
    "\(reason); the checkpoint is saved as \(copy) instead; resume with: "
      + ShellText.command([ProgramBuild.name, "train", "--resume", copy.parentFolder])
  }
}
