/// One of the tables that a network's weights lie in.
public enum NetworkTable: Hashable, Sendable {
  /// A weight for each combination of tiles on the pattern's cells.
  case pattern(TuplePattern)
  /// 2^bits weights for whole states, up to symmetry where the network shares weights over it; see `StateIndex`.
  case states(bits: Int)

  /// Weights in the table.
  public var size: Int {
    switch self {
    case .pattern(let pattern): pattern.tableSize
    case .states(let bits): 1 << bits
    }
  }

  /// The axes of its tensor in a file: 16 for each cell of a pattern, all states on one.
  public var axes: [Int] {
    switch self {
    case .pattern(let pattern): Array(repeating: 16, count: pattern.cells.count)
    case .states: [size]
    }
  }
}

extension NetworkTable: CustomStringConvertible {
  public var description: String {
    switch self {
    case .pattern(let pattern): pattern.text
    case .states(let bits): "states=\(bits)"
    }
  }
}
