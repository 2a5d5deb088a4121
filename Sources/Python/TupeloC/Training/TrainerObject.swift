// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloTraining

/// A training run.
///
/// Soundness of `@unchecked Sendable`: `Objects.exclusive` lets one thread at a time use it.
final class TrainerObject: ForeignObject, @unchecked Sendable {
  static let title = "a trainer"

  let trainer: Trainer
  /// Texts about settings without effect, and about the checkpoint.
  let warnings: [String]

  init(_ trainer: Trainer, warnings: [String]) {
    self.trainer = trainer
    self.warnings = warnings + [trainer.note].compactMap(\.self).map { "\($0)" }
  }
}

@c @implementation
public func tupelo_trainer_create(
  _ yaml: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?, _ overrides: UnsafePointer<UnsafePointer<CChar>?>?,
  _ overrideCount: UInt64, _ trainer: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let yaml = try unsafe CText.optionalText(yaml, "yaml") ?? ""
    let name = try unsafe CText.optionalText(name, "name") ?? "configuration"
    let overrides = try unsafe CText.texts(overrides, count: overrideCount, "overrides")
    let handle = try unsafe Memory.array(trainer, 1, "trainer")
    var warnings: [String] = []
    let configuration = try RunConfiguration.load(
      yaml: yaml, sourceName: name, environment: [:], overrides: overrides, of: .foreign,
      onWarning: { warnings.append("\($0)") })
    unsafe handle.pointee = Objects.add(TrainerObject(try Trainer(configuration), warnings: warnings))
  }
}

@c @implementation
public func tupelo_trainer_resume(
  _ path: UnsafePointer<CChar>?, _ overrides: UnsafePointer<UnsafePointer<CChar>?>?, _ overrideCount: UInt64,
  _ allowChanges: Int32, _ trainer: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let path = try unsafe CText.text(path, "path")
    let overrides = try unsafe CText.texts(overrides, count: overrideCount, "overrides")
    let allowsChanges = try Memory.number(allowChanges, in: 0...1, "allow_changes") == 1
    let handle = try unsafe Memory.array(trainer, 1, "trainer")
    let checkpoint = try Checkpoint(path: ModelPath.file(at: path), of: .foreign)
    var warnings: [String] = []
    let configuration = try RunConfiguration.load(
      yaml: checkpoint.configuration.yaml, sourceName: checkpoint.file.path, environment: [:], overrides: overrides,
      resuming: RunConfiguration.Past(checkpoint.configuration, games: checkpoint.games), of: .foreign,
      onWarning: { warnings.append("\($0)") })
    let resumed = try checkpoint.resume(with: configuration, allowingChanges: allowsChanges)
    unsafe handle.pointee = Objects.add(TrainerObject(resumed, warnings: warnings))
  }
}

@c @implementation
public func tupelo_trainer_model(_ trainer: Int64, _ model: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let handle = try unsafe Memory.array(model, 1, "model")
    try Objects.exclusive(trainer, as: TrainerObject.self) { object in
      unsafe handle.pointee = Objects.add(
        Model(try object.trainer.model(), name: "the model of \(object.trainer.configuration.name)"))
    }
  }
}

@c @implementation
public func tupelo_trainer_save(_ trainer: Int64, _ path: UnsafePointer<CChar>?) -> Int32 {
  status {
    let path = try unsafe CText.text(path, "path")
    let control = try Control.named(0)
    try Objects.exclusive(trainer, as: TrainerObject.self) { object in
      try control.interrupting { try object.trainer.save(to: path) }
    }
  }
}

@c @implementation
public func tupelo_trainer_attach(_ trainer: Int64, _ bytes: UnsafePointer<UInt8>?, _ length: UInt64) -> Int32 {
  status {
    guard length <= UInt64(Checkpoint.largestAttachment) else {
      throw Fault.invalid("length is \(length): give at most \(Checkpoint.largestAttachment)")
    }
    let bytes = try unsafe Memory.bytes(bytes, length, "bytes")
    try Objects.exclusive(trainer, as: TrainerObject.self) { $0.trainer.attachment = bytes }
  }
}

@c @implementation
public func tupelo_trainer_attached(_ trainer: Int64, _ bytes: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let handle = try unsafe Memory.array(bytes, 1, "bytes")
    try Objects.exclusive(trainer, as: TrainerObject.self) { object in
      unsafe handle.pointee = Objects.add(Bytes(object.trainer.attachment))
    }
  }
}
