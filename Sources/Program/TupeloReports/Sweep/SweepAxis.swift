internal import TupeloBase
internal import TupeloTraining

/// One dimension of a sweep: a key of the configuration, and the values to try for it.
public struct SweepAxis: Hashable, Sendable {
  public let key: String
  /// The values; none for a range.
  public let values: [String]
  /// The range to draw values from; `nil` for a list of values.
  let range: SweepRange?

  init(key: String, values: [String]) { (self.key, self.values, range) = (key, values, nil) }

  /// - Parameter text: such as `learner.alpha=0.5,1.0`, or `learner.alpha=0.01..1@log` for a range. If it has a `|`,
  ///   values are separated by `|` and may contain commas.
  public init(_ text: String) throws(SweepError.Problem) {
    let assignment = Assignment(text)
    guard let list = assignment.value else { throw .badAxis(text) }
    let separator: Character = list.contains("|") ? "|" : ","
    key = assignment.key
    let values = list.split(separator: separator, omittingEmptySubsequences: false).map { String($0.trimmed) }
    guard !key.isEmpty, values.allSatisfy({ !$0.isEmpty }) else { throw .badAxis(text) }
    range = values.count == 1 ? try SweepRange(values[0], key: key) : nil
    self.values = range == nil ? values : []
    var seen: Set<String> = []
    for value in values where !seen.insert(value).inserted { throw .repeatedValue(key: key, value: value) }
  }

  private static let longestLabel = 40

  /// The label of each value in a run's name, such as `alpha=0.5`. It has only characters that every file system allows
  /// in folder names. Where these do not distinguish two values, the value's number is added.
  ///
  /// - Parameter name: the key, or as much of it as is unambiguous.
  func labels(_ name: String) -> [String] {
    let plain = values.map { NameText.fit($0, limit: Self.longestLabel) }
    return plain.enumerated().map { index, text in
      let isUnique = plain.count { $0.lowercased() == text.lowercased() } == 1
      return "\(name)=\(text)" + (isUnique ? "" : "+\(index + 1)")
    }
  }
}

/// Reads the seeds of a sweep's runs.
enum SweepSeeds {
  /// A number alone that may be the number of seeds is refused: other programs mean this by it.
  ///
  /// - Parameters:
  ///   - text: such as `1-5` or `1,3,7-9`
  ///   - limit: the largest number of seeds
  static func read(_ text: String, limit: Int) throws(SweepError.Problem) -> [UInt64] {
    let isNumber = text.allSatisfy { $0.isASCII && $0.isNumber }
    if isNumber, let seed = UInt64(text), seed > 1, seed <= UInt64(limit) { throw .loneSeed(seed) }
    var seeds: [UInt64] = []
    var seen: Set<UInt64> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let bounds = word.split(separator: "-", omittingEmptySubsequences: false).map { digits in
        digits.allSatisfy(\.isASCII) && !digits.hasPrefix("+") ? UInt64(digits) : nil
      }
      guard (1...2).contains(bounds.count), let first = bounds[0], let last = bounds[bounds.count - 1], first <= last
      else { throw .badSeeds(text) }
      guard last - first < UInt64(limit), seeds.count + Int(last - first) < limit else {
        throw .tooManyRuns(limit: limit)
      }
      for seed in first...last {
        guard seen.insert(seed).inserted else { throw .repeatedSeed(seed) }
        seeds.append(seed)
      }
    }
    return seeds
  }
}
