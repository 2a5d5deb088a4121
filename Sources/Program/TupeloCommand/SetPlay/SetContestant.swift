internal import SetAgents
internal import SetEngine
internal import SetTraining
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloTraining

/// Someone who plays Set: a specification, and the model it plays by if there is one.
struct SetContestant: Sendable {
  let specification: SetAgentSpecification
  let model: (any SetModel)?
  /// The file or folder that the model came from.
  let path: String?
  private let isShipped: Bool

  /// Loads the model, if one is named, else the shipped one where the agent has a use for it.
  ///
  /// - Parameter load: gives the model of a file
  /// - Throws: when the agent plays by a model and there is none.
  init(
    _ specification: SetAgentSpecification, path named: String?,
    load: (String) throws -> any SetModel = { try TrainedModel(path: $0, of: .program).set(path: $0) }
  ) throws {
    let wantsModel = specification.usesEvaluator && specification.evaluator != .heuristic
    path = named ?? (wantsModel ? ShippedModel.path(for: .set) : nil)
    isShipped = named == nil && path != nil
    model = try path.map { try load(ShippedModel.file(at: $0)) }
    if model == nil, specification.evaluator == .model {
      throw SetAgentSpecificationError.needsModel("\(specification)")
    }
    self.specification = specification
  }

  var rules: SetRules { model?.rules ?? .standard }

  /// A new agent; each thread has its own.
  func makeAgent() -> AnySetAgent {
    if let model { return specification.makeAgent(model: model, rules: rules) }
    return specification.makeAgent(model: HeuristicSetEvaluator(rules: rules), rules: rules)
  }

  /// The name of the player's evaluator; `nil` when it uses none.
  var evaluatorName: String? {
    guard specification.usesEvaluator else { return nil }
    guard model != nil, specification.evaluator != .heuristic, let path else { return "the hand-written heuristic" }
    return ModelName.short(path)
  }

  /// The title of the player and its model: `set, search(count: 20)`.
  var title: String { (evaluatorName.map { $0 + ", " } ?? "") + "\(specification)" }

  /// A note about the player that is used because none was named; `nil` when one was named.
  var note: String? {
    if isShipped, let path { return "no model given: using \(ShippedModel.title(of: path)), \(specification)" }
    guard model == nil, specification.usesEvaluator, specification.evaluator == .automatic else { return nil }
    return "no model given: using the hand-written heuristic, \(specification)"
  }
}
