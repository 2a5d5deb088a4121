internal import Foundation
internal import Safetensors
internal import TupeloBase
public import TupeloTraining

/// The folder of a training run: the names of its files, and a lock that prevents a second training in it.
///
///     config.yaml               the settings
///     config-<session>.yaml     an earlier session's, where it was another
///     meta.json                 program, machine and arguments, per session; see `RunMetadata`
///     metrics.jsonl             the learning curve; see `Metric`
///     metrics.jsonl.old         that of an earlier start that has saved no checkpoint
///     events.out.tfevents...    the learning curve for TensorBoard
///     checkpoint.safetensors    the newest checkpoint, from which training resumes
///     model.safetensors         the model of a run that another program trains; see `ExternalRun`
///     checkpoint-<games>...     earlier checkpoints, with `output.keep`
///     best.safetensors          the model that evaluated best; see `BestModel`
///     best.safetensors.old      that of evaluations with other games, seed or plies
///     evaluation.json           the evaluation of the finished network
///     evaluation.json.old       the evaluation before it, until the next evaluation is written
///     game-best.txt, ...        records of its best, median and worst game
public final class RunDirectory {
  public let path: String
  private var lock: FolderLock
  /// Whether the folder was made for this run.
  private var isNew: Bool
  /// The file with the metrics of an earlier start in this folder that has saved no checkpoint; `nil` without any.
  public internal(set) var metricsAside: String?

  public enum Name {
    public static let configuration = "config.yaml"
    public static let metadata = "meta.json"
    public static let metrics = "metrics.jsonl"
    public static let checkpoint = "checkpoint.safetensors"
    /// The model of a run that another program trains. `ModelPath` finds it in the folder.
    public static let model = "model.safetensors"
    public static let best = "best.safetensors"
    public static let evaluation = "evaluation.json"
    static let formerBest = "best.safetensors.old"
    static let formerEvaluation = "evaluation.json.old"
    static let formerMetrics = "metrics.jsonl.old"
    /// The files besides checkpoints that a run writes under fixed names.
    static let files = [configuration, metadata, metrics, best, evaluation]

    /// The configuration of an earlier session, counted from 1, if it differs from the next session's.
    public static func configuration(ofSession number: Int) -> String { "config-\(number).yaml" }
  }

  /// Makes the folder of a new run, if it does not exist, and locks it.
  ///
  /// - Throws: `RunDirectoryError` when the folder holds a checkpoint or another training is using it.
  public static func create(for configuration: RunConfiguration) throws -> RunDirectory {
    guard let path = configuration.output.directory else {
      let name = "runs/\(configuration.name)__\(configuration.seed)__\(timeText())"
      return try RunDirectory(path: claim(name), isNew: true)
    }
    try checkConfigurations(in: path)
    try checkOwnership(of: path)
    let directory = try RunDirectory(freeAt: path)
    if try directory.setAside(Name.metrics, as: Name.formerMetrics) {
      directory.metricsAside = directory.file(Name.formerMetrics)
    }
    return directory
  }

  /// Refuses a folder in which somebody else's files have the names of a run's files. Files that a run left there
  /// before its first checkpoint may be replaced: meta.json identifies them.
  ///
  /// - Parameter configuration: the configuration of the checkpoint from which a run resumes there; its text is the
  ///   run's own
  private static func checkOwnership(of path: String, after configuration: RunConfiguration? = nil) throws {
    var present = Name.files.filter { FileManager.default.fileExists(atPath: path + "/" + $0) }
    if let configuration {
      // A resumed run keeps the records of its past, and writes its own configuration again.
      present.removeAll { $0 == Name.metrics }
      if present.first == Name.configuration {
        let text = try Data(contentsOf: fileURL(path + "/" + Name.configuration))
        if text == Data(configuration.yaml.utf8) { present.removeFirst() }
      }
    }
    guard let name = present.first else { return }
    guard let metadata = ownMetadata(in: path) else { throw RunDirectoryError.wouldBeLost(path: path + "/" + name) }
    // The run has no checkpoint that would protect it.
    if let learner = metadata.learner { throw RunDirectoryError.ofLearner(path: path, learner: learner) }
  }

