internal import Safetensors
internal import SetAgents
internal import SetEngine
internal import SetTraining
internal import TupeloTraining
internal import TupeloWeb

/// Set in the commands.
struct SetCommands: CommandGame {
  var kind: GameKind { .set }
  var shippedModel: String { "set" }
  var searchOption: String { "--agent 'search(count: 20)'" }

  var agentGuide: String {
    """
    In Set (--game set, or a model of Set) there are other agents:
      tupelo evaluate --game set --agent "search(count: 20)"
      tupelo arena counting "models/set@greedy"

    \(SetAgentSpecification.reference)
    """
  }

  func manner(_ evaluation: RunConfiguration.Evaluation) -> String { "" }

  func hasAgent(named name: String) -> Bool { SetAgentName(rawValue: name) != nil }
  func check(_ agent: NamedAgent) throws { _ = try agent.setSpecification() }
  func check(_ spawn: SpawnOptions) throws { try spawn.refuse(for: kind) }

  func entrant(
    _ agent: NamedAgent, path: String?, _ spawn: SpawnOptions, load: (String) throws -> TrainedModel
  ) throws -> Entrant {
    let contestant = try SetContestant(agent.setSpecification(), path: path) { try load($0).set(path: $0) }
    return Entrant(
      agent: "\(contestant.specification)", title: contestant.title, note: contestant.note,
      rules: .set(contestant.rules), model: contestant.model.map { TrainedModel($0) }
    ) { SetPlayer(contestant.makeAgent(), rules: contestant.rules) }
  }

  /// Enough rollouts for a hint in a few tens of milliseconds.
  private static let coach = SetAgentSpecification(.search(.init(count: 50), .init()))

  func play(_ command: PlayCommand, _ interrupt: Interrupt) throws {
    if let plies = command.plies {
      throw CommandEnd.wrong("--plies is \(plies), and hints in Set search by rollouts: leave it out")
    }
    let coach = try SetContestant(Self.coach, path: command.model)
    var play = SetPlay(coach: coach, seed: command.seed ?? .random(in: 0...UInt64.max), record: command.record)
    try play.run(interrupt)
  }

  func autoplay(_ command: AutoplayCommand, _ interrupt: Interrupt, _ output: OutputFile?) throws {
    if let until = command.until { throw CommandEnd.wrong("--until is \(until), and Set has no tiles: leave it out") }
    let contestant = try SetContestant(command.player.named.setSpecification(), path: command.model)
    let game = SetAutoplay(contestant: contestant, seed: command.seed, speed: command.speed)
    let (record, isOver) = game.play(interrupt, namesModel: output != nil)
    if let output { try RecordFile.write(record.text, to: output.path) }
    if !isOver, interrupt.isRequested { throw AutoplayCommand.stopped }
  }

  func offer(_ trained: TrainedModel, in file: SafetensorsFile, path: String, on page: inout PageOffer) throws {
    _ = try PageOffer.setSpecification(of: trained.description, path: path)
    if let other = page.setPath { throw CommandEnd.failure("\(other) and \(path) are models of Set: name one") }
    page.setPath = path
    let (bytes, _) = try PageOffer.packed(file, trained: trained) { _ in }
    page.setModel = StaticSite.Model(title: ModelName.short(path), file: bytes)
  }
}

extension NamedAgent {
  /// The agent of Set; greedy when none is named.
  ///
  /// - Throws: `CommandEnd.wrong`.
  func setSpecification() throws -> SetAgentSpecification {
    guard let text else { return SetAgentSpecification(.greedy) }
    do {
      return try SetAgentSpecification(text: text)
    } catch {
      throw CommandEnd.wrong("\(option): for Set: \(error) (tupelo help \(AgentGuide.topic))")
    }
  }
}
