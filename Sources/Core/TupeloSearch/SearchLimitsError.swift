extension SearchLimits {
  /// Checks that every limit is within its range.
  ///
  /// - Throws: `SearchLimitsError`.
  public func check() throws(SearchLimitsError) {
    guard (1...deepest).contains(plies) else { throw .plies(plies) }
    if let time, time <= .zero { throw .time(time) }
    if let nodes, nodes < 1 { throw .nodes(nodes) }
    guard (0..<1).contains(minimumProbability) else { throw .minimumProbability(minimumProbability) }
  }
}

/// A limit of a search that is outside its range.
public enum SearchLimitsError: Error, Hashable, Sendable {
  case plies(Int)
  case time(Duration)
  case nodes(Int)
  case minimumProbability(Double)
}

extension SearchLimitsError: CustomStringConvertible {
  /// One line that names the limit, its value and its range.
  public var description: String {
    switch self {
    case .plies(let plies):
      "plies is \(plies): give 1 to \(SearchLimits.maximumFixedPlies), or up to \(SearchLimits.maximumPlies) with "
        + "a limit on time, nodes or probability"
    case .time(let time): "time is \(time): give more than zero"
    case .nodes(let nodes): "nodes is \(nodes): give at least 1"
    case .minimumProbability(let value): "minimumProbability is \(value): give a number of at least 0 and below 1"
    }
  }
}
