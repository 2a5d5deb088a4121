internal import ArgumentParser
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

/// Options that choose the agent: a full specification, or just the plies of expectimax.
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

  /// - Parameter plies: the plies when no option is given.
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

/// A player: an agent specification, and its model if it has one.
struct Contestant: Sendable {
  let specification: AgentSpecification
  let model: TrainedModel?
  /// The path of the model.
  let path: String?
  private let isShipped: Bool

  /// Makes a player.
  ///
  /// - Throws: an error when the agent needs a model and there is none.
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

  /// Loads the named model. If none is named and the agent can use one, it loads the shipped model.
  init(_ specification: AgentSpecification, path named: String?) throws {
    let wantsModel = specification.usesEvaluator && specification.evaluator != .heuristic
    let path = named ?? (wantsModel ? ShippedModel.path : nil)
    let model = try path.map { try TrainedModel(path: RunFolder.checkpoint(at: $0)) }
    try self.init(specification, model: model, path: path, isShipped: named == nil && path != nil)
  }

  var shape: BoardShape { model?.description.shape ?? .standard }

  /// Makes a new agent; each thread has its own.
  func makeAgent(rules: Rules) -> AnyAgent {
    if let model { return model.makeAgent(specification, rules: rules) }
    return specification.makeAgent(model: HeuristicEvaluator(shape: rules.shape), rules: rules)
  }

  /// A note about the evaluator when it may not be the intended one; `nil` when it is clear.
  var note: String? {
    if isShipped, let path { return "no model is named: \(specification) plays by \(ModelName.short(path))" }
    guard model == nil, specification.usesEvaluator, specification.evaluator == .automatic else { return nil }
    return "no model is named: \(specification) plays by the hand-written heuristic"
  }
}