  /// The meta.json of a folder; `nil` where no run has written one.
  private static func ownMetadata(in path: String) -> RunMetadata? {
    do throws(RunDirectoryError) {
      return try RunMetadata(of: path)
    } catch {
      return nil
    }
  }

  /// The folder of a run that another program trains: a new one, or the folder of such a run, which continues.
  ///
  /// - Parameters:
  ///   - path: the path of the folder
  ///   - learner: the name of the learner
  ///   - isResumed: whether the run continues
  /// - Throws: `RunDirectoryError`: `held` when a new run names a folder with another one, `ofLearner` or
  ///   `noExternalRun` when there is no run of this learner to continue.
  static func external(at path: String, learner: String, isResumed: Bool) throws -> RunDirectory {
    try checkConfigurations(in: path)
    try checkExternal(path, learner: learner, isResumed: isResumed)
    let directory = try RunDirectory(freeAt: path)
    // Before the lock, another program may have used the folder.
    try checkExternal(path, learner: learner, isResumed: isResumed)
    try directory.checkCanWrite(Name.model)
    return directory
  }

  private static func checkExternal(_ path: String, learner: String, isResumed: Bool) throws {
    let metadata = ownMetadata(in: path)
    guard isResumed else {
      let present = Name.files.filter { isThere(path + "/" + $0) }
      guard metadata != nil || present.isEmpty else {
        throw RunDirectoryError.wouldBeLost(path: path + "/" + present[0])
      }
      // A run that has ended before its first record may begin again.
      let metrics = MetricsFile(path: path + "/" + Name.metrics)
      let hasRecords = try isThere(metrics.path) && metrics.last() != nil
      guard !hasRecords, !isThere(path + "/" + Name.model) else { throw RunDirectoryError.held(path: path) }
      return
    }
    guard let metadata, let other = metadata.learner else { throw RunDirectoryError.noExternalRun(path: path) }
    guard other == learner else { throw RunDirectoryError.ofLearner(path: path, learner: other) }
  }

  /// Refuses to write when the folder has been removed, renamed or exchanged during the run.
  func checkHeld() throws(RunDirectoryError) {
    guard lock.isHeld(at: path) else {
      throw .notWritable(path: path, reason: "the folder was removed, renamed or exchanged during the run")
    }
  }

  /// Refuses to replace the checkpoint of another run, with another network, seed or name.
  private static func checkRun(of checkpoint: Checkpoint, in path: String) throws {
    let own = path + "/" + Name.checkpoint
    guard FileManager.default.fileExists(atPath: own) else { return }
    let configuration = checkpoint.configuration
    let other: RunConfiguration
    do {
      other = try Checkpoint(path: own, of: configuration.catalogue).configuration
    } catch is SafetensorsError {
      // A damaged checkpoint is a reason to resume from an earlier one.
      return
    }
    guard other.model == configuration.model, other.seed == configuration.seed, other.name == configuration.name else {
      throw RunDirectoryError.wouldBeLost(path: own)
    }
  }

