internal import Safetensors
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining
internal import TupeloWeb

/// 2048 in the commands.
struct BoardCommands: CommandGame {
  var kind: GameKind { .twentyFortyEight }
  var shippedModel: String { "medium" }
  var searchOption: String { "--plies 2" }

  var agentGuide: String {
    """
    \(AgentSpecification.reference)

    When no agent is named, play, autoplay, advise and serve let a model of 2048
    search for \(AgentOptions.instantMilliseconds) ms per move. The commands evaluate and analyze
    use expectimax(plies: 1), review uses expectimax(plies: 2).
    """
  }

  func manner(_ evaluation: RunConfiguration.Evaluation) -> String { " at \(evaluation.plies)-ply" }

  func hasAgent(named name: String) -> Bool { AgentName(rawValue: name) != nil }
  func check(_ agent: NamedAgent) throws { _ = try agent.boardSpecification() }
  func check(_ spawn: SpawnOptions) {}

  func entrant(
    _ agent: NamedAgent, path: String?, _ spawn: SpawnOptions, load: (String) throws -> TrainedModel
  ) throws -> Entrant {
    let contestant = try Contestant(agent.boardSpecification(), path: path) { try load($0).board(path: $0) }
    return Entrant(contestant, rules: try spawn.rules(shape: contestant.shape))
  }

  func play(_ command: PlayCommand, _ interrupt: Interrupt) throws { try command.playBoards(interrupt) }

  func autoplay(_ command: AutoplayCommand, _ interrupt: Interrupt, _ output: OutputFile?) throws {
    try command.playBoards(interrupt, output)
  }

  func offer(_ trained: TrainedModel, in file: SafetensorsFile, path: String, on page: inout PageOffer) throws {
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

extension NamedAgent {
  /// The agent of 2048; greedy expectimax when none is named.
  ///
  /// - Throws: `CommandEnd.wrong`.
  func boardSpecification() throws -> AgentSpecification {
    guard let text else { return .expectimax(plies: 1) }
    return try AgentOptions.specification(text, option: option)
  }
}

extension Entrant {
  init(_ contestant: Contestant, rules: Rules) {
    self.init(
      agent: "\(contestant.specification)", title: contestant.title, note: contestant.note, rules: .board(rules),
      model: contestant.model.map { TrainedModel($0) }
    ) { BoardPlayer(try contestant.makeAgent(rules: rules), rules: rules) }
  }
}
