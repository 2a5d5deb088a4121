internal import Safetensors
internal import SetAgents
internal import TupeloSearch
internal import TupeloTraining

/// A player as the commands name one: the specification of an agent. Its type has the facts of its game: the model that
/// comes with the program, and how the game is played and shown.
protocol CommandPlayer: Sendable, CustomStringConvertible {
  /// A model that the player can play by.
  associatedtype Model: Sendable
  associatedtype Rules: PlayedRules
  associatedtype Agent
  associatedtype EvaluatorChoice: CommandEvaluator

  static var game: GameKind { get }
  /// The folder in `models` of the model that plays when none is named.
  static var shippedModel: String { get }
  /// The part of `tupelo help agents` about the game's agents.
  static var guide: String { get }
  /// Options of `evaluate` that make a model search.
  static var searchOption: String { get }
  /// The player that plays when none is named.
  static var standard: Self { get }
  /// The words before the problem of a specification, after the option.
  static var place: String { get }

  /// The manner of play in the evaluation of a run, to follow "evaluation": ` at 2-ply`.
  static func manner(_ evaluation: RunConfiguration.Evaluation) -> String
  /// Whether an agent of the game has a name.
  static func hasAgent(named name: String) -> Bool
  /// - Throws: `CommandEnd.wrong` when an option is given that does not belong to the game.
  static func check(_ spawn: SpawnOptions) throws
  static func model(_ trained: TrainedModel, path: String) throws -> Model
  /// The rules that a model is for; without one, the standard rules.
  static func rules(of model: Model?, _ spawn: SpawnOptions) throws -> Rules

  static func play(_ command: PlayCommand, _ interrupt: Interrupt) throws
  static func autoplay(_ command: AutoplayCommand, _ interrupt: Interrupt, _ output: OutputFile?) throws
  /// Adds a model to what the page offers.
  ///
  /// - Throws: `CommandEnd` for a model that the page cannot show.
  static func offer(_ model: TrainedModel, in file: SafetensorsFile, path: String, on page: inout PageOffer) throws

  init(text: String) throws

  var usesEvaluator: Bool { get }
  var evaluator: EvaluatorChoice { get }

  /// A new agent that plays by the model, or by the hand-written heuristic.
  func agent(by model: Model?, rules: Rules) throws -> Agent
  static func player(_ agent: Agent, rules: Rules) -> any GamePlayer
}

/// The evaluator that a specification names.
protocol CommandEvaluator: Equatable {
  static var automatic: Self { get }
  static var model: Self { get }
  static var heuristic: Self { get }
}

extension CommandPlayer {
  static var place: String { "" }
  static func check(_ spawn: SpawnOptions) {}

  /// - Throws: `CommandEnd.wrong`.
  init(_ named: NamedPlayer) throws {
    guard let text = named.text else {
      self = .standard
      return
    }
    do {
      try self.init(text: text)
    } catch {
      throw CommandEnd.wrong("\(named.option): \(Self.place)\(error) (tupelo help \(AgentGuide.topic))")
    }
  }

  /// Someone who enters an evaluation.
  static func entrant(
    _ named: NamedPlayer, path: String?, _ spawn: SpawnOptions, load: (String) throws -> TrainedModel
  ) throws -> Entrant {
    let contestant = try Contestant(Self(named), path: path, load: load)
    let rules = try rules(of: contestant.model, spawn)
    return Entrant(
      agent: "\(contestant.specification)", title: contestant.title, note: contestant.note, rules: GameRules(rules),
      model: contestant.trained
    ) { player(try contestant.makeAgent(rules: rules), rules: rules) }
  }
}

/// The games of the commands: a row for each game of `GameCatalogue.program`, in the same order.
enum CommandGames {
  /// In the order in which a command line is tried on them.
  static let all: [any CommandPlayer.Type] = [AgentSpecification.self, SetAgentSpecification.self]

  /// The names of the games, in the order of `all`.
  static var names: [String] { all.map { $0.game.name } }

  static func of(_ kind: GameKind) -> any CommandPlayer.Type {
    guard let game = all.first(where: { $0.game == kind }) else { preconditionFailure("no commands of \(kind.title)") }
    return game
  }
}

/// A player as named on the command line, before it is known which game it plays.
struct NamedPlayer {
  /// The agent's text; `nil` for the agent that plays when none is named.
  let text: String?
  /// The option that gives the text, such as `--agent`.
  let option: String

  /// Whether the game has such an agent.
  func isKnown(in game: any CommandPlayer.Type) -> Bool {
    do {
      _ = try game.init(self)
      return true
    } catch {
      return false
    }
  }

  /// - Throws: `CommandEnd.wrong` for an agent that no game has. Its text is about the first game that has the name, or
  ///   about 2048.
  func validate() throws {
    guard let text, !CommandGames.all.contains(where: isKnown) else { return }
    let name = text.prefix { $0 != "(" }.filter { !$0.isWhitespace }
    _ = try (CommandGames.all.first { $0.hasAgent(named: name) } ?? CommandGames.all[0]).init(self)
  }
}
