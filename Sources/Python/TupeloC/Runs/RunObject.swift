// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloBase
internal import TupeloRuns
internal import TupeloTraining

/// A run that the caller trains.
///
/// Soundness of `@unchecked Sendable`: `Objects.exclusive` lets one thread at a time use it.
final class RunObject: ForeignObject, @unchecked Sendable {
  static let title = "a run"

  let run: ExternalRun
  /// Texts about settings without effect.
  let warnings: [String]

  init(_ run: ExternalRun, warnings: [String]) { (self.run, self.warnings) = (run, warnings) }
}

@c @implementation
public func tupelo_run_create(
  _ folder: UnsafePointer<CChar>?, _ yaml: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?,
  _ overrides: UnsafePointer<UnsafePointer<CChar>?>?, _ overrideCount: UInt64,
  _ arguments: UnsafePointer<UnsafePointer<CChar>?>?, _ argumentCount: UInt64, _ resume: Int32,
  _ run: UnsafeMutablePointer<Int64>?
) -> Int32 {
  status {
    let folder = try unsafe CText.text(folder, "folder")
    let given = try unsafe CText.optionalText(yaml, "yaml")
    let name = try unsafe CText.optionalText(name, "name") ?? "configuration"
    let overrides = try unsafe CText.texts(overrides, count: overrideCount, "overrides")
    let arguments = try unsafe CText.texts(arguments, count: argumentCount, "arguments")
    let isResumed = try Memory.number(resume, in: 0...1, "resume") == 1
    let handle = try unsafe Memory.array(run, 1, "run")
    guard !folder.isEmpty else { throw Fault.invalid("folder is empty: give the path of a folder") }
    var warnings: [String] = []
    var configuration: RunConfiguration
    if let given, !given.isEmpty || !isResumed {
      configuration = try .load(
        yaml: given, sourceName: name, environment: [:], overrides: overrides, of: .foreign,
        onWarning: { warnings.append("\($0)") })
    } else {
      // A resumed run keeps its settings.
      let own = isResumed ? folder + "/" + RunDirectory.Name.configuration : nil
      configuration = try .load(
        file: own, environment: [:], overrides: overrides, of: .foreign, onWarning: { warnings.append("\($0)") })
    }
    configuration.output.directory = folder
    let external = try ExternalRun(configuration, arguments: arguments, isResumed: isResumed)
    unsafe handle.pointee = Objects.add(RunObject(external, warnings: warnings))
  }
}

@c @implementation
public func tupelo_run_log(
  _ run: Int64, _ games: Int64, _ moves: Int64, _ seconds: Double, _ count: UInt64,
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<Double>?
) -> Int32 {
  status {
    let names = try unsafe CText.texts(names, count: count, "names")
    let given = names.isEmpty ? nil : try unsafe Memory.array(values, names.count, "values")
    var values: [String: Double] = [:]
    for (index, name) in names.enumerated() {
      guard values.updateValue(unsafe given?[index] ?? 0, forKey: name) == nil else {
        throw Fault.invalid("names[\(index)] is '\(Spelling.printable(name))' again: give each name once")
      }
    }
    try Objects.exclusive(run, as: RunObject.self) { object in
      try object.run.log(
        games: Int(games), moves: Int(moves), seconds: seconds < 0 ? nil : seconds, values: values)
    }
  }
}

@c @implementation
public func tupelo_run_save(_ run: Int64, _ model: Int64) -> Int32 {
  status {
    let model = try Objects.shared(model, as: Model.self).model
    let control = try Control.named(0)
    try Objects.exclusive(run, as: RunObject.self) { object in
      try control.interrupting { try object.run.save(model) }
    }
  }
}

@c @implementation
public func tupelo_run_end(_ run: Int64, _ outcome: Int32) -> Int32 {
  status {
    let outcomes: [Int32: Outcome] = [
      Int32(TUPELO_RUN_FINISHED): .finished, Int32(TUPELO_RUN_INTERRUPTED): .interrupted,
    ]
    guard let outcome = outcomes[outcome] else {
      throw Fault.invalid("outcome is \(outcome): give 0 (finished) or 1 (interrupted)")
    }
    try Objects.exclusive(run, as: RunObject.self) { try $0.run.end(outcome) }
  }
}
