internal import TupeloBase
public import TupeloTraining

/// All problems of a sweep, found before any of its runs starts.
public struct SweepError: Error, Hashable, Sendable {
  /// At least one problem.
  public let problems: [Problem]

  public init(problems: [Problem]) { self.problems = problems }

  public enum Problem: Error, Hashable, Sendable {
    case badSeeds(String)
    /// One number above 1: a seed, or how many seeds?
    case loneSeed(UInt64)
    case repeatedSeed(UInt64)
    case badAxis(String)
    case repeatedValue(key: String, value: String)
    /// The user sets a key that the sweep itself sets.
    case ownKey(String, option: String)
    case repeatedKey(String)
    case tooManyRuns(limit: Int)
    /// A range whose bounds are not numbers, or not in order, or not above 0 on a logarithmic scale.
    case badRange(key: String, String)
    case rangeWithoutDraws(key: String)
    case drawsOfNothing
    case tooFewVariants(found: Int, asked: Int)
    case configuration(ConfigurationError.Problem)
    case sameName(String)
    /// Two variants with equal settings, which would train the same run twice.
    case equalVariants(String, String)
    case longName(String)
    case noEvaluation(String)
    /// The state of a run cannot be read from its folder, so it cannot be resumed.
    case unreadable(path: String, reason: String)
    case otherSettings(folder: String, key: String, before: String, now: String)
  }
}

extension SweepError: CustomStringConvertible {
  /// One line per problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension SweepError.Problem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badSeeds(let text):
      "--seeds: '\(Spelling.printable(text))' names no seeds: give numbers and ranges, such as 1-5 or 1,3,7"
    case .loneSeed(let seed):
      "--seeds \(seed): is that one seed? Write --seeds 1-\(seed) for \(seed) seeds, or --seeds \(seed)-\(seed) for "
        + "seed \(seed) alone"
    case .repeatedSeed(let seed): "--seeds: \(seed) is named twice: give each once"
    case .badAxis(let text):
      "--vary: '\(Spelling.printable(text))' is not a key with values: give key=value,value, such as "
        + "learner.alpha=0.5,1.0"
    case .repeatedValue(let key, let value):
      "--vary \(Spelling.printable(key)): '\(Spelling.printable(value))' is named twice: give each value once"
    case .ownKey(let key, let option):
      "\(option) \(key): a sweep sets it for every run: use --seeds for seeds and --output for the folder"
    case .repeatedKey(let key):
      "--vary \(Spelling.printable(key)): is given twice: give each key once, with all its values"
    case .tooManyRuns(let limit): "the sweep has more than \(limit) runs: give fewer seeds or values"
    case .badRange(let key, let text):
      "--vary \(Spelling.printable(key)): '\(Spelling.printable(text))' is not a range: give LOW..HIGH with LOW below "
        + "HIGH, or LOW..HIGH@log with LOW above 0"
    case .rangeWithoutDraws(let key):
      "--vary \(Spelling.printable(key)): a range has unlimited values: say with --draws how many variants to draw"
    case .drawsOfNothing: "--draws: nothing to draw from: give --vary key=LOW..HIGH or key=value,value"
    case .tooFewVariants(let found, let asked):
      "--draws is \(asked), but the values of --vary make only about \(found) variants: give fewer draws"
    case .configuration(let problem): "\(problem)"
    case .sameName(let name):
      "two runs would be called \(name): give their configurations different names, with name: in the files"
    case .equalVariants(let name, let other):
      "\(name): has the same settings as \(other): give each value of --vary once"
    case .longName(let name):
      "\(name.prefix(60))...: a folder's name of more than \(SweepPlan.longestName) bytes: vary fewer keys in one sweep"
    case .noEvaluation(let name):
      "\(name): evaluation.games is 0, but a sweep compares evaluations: set it to 1 or more"
    case .unreadable(let path, let reason):
      "\(path): cannot be read: \(reason): remove it, or name another folder with --output"
    case .otherSettings(let folder, let key, let before, let now):
      "\(folder): holds a run with \(key) \(before), this one has \(now): name another folder with --output"
    }
  }
}
