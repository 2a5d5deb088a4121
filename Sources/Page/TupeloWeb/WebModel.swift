public import TupeloEngine
internal import TupeloSearch

/// An evaluator that agents of a server play by, such as a network.
public struct WebModel: Sendable {
  /// The name for people, such as `4x6`.
  public let title: String
  /// Makes an agent that plays by the evaluator.
  let agent: @Sendable (AgentSpecification, _ name: String, _ title: String, _ maximumPlies: Int) -> WebAgent

  public init(_ evaluator: some Evaluator, title: String) {
    self.title = title
    agent = { WebAgent($0, model: evaluator, name: $1, title: $2, maximumPlies: $3) }
  }

  private init(heuristicTitle title: String) {
    self.title = title
    agent = { WebAgent($0, name: $1, title: $2, maximumPlies: $3) }
  }

  /// The hand-written heuristic.
  static let heuristic = WebModel(heuristicTitle: "the heuristic")
}
