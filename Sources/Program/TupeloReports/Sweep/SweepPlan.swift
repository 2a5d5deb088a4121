internal import Foundation
internal import TupeloBase
public import TupeloTraining

/// The runs of a sweep: every configuration, with each chosen combination of the varied values, with every seed.
public struct SweepPlan: Hashable, Sendable {
  /// The runs in the order in which they are started. All variants with the first seed come first, then all with the
  /// second. So a sweep that is stopped early has compared all variants.
  public let runs: [SweepRun]

  /// The options of a sweep.
  public struct Request: Hashable, Sendable {
    /// Configuration files; none for the defaults alone.
    public var configurations: [String] = []
    /// The seeds, such as `1-5` or `1,3,7`.
    public var seeds = "1"
    /// Settings for all runs.
    package var settings: [Assignment] = []
    /// The varied keys and their values; see `SweepAxis`.
    public var axes: [String] = []
    /// How the variants are chosen from the axes.
    public var enumeration = SweepEnumeration.grid
    /// The folder that the runs' folders are made in.
    public var folder: String

    public init(folder: String) { self.folder = folder }
  }

  public static let mostRuns = 10_000
  /// The longest file name, in bytes, that file systems allow.
  static let longestName = 255
  package static let ownKeys: Set = ["seed", "name", "output.directory"]

  /// Makes the plan and resolves the configuration of every run.
  ///
  /// - Parameters:
  ///   - adjust: changes the configuration of a variant as `train` changes it
  ///   - onWarning: called once for each setting that has no effect in a run
  /// - Throws: `SweepError` with all problems.
  public init(
    _ request: Request, environment: [String: String], adjusting adjust: (inout RunConfiguration) -> Void = { _ in },
    onWarning: (ConfigurationError.Problem) -> Void = { _ in }
  ) throws(SweepError) {
    var problems: [SweepError.Problem] = []
    let axes = Self.axes(of: request, &problems)
    let seeds = Self.seeds(of: request, &problems)
    let files: [String?] = request.configurations.isEmpty ? [nil] : request.configurations
    let count = min(files.count * request.enumeration.count(of: axes), Self.mostRuns + 1) * seeds.count
    if count > Self.mostRuns { problems.append(.tooManyRuns(limit: Self.mostRuns)) }
    guard problems.isEmpty else { throw SweepError(problems: problems) }
    let choices: [[(setting: Assignment, label: String)]]
    do throws(SweepError.Problem) {
      choices = try Self.choices(of: axes, by: request.enumeration)
    } catch {
      throw SweepError(problems: [error])
    }

    let variables = RunConfiguration.variables(in: environment, overrides: [], of: .program)
    var variants: [Variant] = []
    var warnings: [ConfigurationError.Problem] = []
    for file in files {
      for choice in choices {
        let settings = request.settings + choice.map(\.setting)
        do throws(ConfigurationError) {
          var configuration = try RunConfiguration.load(
            file.map { .file($0) }, environment: environment, assignments: settings, of: .program
          ) { warning in
            if !warnings.contains(warning) { warnings.append(warning) }
          }
          adjust(&configuration)
          let name = ([configuration.name] + choice.map(\.label)).joined(separator: "__")
          variants.append(
            Variant(
              name: name, file: file, overrides: settings.map(\.text), variables: Set(variables.keys),
              configuration: configuration))
        } catch {
          problems += error.problems.map { SweepError.Problem.configuration($0) }.filter { !problems.contains($0) }
        }
      }
    }
    problems += Self.check(variants, seeds: seeds)
    guard problems.isEmpty else { throw SweepError(problems: problems) }
    warnings.forEach(onWarning)
    runs = seeds.flatMap { seed in variants.map { SweepRun($0, seed: seed, folder: request.folder) } }
  }

  /// A variant: a configuration with one value for each varied key.
  struct Variant: Hashable, Sendable {
    let name: String
    let file: String?
    let overrides: [String]
    /// The environment variables that set keys.
    let variables: Set<String>
    let configuration: RunConfiguration
  }

  private static func axes(of request: Request, _ problems: inout [SweepError.Problem]) -> [SweepAxis] {
    for key in request.settings.map(\.key) where key == "seed" || key == "output.directory" {
      problems.append(.ownKey(key, option: "--set"))
    }
    var axes: [SweepAxis] = []
    for text in request.axes {
      do throws(SweepError.Problem) {
        let axis = try SweepAxis(text)
        if ownKeys.contains(axis.key) { throw .ownKey(axis.key, option: "--vary") }
        if axes.contains(where: { $0.key == axis.key }) { throw .repeatedKey(axis.key) }
        axes.append(axis)
      } catch {
        problems.append(error)
      }
    }
    return axes
  }

  private static func seeds(of request: Request, _ problems: inout [SweepError.Problem]) -> [UInt64] {
    do throws(SweepError.Problem) {
      return try SweepSeeds.read(request.seeds, limit: mostRuns)
    } catch {
      problems.append(error)
      return []
    }
  }

