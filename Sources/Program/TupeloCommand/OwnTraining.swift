internal import TupeloBase
internal import TupeloReports
public import TupeloTraining

/// A run that a training of the caller's program starts or continues: see `Program.main`.
public struct TrainingRequest {
  /// All settings. `configuration.own.value(_:default:)` reads one that only this program knows.
  public var configuration: RunConfiguration
  /// The checkpoint from which the run continues; `nil` for a new run.
  public let checkpoint: String?
  /// Whether settings that affect the learned values may differ from those of the checkpoint.
  public let allowsChanges: Bool

  /// The setting `own.NAME`, as a number or word.
  ///
  /// - Parameters:
  ///   - name: at most 40 lower-case letters, digits and `_`, the first one a letter
  ///   - default: the value of a run that does not set it. The run's files have it, too
  /// - Throws: `ConfigurationError` for a text that is not such a value, and for another name.
  public mutating func own<Value: LosslessStringConvertible>(
    _ name: String, default: Value
  ) throws(ConfigurationError) -> Value {
    try configuration.own.value(name, default: `default`)
  }
}

/// Makes the trainer of a run with parts of the caller's program, such as a step-size rule.
public typealias OwnTraining = @Sendable (inout TrainingRequest) throws -> Trainer

/// The trainings of a program that is built on this one, by the names that `own.training` gives them.
enum OwnTrainings {
  private static let all = Locked<[String: OwnTraining]>([:])
  private static let key = "training"

  static func set(_ trainings: [String: OwnTraining]) { all.withLock { $0 = trainings } }

  /// The training of a configuration; `nil` where the package trains it, or nobody here.
  ///
  /// - Throws: `CommandEnd.wrong` for a name that the program does not have, and for own settings without a name.
  static func training(of configuration: RunConfiguration) throws -> OwnTraining? {
    let (own, trainings) = (configuration.own, all.withLock { $0 })
    guard !own.isEmpty, !trainings.isEmpty else { return nil }
    let names = Spelling.list(trainings.keys.sorted())
    guard let name = own[key] else {
      // The parts of a checkpoint cannot be left out.
      let rest = own.hasParts(of: OwnParts()) ? own.texts.keys.min().map { ", or leave own.\($0) out" } : nil
      throw CommandEnd.wrong("own.training is not set: give \(names)" + (rest ?? ""))
    }
    if let training = trainings[name] { return training }
    throw CommandEnd.wrong("own.training \(name.quoted): this program has no such training: give \(names)")
  }

  /// Checks that this program can train a run of a sweep, as far as that is known before its trainer is made.
  ///
  /// - Throws: the errors of `training(of:)` with the name of the variant; `TrainingError.ownParts` in a program
  ///   without trainings.
  static func check(_ run: SweepRun) throws {
    do {
      let own = run.configuration.own
      if try training(of: run.configuration) == nil, !own.isEmpty { throw TrainingError.ownParts(own) }
    } catch CommandEnd.wrong(let text) {
      throw CommandEnd.wrong("\(run.variant): \(text)")
    }
  }

  /// Makes a trainer by a training.
  static func trainer(
    _ training: OwnTraining, _ configuration: RunConfiguration, _ checkpoint: Checkpoint?, allowingChanges: Bool
  ) throws -> Trainer {
    var request = TrainingRequest(
      configuration: configuration, checkpoint: checkpoint?.file.path, allowsChanges: allowingChanges)
    _ = try request.own(key, default: "")
    return try training(&request)
  }
}
