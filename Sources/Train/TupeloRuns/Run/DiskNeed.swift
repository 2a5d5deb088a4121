internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The room that the files of a run need on the disk, known before the first game is played.
///
/// A file that takes the place of another lies beside it while it is written. So a run needs room for one more
/// checkpoint than it keeps.
struct DiskNeed {
  /// The bytes of the next checkpoint, without which all training is lost.
  let checkpoint: Int
  /// The bytes of all checkpoints and models to come.
  let all: Int
  /// The room where the checkpoint goes; `nil` where the system does not say.
  let space: FreeSpace?
  private let path: String

  init(of trainer: Trainer, in directory: RunDirectory) throws {
    let configuration = trainer.configuration
    let newest = directory.file(RunDirectory.Name.checkpoint)
    let isThere = FileManager.default.fileExists(atPath: newest)
    let kept = try isThere ? max(CheckpointKeeper.count(in: directory), 1) : 0
    checkpoint = trainer.checkpointByteCount
    // One checkpoint more than are kept, and the best model together with its successor.
    let best = configuration.evaluation.everyGames > 0 ? 2 * 4 * configuration.model.weightCount : 0
    all = checkpoint * (max(configuration.output.keep - kept, 0) + 1) + best
    path = directory.path
    // The newest checkpoint may be a link to another disk.
    space = FreeSpace(at: isThere ? newest : directory.path)
  }

  /// - Returns: a warning where there may be too little room; `nil` where there is enough.
  /// - Throws: `RunDirectoryError.noSpace` where not even one checkpoint fits.
  func check() throws(RunDirectoryError) -> RunDirectoryError? {
    guard let space else { return nil }
    guard space.most >= checkpoint else {
      throw .noSpace(path: path, needed: checkpoint, free: space.most, isFatal: true)
    }
    let isEnough = space.available >= all
    return isEnough ? nil : .noSpace(path: path, needed: all, free: space.available, isFatal: false)
  }
}
