internal import TupeloBase
internal import TupeloModels
internal import TupeloNetwork

extension ConfigurationKey {
  /// The other settings that a key needs to have an effect. Without them the key is not written, and it is refused if
  /// it is set.
  struct Need: Sendable {
    /// The other settings in words.
    let text: String
    /// The game that the key belongs to; `nil` for every game.
    let game: GameKind?
    /// Keys whose values must be valid before the need can be checked.
    let known: [String]
    /// Whether the configuration has the other settings, apart from the game.
    let isMet: @Sendable (RunConfiguration) -> Bool
    /// Whether a game that the program does not know can have the other settings.
    let isOfAnyGame: Bool

    init(
      _ text: String, game: GameKind? = nil, known: [String] = [], ofAnyGame: Bool = true,
      isMet: @escaping @Sendable (RunConfiguration) -> Bool = { _ in true }
    ) {
      self.text = text
      self.game = game
      self.known = known
      self.isMet = isMet
      isOfAnyGame = ofAnyGame && game == nil
    }

    /// The need of a game.
    static func game(_ game: GameKind) -> Self { Self("game \(game.name)", game: game) }

    /// The refusal of a key whose need is not met.
    var refusal: String { "has no meaning without \(text): set it, or leave this key out" }
  }

  /// A setting that cannot be combined with a feature.
  struct Clash: Sendable {
    enum Feature {
      case dense, replicas
    }

    let feature: Feature
    /// The remedy for a dense network; the name of the setting for replicas.
    let text: @Sendable (RunConfiguration) -> String
    let isSet: @Sendable (RunConfiguration) -> Bool

    static func dense(_ remedy: String, isSet: @escaping @Sendable (RunConfiguration) -> Bool) -> Self {
      Self(feature: .dense, text: { _ in remedy }, isSet: isSet)
    }

    static func replicas(_ name: String, isSet: @escaping @Sendable (RunConfiguration) -> Bool) -> Self {
      replicas(for: { _ in name }, isSet: isSet)
    }

    static func replicas(
      for name: @escaping @Sendable (RunConfiguration) -> String, isSet: @escaping @Sendable (RunConfiguration) -> Bool
    ) -> Self {
      Self(feature: .replicas, text: name, isSet: isSet)
    }
  }
}

extension ConfigurationKey.Need {
  static let board = game(.twentyFortyEight)

  static let dense = Self("network.dense.hidden, such as [32]", ofAnyGame: false) { $0.dense.isDense }

  static let coherence = Self("learner.step_size temporal-coherence") { $0.stepSize.rule == .temporalCoherence }

  static let stages = Self(
    "network.stages, such as largest=16384", game: .twentyFortyEight, known: ["network.stages", "stages.frozen"]
  ) { $0.network.stages.count > 1 }

  static let coherentStart = Self(
    "network.initial_model and learner.step_size temporal-coherence, in a network of patterns",
    game: .twentyFortyEight, known: ["network.initial_model", "learner.step_size", "network.dense.hidden"]
  ) { $0.initialModel != nil && $0.stepSize.rule == .temporalCoherence && !$0.dense.isDense }

  static let evaluations = Self("evaluation.every_games, such as 10k", known: ["evaluation.every_games"]) {
    $0.evaluation.everyGames > 0
  }

  static let interleaving = Self(
    "\(board.text) or network.dense.hidden", known: ["training.games_at_once"]
  ) { $0.game == board.game || $0.dense.isDense }

  static func starts(_ kinds: EpisodeStart.Kind...) -> Self {
    Self("episodes.start " + Spelling.list(kinds.map(\.rawValue)), game: .twentyFortyEight) {
      kinds.contains($0.start.kind)
    }
  }
}
