internal import Safetensors
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining
internal import TupeloWeb

extension AgentSpecification.EvaluatorChoice: CommandEvaluator {}

extension AgentSpecification: CommandPlayer {
  static var game: GameKind { .twentyFortyEight }
  static var shippedModel: String { "medium" }
  static var searchOption: String { "--plies 2" }
  static var standard: AgentSpecification { .expectimax(plies: 1) }

  static var guide: String {
    """
    \(reference)

    When no agent is named, play, autoplay, advise and serve let a model of 2048
    search for \(AgentOptions.instantMilliseconds) ms per move. The commands evaluate and analyze
    use expectimax(plies: 1), review uses expectimax(plies: 2).
    """
  }

  static func manner(_ evaluation: RunConfiguration.Evaluation) -> String { " at \(evaluation.plies)-ply" }
  static func hasAgent(named name: String) -> Bool { AgentName(rawValue: name) != nil }
  static func model(_ trained: TrainedModel, path: String) throws -> any BoardModel { try trained.board(path: path) }

  static func rules(of model: (any BoardModel)?, _ spawn: SpawnOptions) throws -> Rules {
    try spawn.rules(shape: model?.shape ?? .standard)
  }

  func agent(by model: (any BoardModel)?, rules: Rules) throws -> AnyAgent {
    if let model { return try model.makeAgent(self, rules: rules) }
    return try makeAgent(rules: rules)
  }

  static func player(_ agent: AnyAgent, rules: Rules) -> any GamePlayer { BoardPlayer(agent, rules: rules) }

  static func play(_ command: PlayCommand, _ interrupt: Interrupt) throws { try command.playBoards(interrupt) }

  static func autoplay(_ command: AutoplayCommand, _ interrupt: Interrupt, _ output: OutputFile?) throws {
    try command.playBoards(interrupt, output)
  }

  static func offer(_ trained: TrainedModel, in file: SafetensorsFile, path: String, on page: inout PageOffer) throws {
    let model = try trained.board(path: path)
    guard model.shape == .standard else {
      throw CommandEnd.failure("\(path): a network for \(model.shape): the page shows 4x4")
    }
    // The page sends requests to the server for all models but the first, and for dense ones.
    if page.boardModels.isEmpty, let network = model as? NTupleNetwork {
      page.page = try PageOffer.pageModel(in: file, if: PageModel.fits(network.specification, in: file))
    }
    page.boardModels.append(WebModel(model, title: ModelName.short(path)))
  }
}

extension Contestant where Player == AgentSpecification {
  var shape: BoardShape { model?.shape ?? .standard }

  /// Refuses boards of another shape than the model's.
  ///
  /// - Parameter source: the file that the boards are from, or "the board"
  func require(_ shape: BoardShape, of source: String) throws {
    guard let model, model.shape != shape else { return }
    throw CommandEnd.failure("\(source): \(shape), and the model is for \(model.shape): name another model")
  }
}
