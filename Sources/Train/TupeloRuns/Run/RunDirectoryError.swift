internal import TupeloBase
internal import TupeloTraining

/// Why a folder cannot hold a run.
public enum RunDirectoryError: Error, Hashable, Sendable {
  case notWritable(path: String, reason: String)
  case taken(path: String)
  /// The folder holds a run, and a learner of another program begins a new one there.
  case held(path: String)
  /// The folder has no run of a learner of another program, which could be resumed.
  case noExternalRun(path: String)
  /// The folder holds a run of a learner of another program.
  case ofLearner(path: String, learner: String)
  /// A file that the run writes is a symbolic link. Only checkpoints may be links.
  case linked(path: String)
  /// Another training uses the folder. `process` is its id, if it has left one.
  case inUse(path: String, process: Int?)
  /// The file system has no locks, so another training in the folder would not be noticed.
  case noLocks(path: String)
  case badMetadata(path: String)
  /// The run has ended before its first checkpoint. `arguments` are those that it was started with.
  case nothingSaved(path: String, arguments: [String])
  /// A file that no run has written has the name of a run's file.
  case wouldBeLost(path: String)
  /// A folder of configuration files, not of a run.
  case configurations(path: String, names: [String])
  /// The folder has a checkpoint of more games than the one from which the run would continue.
  case newer(path: String, games: Int, than: Int)
  /// Another process has continued the run since the checkpoint was read.
  case wentOn(path: String)
  /// The folder was removed or renamed during the run, and another one has been made.
  case madeAgain(path: String)
  /// The folder was exchanged for another one during the run.
  case exchanged(path: String)
  /// A kept checkpoint was removed to make room for the newest one.
  case givenUp(path: String)
  /// The newest checkpoint is written, and its name with the number of games is not.
  case notKept(path: String, reason: String)
  /// The disk has no room for a checkpoint, or not for all files of the run. Sizes are in bytes.
  case noSpace(path: String, needed: Int, free: Int, isFatal: Bool)
}

extension RunDirectoryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notWritable(let path, let reason):
      "\(path): cannot write there: \(reason): name another folder with --output"
    case .linked(let path): "\(SystemError.linked(path: path))"
    case .taken(let path):
      "\(path): already holds a checkpoint: resume it with --resume \(ShellText.word(path)), or name another folder "
        + "with --output"
    case .held(let path):
      "\(path): already holds a run: resume it, or name another folder with --output"
    case .noExternalRun(let path):
      "\(path): holds no run of a learner of your own to resume: begin one there, or name its folder"
    case .ofLearner(let path, let learner):
      "\(path): a run of the learner \(Spelling.printable(learner, limit: 40)), which only the program with this "
        + "learner can resume: resume it there, or name another folder with --output"
    case .inUse(let path, let process):
      "\(path): another training is at work there\(process.map { " (process \($0))" } ?? ""): wait for its end, or "
        + "name another"
        + " folder with --output"
    case .noLocks(let path):
      "\(path): its file system has no locks, so a second training there is not noticed: start only one in this folder"
    case .wouldBeLost(let path):
      "\(path): is there already and would be lost: move it, or name another folder with --output"
    case .configurations(let path, let names):
      "\(path): holds \(names.count) configurations, such as \(names[0]), and no run: name another folder with --output"
    case .badMetadata(let path):
      "\(path): is not a file that a run has written: remove it to continue without it"
    case .nothingSaved(let path, let arguments):
      "\(path): nothing was saved yet, because the run ended before its first checkpoint: start it again with: "
        + ShellText.command([ProgramBuild.name] + arguments)
    case .noSpace(let path, let needed, let free, let isFatal):
      "\(path): \(isFatal ? "a checkpoint needs" : "checkpoints may need") \(NumberText.bytes(needed)) and the disk "
        + "has \(NumberText.bytes(free)) free: free space, or name a folder on another disk with --output"
    case .madeAgain(let path):
      "\(path): the folder was gone and has been made again; its earlier files are lost"
    case .exchanged(let path):
      "\(path): the folder was exchanged for another folder, and the run continues in that folder"
    case .givenUp(let path):
      "\(path): removed, to have room for the newest checkpoint: free space, or lower output.keep"
    case .notKept(let path, let reason):
      "\(path): cannot be kept beside the newest checkpoint, which is written: \(reason)"
    case .newer(let path, let games, let older):
      "\(path): has \(CountText.text(games, "game")), and training from \(NumberText.grouped(older)) on would replace "
        + "it: resume it with --resume \(ShellText.word(path)), or name another folder with --output"
    case .wentOn(let path):
      "\(path): another process has continued the run meanwhile: start again"
    }
  }
}
