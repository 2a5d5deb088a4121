internal import TupeloReports
internal import TupeloTraining

/// Someone who plays a game: a specification, and the model it plays by if there is one.
struct Contestant<Player: CommandPlayer>: Sendable {
  let specification: Player
  /// The model, in the type of its game and in any type.
  let model: Player.Model?
  let trained: TrainedModel?
  /// The file or folder that the model came from.
  let path: String?
  private let isShipped: Bool

  /// Loads the model, if one is named, else the shipped one where the agent has a use for it.
  ///
  /// - Parameter load: gives the model of a file
  /// - Throws: when the agent plays by a model and there is none.
  init(
    _ specification: Player, path named: String?,
    load: (String) throws -> TrainedModel = { try TrainedModel(path: $0, of: .program) }
  ) throws {
    let wantsModel = specification.usesEvaluator && specification.evaluator != .heuristic
    path = named ?? (wantsModel ? ShippedModel.path(for: Player.game) : nil)
    isShipped = named == nil && path != nil
    let file = try path.map(ShippedModel.file)
    trained = try file.map(load)
    model = try trained.map { try Player.model($0, path: file ?? "") }
    if model == nil, specification.evaluator == .model {
      throw CommandEnd.failure("\(specification) needs a model: name one, or use evaluator: heuristic")
    }
    self.specification = specification
  }

  /// A new agent; each thread has its own.
  ///
  /// - Throws: `SearchTableError` when there is no memory for its table.
  func makeAgent(rules: Player.Rules) throws -> Player.Agent { try specification.agent(by: model, rules: rules) }

  /// The name of the player's evaluator; `nil` when it uses none.
  var evaluatorName: String? {
    guard specification.usesEvaluator else { return nil }
    guard model != nil, specification.evaluator != .heuristic, let path else { return "the hand-written heuristic" }
    return ModelName.short(path)
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
