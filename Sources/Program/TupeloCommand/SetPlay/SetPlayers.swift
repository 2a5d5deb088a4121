internal import Safetensors
internal import SetAgents
internal import SetEngine
internal import SetTraining
internal import TupeloTraining
internal import TupeloWeb

extension SetAgentSpecification.EvaluatorChoice: CommandEvaluator {}

extension SetAgentSpecification: CommandPlayer {
  static var game: GameKind { .set }
  static var shippedModel: String { "set" }
  static var searchOption: String { "--agent 'search(count: 20)'" }
  static var standard: SetAgentSpecification { SetAgentSpecification(.greedy) }
  static var place: String { "for Set: " }

  static var guide: String {
    """
    In Set (--game set, or a model of Set) there are other agents:
      tupelo evaluate --game set --agent "search(count: 20)"
      tupelo arena counting "models/set@greedy"

    \(reference)
    """
  }

  static func manner(_ evaluation: RunConfiguration.Evaluation) -> String { "" }
  static func hasAgent(named name: String) -> Bool { SetAgentName(rawValue: name) != nil }
  static func check(_ spawn: SpawnOptions) throws { try spawn.refuse(for: game) }
  static func model(_ trained: TrainedModel, path: String) throws -> any SetModel { try trained.set(path: path) }
  static func rules(of model: (any SetModel)?, _ spawn: SpawnOptions) -> SetRules { model?.rules ?? .standard }

  func agent(by model: (any SetModel)?, rules: SetRules) throws -> AnySetAgent {
    if let model { return makeAgent(model: model, rules: rules) }
    return try makeAgent(rules: rules)
  }

  static func player(_ agent: AnySetAgent, rules: SetRules) -> any GamePlayer { SetPlayer(agent, rules: rules) }

  static func play(_ command: PlayCommand, _ interrupt: Interrupt) throws {
    if let plies = command.plies {
      throw CommandEnd.wrong("--plies is \(plies), and hints in Set search by rollouts: leave it out")
    }
    // Enough rollouts for a hint in a few tens of milliseconds.
    let coach = SetAgentSpecification(.search(.init(count: 50), .init()))
    let contestant = try Contestant(coach, path: command.model)
    let rules = rules(of: contestant.model, command.spawn)
    var person = SetPerson(try contestant.makeAgent(rules: rules), coach: contestant.title, interrupt)
    try person.play(rules: rules, seed: command.seed, record: command.record, interrupt)
  }

  static func autoplay(_ command: AutoplayCommand, _ interrupt: Interrupt, _ output: OutputFile?) throws {
    if let until = command.until { throw CommandEnd.wrong("--until is \(until), and Set has no tiles: leave it out") }
    let contestant = try Contestant(Self(command.player.named), path: command.model)
    let game = SetAutoplay(
      contestant: contestant, rules: rules(of: contestant.model, command.spawn), seed: command.seed,
      speed: command.speed)
    let (record, isOver) = try game.play(interrupt, namesModel: output != nil)
    if let output { try RecordFile.write(record.text, to: output.path) }
    if !isOver, interrupt.isRequested { throw AutoplayCommand.stopped }
  }

  static func offer(_ trained: TrainedModel, in file: SafetensorsFile, path: String, on page: inout PageOffer) throws {
    _ = try PageOffer.setSpecification(of: trained.description, path: path)
    if let other = page.setPath { throw CommandEnd.failure("\(other) and \(path) are models of Set: name one") }
    page.setPath = path
    let (bytes, _) = try PageOffer.packed(file, trained: trained) { _ in }
    page.setModel = StaticSite.Model(title: ModelName.short(path), file: bytes)
  }
}
