internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
public import TupeloModels
internal import TupeloNetwork
internal import TupeloSelfPlay

extension RunConfiguration {
  /// The configuration as YAML: every setting with its value, in the order of the reference. It reads back as an equal
  /// configuration; only `training.gamesAtOnce` becomes `nil` where it is the number that suits the network.
  ///
  /// The network is given by its patterns, with the name of its layout as a comment. Settings that have no effect with
  /// the parts of `own` are left out, and these parts, too.
  public var yaml: String { yaml { _ in true } }

  /// The settings that do not depend on the machine, in the form of `yaml`.
  package var yamlOfAnyMachine: String { yaml { $0.path != "evaluation.threads" } }

  /// The settings that have an effect with the parts of `own`.
  package var applyingKeys: [ConfigurationKey] {
    guard own.game == nil else { return keys.all.filter(\.isOfAnyGame) }
    // A board of another shape is readable only with a network for it.
    guard own.encoder != nil, network.shape == .standard else { return keys.all }
    return keys.all.filter { !$0.path.hasPrefix("network.") }
  }

  /// The settings of some keys as YAML.
  private func yaml(_ isIncluded: (ConfigurationKey) -> Bool) -> String {
    var lines: [String] = []
    var section: String?
    for key in applyingKeys where isIncluded(key) {
      guard let value = key.write(self) else { continue }
      let own = ConfigurationKey.section(of: key.path)
      if let own, own != section { lines.append("\(own):") }
      section = own
      let comment = key.path == "network.patterns" ? layoutName.map { "  # the patterns of \($0)" } : nil
      lines.append("\(own == nil ? "" : "  ")\(ConfigurationKey.leaf(of: key.path)): \(value)\(comment ?? "")")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The first setting that differs from its default and does not apply to a game that is not in the catalogue. It may
  /// be a setting without effect, such as a width of dense networks without a dense network.
  package var settingOfAnotherGame: String? {
    keys.all.first { !$0.isOfAnyGame && $0.isChanged(self) }?.path
  }

  /// Every setting that affects training, with its path and its YAML text: all settings but the name, the evaluation
  /// and the files.
  package var trainingSettings: [(name: String, value: String)] {
    keys.all.filter { $0.atResume != .beside }.compactMap { key in key.write(self).map { (key.path, $0) } }
  }

  /// The name of the layout with the network's patterns, such as 4x6; `nil` for other patterns and boards.
  package var layoutName: String? {
    guard rules.shape == .standard else { return nil }
    let text = network.patterns.map(\.text).joined(separator: " ")
    return NamedLayout.all.first { $0.patterns == text }?.name
  }

  /// The reference of all keys: the meaning, the allowed values and the default of each.
  public static var reference: String { reference(of: "") }

  /// The reference of one key or section, such as `learner`, or else of all keys that contain `word`, such as `lambda`,
  /// or else of the key for a word of other programs, such as `epsilon`; empty if there is no such key.
  ///
  /// - Parameter catalogue: the games whose keys it has
  public static func reference(of word: String, in catalogue: GameCatalogue = .standard) -> String {
    let keys = ConfigurationKeys(catalogue).all
    let choices: [(ConfigurationKey) -> Bool] = [
      { $0.path == word || $0.path.hasPrefix(word + ".") }, { word.isEmpty || $0.path.contains(word) },
      { $0.path == OtherWords.key(for: word) },
    ]
    let found = choices.lazy.map { keys.filter($0) }.first { !$0.isEmpty } ?? []
    return found.map { key in
      """
      \(key.path)
          \(key.summary.replacing("\n", with: "\n    "))
          Takes \(key.expected).\(key.need.map { "\n    Only \($0)." } ?? "")
          Default: \(key.standard).
      """
    }.joined(separator: "\n\n")
  }

  /// A description of the learner, such as `temporal-coherence, alpha 1.0, lambda 0.5 over 4 steps`, with the step size
  /// that is in force after `games` games of a run. During the warm-up it describes plain TD, and also names the
  /// learner after the warm-up.
  public func learnerText(after games: Int) -> String {
    let step = schedule.stepSize(after: games, alpha: stepSize.alpha)
    let isWarmUp = games > 0 && step.isWarmUp
    let alpha = games == 0 || isWarmUp ? stepSize.alpha : step.alpha
    var parts = ["\(ruleName), alpha \(alpha)"]
    if let learner = own.learner { parts.append("learner \(learner)") }
    if dense.isDense { parts.append("batches of \(batch)") }
    // One step gives TD(0) for any lambda.
    if returns.steps != 1 {
      let reach = returns.steps.map { CountText.text($0, "step") } ?? "the episode"
      parts.append("lambda \(returns.lambda) over \(reach)")
    }
    if schedule.warmUpGames > games {
      let rest = NumberText.counted(schedule.warmUpGames - games, "game")
      parts.append(isWarmUp ? "after \(rest) more of TD, alpha \(step.alpha)" : "after \(rest) of TD")
    }
    if start != .fresh { parts.append("\(start.kind.rawValue) starts") }
    return parts.joined(separator: ", ")
  }
}