  /// Refuses a folder of configurations, where nobody would look for a run.
  private static func checkConfigurations(in path: String) throws {
    let files = FileManager.default
    guard files.fileExists(atPath: path), !files.fileExists(atPath: path + "/" + Name.metadata) else { return }
    let names: [String]
    do {
      names = try files.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: reason(error))
    }
    guard names.count < 2 else { throw RunDirectoryError.configurations(path: path, names: names.sorted()) }
  }

  /// The folder of a run that resumes from a checkpoint: the folder that holds the checkpoint, even if it has been
  /// moved, unless the configuration names another folder. A link outside of a run's folder is followed.
  ///
  /// - Parameter isFolderGiven: whether somebody has named `output.directory` now. Otherwise the setting counts only if
  ///   it differs from the folder in the checkpoint, which is where the run once was.
  /// - Throws: `RunDirectoryError`, also `newer` when the folder has checkpoints of more games, which would be lost,
  ///   and `wentOn` when another process has continued the run since the checkpoint was read.
  public static func resume(
    _ checkpoint: Checkpoint, with configuration: RunConfiguration, isFolderGiven: Bool = false
  ) throws -> RunDirectory {
    let isUnchanged = configuration.output.directory == checkpoint.configuration.output.directory
    let folder = folder(of: checkpoint.file.path)
    let path = (isUnchanged && !isFolderGiven ? nil : configuration.output.directory) ?? folder
    let isOther = realPath(of: path) != realPath(of: folder)
    if isOther { try checkConfigurations(in: path) }
    try checkOwnership(of: path, after: checkpoint.configuration)
    if isOther { return try RunDirectory(freeAt: path) }
    let directory = try RunDirectory(path: path)
    // Before the lock, another training may have used the folder and written a newer checkpoint.
    let catalogue = checkpoint.configuration.catalogue
    let newest = try Checkpoint(path: checkpoint.file.path, of: catalogue)
    guard newest.games == checkpoint.games, newest.moves == checkpoint.moves,
      newest.configuration == checkpoint.configuration
    else { throw RunDirectoryError.wentOn(path: path) }
    try checkRun(of: checkpoint, in: path)
    if let newest = try CheckpointKeeper.newest(in: path, of: catalogue), newest.games > checkpoint.games {
      throw RunDirectoryError.newer(path: newest.path, games: newest.games, than: checkpoint.games)
    }
    return directory
  }

  /// The folder of the run that a checkpoint belongs to: the first folder with a run's meta.json on the way from a link
  /// to the file, or else the folder of the file. The checkpoint in a run's folder may itself be a link to another
  /// disk.
  private static func folder(of checkpoint: String) -> String {
    var path = checkpoint
    // The system follows at most 40 links.
    for _ in 0..<40 where !isThere(path.parentFolder + "/" + Name.metadata) {
      do {
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
        let isAlone = target.hasPrefix("/") || path.parentFolder == "."
        path = isAlone ? target : path.parentFolder + "/" + target
      } catch {
        // It is not a link.
        break
      }
    }
    return path.parentFolder
  }

  /// Locks a folder without a checkpoint. It is checked before the lock, so that nothing is left in a taken folder, and
  /// after it, when no other process can write a checkpoint.
  private convenience init(freeAt path: String) throws {
    func isTaken() -> Bool { FileManager.default.fileExists(atPath: path + "/" + Name.checkpoint) }
    guard !isTaken() else { throw RunDirectoryError.taken(path: path) }
    try self.init(path: path)
    guard !isTaken() else { throw RunDirectoryError.taken(path: path) }
  }

  private init(path: String, isNew: Bool = false) throws {
    self.isNew = isNew || !FileManager.default.fileExists(atPath: path)
    self.path = path
    lock = try Self.madeAndLocked(path)
    try removeRemains()
    for name in Name.files + [Name.checkpoint] { try checkCanWrite(name) }
  }

  /// A file that cannot be written is found before the first game.
  private func checkCanWrite(_ name: String) throws {
    do {
      try ReplacementFile.check(file(name))
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: Self.reason(error, name: name))
    }
  }

  private static func madeAndLocked(_ path: String) throws -> FolderLock {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      let isDangling = isLink(path) && !isThere(path)
      let reason = isDangling ? "it is a link to a file that does not exist" : reason(error)
      throw RunDirectoryError.notWritable(path: path, reason: reason)
    }
    // A checkpoint may be a link to another disk. The file that another link leads to may be anybody's.
    for name in Name.files where isLink(path + "/" + name) {
      throw RunDirectoryError.linked(path: path + "/" + name)
    }
    do throws(SystemError) {
      return try FolderLock(folder: path)
    } catch {
      throw refusal(error, path: path)
    }
  }

  /// Makes the folder again if it was removed or renamed during the run, so that the next checkpoint has a place.
  /// Another folder in its place is used only if a new run could use it, or if it is a copy of the run's own folder,
  /// with the run's newest checkpoint.
  ///
  /// - Parameter newest: the configuration and the games of the run's newest checkpoint; `nil` before the first one
  /// - Returns: a message when the folder is another one now; `nil` when it is still the run's
  /// - Throws: `RunDirectoryError`.
  func restore(newest: RunConfiguration.Past?) throws -> RunDirectoryError? {
    guard !lock.isHeld(at: path) else { return nil }
    try Self.checkConfigurations(in: path)
    try Self.checkOwnership(of: path)
    let wasThere = FileManager.default.fileExists(atPath: path)
    let lock = try Self.madeAndLocked(path)
    guard try Self.isFree(file(Name.checkpoint), but: newest) else { throw RunDirectoryError.taken(path: path) }
    (self.lock, isNew) = (lock, !wasThere)
    return wasThere ? .exchanged(path: path) : .madeAgain(path: path)
  }

  private static func isFree(_ checkpoint: String, but newest: RunConfiguration.Past?) throws -> Bool {
    guard FileManager.default.fileExists(atPath: checkpoint) else { return true }
    guard let newest else { return false }
    let (own, other) = (newest.configuration, try Checkpoint(path: checkpoint, of: newest.configuration.catalogue))
    return other.games == newest.games && other.configuration.model == own.model
      && other.configuration.seed == own.seed && other.configuration.name == own.name
  }

  /// Removes the folder of a run that did not start, if it was made for the run and contains only the run's lock.
  deinit {
    do {
      guard isNew, try FileManager.default.contentsOfDirectory(atPath: path) == [FolderLock.name] else { return }
      lock.removeFolder(at: path)
    } catch {
      // The reason why the run did not start is more important.
    }
  }

  /// Whether the lock keeps other trainings away; false on a file system without locks.
  var isLocked: Bool { lock.isLocked }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a small file, whole or not at all. A symbolic link there is replaced.
  ///
  /// - Throws: `RunDirectoryError.notWritable`.
  public func write(_ text: String, to name: String) throws {
    do {
      try TextFile.write(text, to: file(name), followsLink: false)
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: Self.reason(error, name: name))
    }
  }

  /// Removes a file, if it is there.
  ///
  /// - Throws: `RunDirectoryError.notWritable`.
  func remove(_ name: String) throws {
    guard FileManager.default.fileExists(atPath: file(name)) else { return }
    do {
      try FileManager.default.removeItem(atPath: file(name))
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: "\(name): \(Self.reason(error))")
    }
  }

  /// Removes temporary files that killed processes left behind. Other commands may be writing into the folder now, and
  /// their files stay. A file that a link leads to is replaced in its own folder, so its temporary files lie there.
  private func removeRemains() throws {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        if ReplacementFile.isRemains(name: name) {
          _ = ReplacementFile.removeIfAbandoned(file(name))
        } else if isLink(file(name)) {
          _ = try ReplacementFile.removeRemains(of: file(name))
        }
      }
    } catch {
      throw RunDirectoryError.notWritable(path: path, reason: Self.reason(error))
    }
  }

  /// The error for a folder that cannot be locked.
  private static func refusal(_ error: SystemError, path: String) -> RunDirectoryError {
    switch error {
    case .locked(_, let process): .inUse(path: path, process: process)
    case .cannotLock(_, let errno): .notWritable(path: path, reason: FailedCall.text(errno))
    case .linked(let path): .linked(path: path)
    case .notARegularFile: .notWritable(path: path, reason: "\(FolderLock.name) is not a regular file")
    default: .notWritable(path: path, reason: "\(error)")
    }
  }

  /// Why a small file cannot be written. The file's name is enough, because the error that carries this text names the
  /// folder.
  private static func reason(_ error: SystemError, name: String) -> String {
    switch error {
    case .cannotCreate(_, let errno), .cannotWrite(_, let errno), .cannotReplace(_, let errno),
      .notDurable(_, let errno):
      "\(name): \(FailedCall.text(errno))"
    case .notARegularFile: "\(name) is not a regular file"
    default: "\(error)"
    }
  }

  package static func reason(_ error: any Error) -> String { FailedCall.reason(error) }
}
