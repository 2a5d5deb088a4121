internal import TupeloBase
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
  /// - Throws: `CommandEnd.wrong` for a name that the program does not have.
  static func training(of configuration: RunConfiguration) throws -> OwnTraining? {
    let trainings = all.withLock { $0 }
    guard let name = configuration.own[key], !trainings.isEmpty else { return nil }
    if let training = trainings[name] { return training }
    let names = Spelling.list(trainings.keys.sorted())
    throw CommandEnd.wrong("own.training \(name.quoted): this program has no such training: give \(names)")
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
