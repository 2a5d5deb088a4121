internal import TupeloBase
internal import TupeloModels
internal import TupeloNetwork
internal import TupeloSelfPlay

/// Where a key applies. A condition refuses a value where the key has no effect, hides the key there in written
/// configurations, and documents both in the reference.
struct Condition: Sendable {
  typealias Check = @Sendable (RunConfiguration) -> Bool

  /// The settings that meet the condition, in words; `nil` for a condition that refuses nothing.
  var words: String?
  /// The game that the key belongs to; `nil` for every game.
  var game: GameKind?
  /// Whether the key applies to the training of a game that the program does not know.
  var isOfAnyGame = true
  /// Whether a configuration has the settings, in its game.
  var isMet: Check = { _ in true }
  /// Whether the key is left out of a written configuration, and never refused, if it has its default.
  var omitsDefault: Check = { _ in false }

  /// Whether the key has an effect.
  func holds(in configuration: RunConfiguration) -> Bool {
    game ?? configuration.game == configuration.game && isMet(configuration)
  }

  /// The sentence that refuses a value where the condition does not hold; `nil` where it holds.
  func refusal(in configuration: RunConfiguration) -> String? {
    guard !holds(in: configuration), let words else { return nil }
    let game = game.flatMap { $0 == configuration.game ? nil : "game \($0)" }
    return "has no meaning without \(game ?? words): set it, or leave this key out"
  }
}

extension Condition {
  static let always = Self()

  /// For keys that are written only if they differ from their defaults.
  static let changed = Self(omitsDefault: { _ in true })

  /// For keys of a model of the program, in contrast to the tables of a game that the caller defines.
  static let model = Self(isOfAnyGame: false)

  /// For keys that choose the kind of model.
  static let choice = Self(isOfAnyGame: false, omitsDefault: { _ in true })

  /// For the key that names a rule of the package: a rule that another program defines has no value there.
  static let rule = Self(isMet: { $0.own.rule == nil })

  static func game(_ game: GameKind) -> Self { Self(words: "game \(game)", game: game, isOfAnyGame: false) }

  static let board = game(.twentyFortyEight)

  /// For keys of 2048 that are written only if they differ from their defaults.
  static let boardChoice = board("game 2048", omitsDefault: { _ in true }) { _ in true }

  static let dense = Self(words: "network.dense.hidden, such as [32]", isOfAnyGame: false) { $0.dense.isDense }

  static let coherence = Self(words: "learner.step_size temporal-coherence") { $0.stepSize.isCoherent }

  static let stages = board("network.stages, such as largest=16384") { $0.network.stages.count > 1 }

  static func starts(_ kinds: EpisodeStart.Kind...) -> Self {
    board("episodes.start " + Spelling.list(kinds.map(\.rawValue))) { kinds.contains($0.start.kind) }
  }

  static let interleaving = Self(words: "game 2048 or network.dense.hidden") {
    $0.game == .twentyFortyEight || $0.dense.isDense
  }

  static let evaluations = Self(
    words: "evaluation.every_games, such as 10k", isMet: { $0.evaluation.everyGames > 0 }, omitsDefault: { _ in true })

  /// Replicas are not required, because processes under mpirun merge their weights, too.
  static let replicas = Self(omitsDefault: { $0.training.replicas <= 1 })

  static let coherentStart = board(
    "network.initial_model and learner.step_size temporal-coherence, in a network of patterns",
    omitsDefault: { $0.game == .twentyFortyEight }
  ) { $0.initialModel != nil && $0.stepSize.isCoherent && !$0.dense.isDense }

  /// A condition on the settings of 2048.
  private static func board(
    _ words: String, omitsDefault: @escaping Check = { _ in false }, isMet: @escaping Check
  ) -> Self {
    Self(words: words, game: .twentyFortyEight, isOfAnyGame: false, isMet: isMet, omitsDefault: omitsDefault)
  }
}
