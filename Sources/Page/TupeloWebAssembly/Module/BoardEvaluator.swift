internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch

/// The evaluator of positions of 2048: the network on 4x4, or the heuristic on a smaller board.
///
/// It is one type, because the compiler makes a copy of the search for each type of evaluator. The heuristic is stored
/// by reference, so that the code that copies a search stays small.
enum BoardEvaluator: Evaluator {
  case network(SparseNetwork)
  indirect case heuristic(HeuristicEvaluator)

  /// The evaluator for boards of a shape; `nil` for 4x4 without a network.
  init?(_ shape: BoardShape, network: LoadedNetwork?) {
    if shape != .standard {
      self = .heuristic(HeuristicEvaluator(shape: shape))
    } else if case .board(let network) = network {
      self = .network(network)
    } else {
      return nil
    }
  }

  func value(of afterstate: Afterstate) -> Float {
    switch self {
    case .network(let network): network.value(of: afterstate)
    case .heuristic(let heuristic): heuristic.value(of: afterstate)
    }
  }

  func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    switch self {
    case .network(let network): network.evaluate(afterstates, into: &values)
    case .heuristic(let heuristic): heuristic.evaluate(afterstates, into: &values)
    }
  }
}