  /// The settings of each variant, with the labels in its name.
  private static func choices(
    of axes: [SweepAxis], by enumeration: SweepEnumeration
  ) throws(SweepError.Problem) -> [[(setting: Assignment, label: String)]] {
    let choices = try enumeration.choices(of: axes)
    let leaves = axes.map { ConfigurationKey.leaf(of: $0.key) }
    let labels = axes.enumerated().map { index, axis -> [String: String] in
      // The whole key, if two axes have the same last word.
      let name = leaves.count { $0 == leaves[index] } == 1 ? leaves[index] : axis.key
      let values = axis.range == nil ? axis.values : distinct(choices.map { $0[index] })
      return Dictionary(uniqueKeysWithValues: zip(values, SweepAxis(key: axis.key, values: values).labels(name)))
    }
    return choices.map { choice in
      zip(axes, zip(choice, labels)).map { axis, value in
        (setting: Assignment(axis.key, value.0, by: "--vary \(axis.key)"), label: value.1[value.0] ?? value.0)
      }
    }
  }

  private static func distinct(_ values: [String]) -> [String] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0).inserted }
  }

  private static func check(_ variants: [Variant], seeds: [UInt64]) -> [SweepError.Problem] {
    var problems: [SweepError.Problem] = []
    var names: Set<String> = []
    // Different texts may have the same meaning: 0.1, 0.10 and 1e-1.
    var variantsBySettings: [RunConfiguration: String] = [:]
    let longestSeed = seeds.map { "\($0)".utf8.count }.max() ?? 0
    for variant in variants {
      // Some file systems do not distinguish capitals from small letters.
      if !names.insert(variant.name.lowercased()).inserted {
        problems.append(.sameName(variant.name))
      } else if let other = variantsBySettings.updateValue(variant.name, forKey: variant.configuration) {
        problems.append(.equalVariants(variant.name, other))
      }
      if variant.name.utf8.count + "__seed=".utf8.count + longestSeed > longestName {
        problems.append(.longName(variant.name))
      }
      if variant.configuration.evaluation.games == 0 { problems.append(.noEvaluation(variant.name)) }
    }
    return problems
  }
}

/// One run of a sweep.
public struct SweepRun: Hashable, Sendable {
  /// The name of its folder in the sweep's folder: `4x6-tc__alpha=0.5__seed=3`.
  public let name: String
  /// The name without the seed.
  public let variant: String
  public let seed: UInt64
  /// The path of its folder, relative to where the sweep was started.
  public let folder: String
  /// The complete configuration, with seed and folder.
  public let configuration: RunConfiguration
  private let file: String?
  private let overrides: [String]
  private let variables: Set<String>

  init(_ variant: SweepPlan.Variant, seed: UInt64, folder: String) {
    self.variant = variant.name
    self.seed = seed
    name = variant.name + Self.seedSuffix(seed)
    self.folder = "\(folder)/\(name)"
    file = variant.file
    (overrides, variables) = (variant.overrides, variant.variables)
    var configuration = variant.configuration
    configuration.seed = seed
    configuration.output.directory = self.folder
    self.configuration = configuration
  }

  /// The settings of the run that variables would replace when it resumes.
  private var hiddenVariables: [String] {
    (overrides + ["seed=\(seed)", "output.directory=\(folder)"]).filter { setting in
      let key = Assignment(setting).key
      return [key, ConfigurationKeys.alternatives[key] ?? key].contains { path in
        variables.contains(ConfigurationKey.variable(of: path))
      }
    }
  }

  /// Whether the command line of the sweep sets a key.
  func says(_ key: String) -> Bool { overrides.contains { Assignment($0).key == key } }

  private static func seedSuffix(_ seed: UInt64) -> String { "__seed=\(seed)" }

  /// The variant of the run whose folder has a name; `nil` for a folder that no sweep has named.
  static func variant(ofFolder name: String, seed: UInt64) -> String? {
    let suffix = seedSuffix(seed)
    return name.hasSuffix(suffix) && name.count > suffix.count ? String(name.dropLast(suffix.count)) : nil
  }

  /// The arguments of `tupelo` that start or resume this run.
  ///
  /// - Parameters:
  ///   - resuming: true to resume the run from its folder, false to start it
  ///   - settings: more `key=value`; settings of the sweep override them.
  public func arguments(resuming: Bool, settings: [String] = []) -> [String] {
    if resuming {
      // A checkpoint does not keep its command: see `Checkpoint.command`.
      let command = configuration.output.onCheckpoint.map { ["output.on_checkpoint=\($0)"] } ?? []
      let all = settings + hiddenVariables + changedSettings + command
      return ["train", "--resume", folder] + all.flatMap { ["--set", $0] }
    }
    return ["train"] + (file.map { ["--config", $0] } ?? []) + (settings + overrides).flatMap { ["--set", $0] }
      + ["--seed", "\(seed)", "--output", folder]
  }

  /// The command `tupelo train ...` for a shell.
  ///
  /// - Parameters:
  ///   - program: the name or path that starts the program
  ///   - resuming: true to resume the run from its folder, false to start it
  public func command(_ program: String = "tupelo", resuming: Bool) -> String {
    ShellText.command([program] + arguments(resuming: resuming))
  }
}
