public import TupeloEngine
public import TupeloModels
public import TupeloSearch
public import TupeloTables

/// Plays 2048 by the learned values of an encoder that the caller defines: each move is the first with the largest
/// reward + value of its afterstate. It is for one thread.
public struct GreedyAgent<Encoder: FeatureEncoder>: Agent where Encoder.State == Afterstate {
  /// An evaluator cannot be copied, and an agent can.
  private final class Memory {
    var evaluator: LearnedEvaluator<Encoder>

    init(_ values: LearnedValues<Encoder>) { evaluator = values.makeEvaluator() }
  }

  private let memory: Memory
  private let table: MoveTable

  /// - Parameter shape: the board of the run
  public init(_ values: LearnedValues<Encoder>, shape: BoardShape = .standard) {
    (memory, table) = (Memory(values), MoveTable(shape))
  }

  /// - Complexity: O(features) for each legal move
  public mutating func move(on board: Board) -> Move? {
    let successors = table.successors(of: board)
    return successors.best { memory.evaluator.value(of: successors.afterstate(of: $0)) }?.move
  }
}

extension LearnedValues where Encoder.State == Afterstate {
  /// The player that measures these values, for `GameSeries` and `Evaluation`.
  public func contender(rules: Rules) -> Contender {
    Contender(name: "greedy") { BoardPlayer(GreedyAgent(self, shape: rules.shape), rules: rules) }
  }
}
