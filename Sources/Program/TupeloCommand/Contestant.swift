internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloSearch
internal import TupeloTraining

/// Someone who plays: a specification, and the model it plays by if there is one.
struct Contestant: Sendable {
  let specification: AgentSpecification
  let model: (any BoardModel)?
  /// The file or folder that the model came from.
  let path: String?
  private let isShipped: Bool

  /// Loads the model, if one is named, else the shipped one where the agent has a use for it.
  ///
  /// - Parameter load: gives the model of a file
  /// - Throws: when the agent plays by a model and there is none.
  init(
    _ specification: AgentSpecification, path named: String?,
    load: (String) throws -> any BoardModel = { try TrainedModel(path: $0, of: .program).board(path: $0) }
  ) throws {
    let wantsModel = specification.usesEvaluator && specification.evaluator != .heuristic
    path = named ?? (wantsModel ? ShippedModel.path : nil)
    isShipped = named == nil && path != nil
    model = try path.map { try load(ShippedModel.file(at: $0)) }
    if model == nil, specification.evaluator == .model {
      throw AgentSpecificationError.needsModel("\(specification)")
    }
    self.specification = specification
  }

  var shape: BoardShape { model?.shape ?? .standard }

  /// Refuses boards of another shape than the model's.
  ///
  /// - Parameter source: the file that the boards are from, or "the board"
  func require(_ shape: BoardShape, of source: String) throws {
    guard let model, model.shape != shape else { return }
    throw CommandEnd.failure("\(source): \(shape), and the model is for \(model.shape): name another model")
  }

  /// A new agent; each thread has its own.
  ///
  /// - Throws: `SearchTableError` when there is no memory for its table.
  func makeAgent(rules: Rules) throws(SearchTableError) -> AnyAgent {
    if let model { return try model.makeAgent(specification, rules: rules) }
    return try specification.makeAgent(model: HeuristicEvaluator(shape: rules.shape), rules: rules)
  }

  /// The title of the player and its model: `4x6, expectimax(plies: 2)`.
  var title: String { (evaluatorName.map { $0 + ", " } ?? "") + "\(specification)" }

  /// A note about the player that is used because none was named; `nil` when one was named.
  var note: String? {
    if isShipped, let path { return "no model given: using \(ShippedModel.title(of: path)), \(specification)" }
    guard model == nil, specification.usesEvaluator, specification.evaluator == .automatic else { return nil }
    return "no model given: using the hand-written heuristic, \(specification)"
  }
}
