internal import ArgumentParser
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

/// How to choose moves: an agent in full, or the plies of expectimax for short.
struct AgentOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Who plays: random, greedy, expectimax(plies: 3), expectimax(milliseconds: 10), minimax(plies: 2), "
        + "montecarlo(rollouts: 200), ...",
      valueName: "agent"))
  var agent: String?

  @Option(name: .long, help: "Plies to search: 1 is greedy. Short for --agent 'expectimax(plies: N)'.")
  var plies: Int?

  func validate() throws {
    if agent != nil, plies != nil {
      throw ValidationError("--agent and --plies both say how to play: give one of them")
    }
    if let plies, !(1...8).contains(plies) { throw ValidationError("--plies is \(plies): give 1 to 8") }
    _ = try specification()
  }

  /// - Parameter plies: what is searched when nothing is said.
  func specification(plies standard: Int = 1) throws -> AgentSpecification {
    guard let agent else { return .expectimax(plies: plies ?? standard) }
    return try Self.specification(agent, option: "--agent")
  }

  static func specification(_ text: String, option: String) throws -> AgentSpecification {
    do {
      return try AgentSpecification(text: text)
    } catch {
      throw ValidationError("\(option): \(error)")
    }
  }
}

/// Someone who plays: a specification, and the model it plays by if there is one.
struct Contestant: Sendable {
  let specification: AgentSpecification
  let model: TrainedModel?
  /// Where the model came from.
  let path: String?
  private let isShipped: Bool

  /// - Throws: when the agent plays by a model and there is none.
  init(
    _ specification: AgentSpecification, model: TrainedModel?, path: String? = nil, isShipped: Bool = false
  ) throws {
    if model == nil, specification.evaluator == .model {
      throw AgentSpecificationError.needsModel("\(specification)")
    }
    self.specification = specification
    self.model = model
    self.path = path
    self.isShipped = isShipped
  }

  /// Loads the model, if one is named, else the shipped one where the agent has a use for it.
  init(_ specification: AgentSpecification, path named: String?) throws {
    let wantsModel = specification.usesEvaluator && specification.evaluator != .heuristic
    let path = named ?? (wantsModel ? ShippedModel.path : nil)
    let model = try path.map { try TrainedModel(path: RunFolder.checkpoint(at: $0)) }
    try self.init(specification, model: model, path: path, isShipped: named == nil && path != nil)
  }

  var shape: BoardShape { model?.description.shape ?? .standard }

  /// A new agent; each thread has its own.
  func makeAgent(rules: Rules) -> AnyAgent {
    if let model { return model.makeAgent(specification, rules: rules) }
    return specification.makeAgent(model: HeuristicEvaluator(shape: rules.shape), rules: rules)
  }

  /// What it plays by where that may not be what was meant; `nil` when it is clear.
  var note: String? {
    if isShipped, let path { return "no model is named: \(specification) plays by \(ModelName.short(path))" }
    guard model == nil, specification.usesEvaluator, specification.evaluator == .automatic else { return nil }
    return "no model is named: \(specification) plays by the hand-written heuristic"
  }
}
