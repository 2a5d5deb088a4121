internal import TupeloBase
public import TupeloTraining

/// Why an `ExternalRun` refuses what a program gives to it.
public enum ExternalRunError: Error, Hashable, Sendable {
  /// A setting without which the call is not possible.
  case missing(key: String)
  /// A counter that falls, or that is not a number from 0 to 2^53.
  case badCounter(name: String, value: Double, least: Double)
  case notFinite(name: String, value: Double)
  /// A name that is not allowed.
  case badName(String)
  /// A tag with `/` that no metric has.
  case unknownTag(String, nearest: String?)
  /// More values than a line of metrics.jsonl can hold.
  case tooManyValues(Int)
  /// A model or a report belongs to the first game, and the run to the second one.
  case otherGame(GameKind, GameKind)
  case otherBoard(String, expected: String)
  /// The session has been ended.
  case ended(path: String)
}

extension ExternalRunError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missing(let key): "\(key) is not set: give it in the configuration of the run"
    case .badCounter(let name, let value, let least):
      "\(name) is \(MetricsRecord.number(value)): give a number from \(MetricsRecord.number(least)) to 2^53, "
        + "counted since the start of the run"
    case .notFinite(let name, let value): "\(Spelling.printable(name)) is \(value): give a finite number"
    case .badName(let name):
      "'\(Spelling.printable(name))' is not a name: give at most 100 letters, digits and . _ + -"
    case .unknownTag(let tag, let nearest):
      "'\(Spelling.printable(tag))' is not the tag of a metric"
        + (nearest.map { ", did you mean \($0)?" } ?? ": give a name of your own without '/'")
    case .tooManyValues(let count): "\(count) values do not fit into a record: give fewer, or shorter names"
    case .otherGame(let game, let own):
      "it belongs to \(game.title), and the run to \(own.title): set game in the configuration of the run"
    case .otherBoard(let shape, let expected):
      "the model plays on \(shape), and the run on \(expected): set rules.rows and rules.columns of the run"
    case .ended(let path): "\(path): the run has ended: open it again with resume"
    }
  }
}
