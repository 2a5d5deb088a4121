internal import TupeloEngine
public import TupeloModels
internal import TupeloNetwork

extension RunConfiguration {
  /// The configuration as YAML: every setting with its value, in the order of the reference. It reads back as an equal
  /// configuration.
  ///
  /// The network is given by its patterns, with the name of its layout as a comment.
  public var yaml: String { yaml { _ in true } }

  /// The settings of some keys as YAML.
  func yaml(_ isIncluded: (ConfigurationKey) -> Bool) -> String {
    var lines: [String] = []
    var section: String?
    for key in keys.rows where isIncluded(key) {
      guard let value = key.write(self) else { continue }
      let own = ConfigurationKey.section(of: key.path)
      if let own, own != section { lines.append("\(own):") }
      section = own
      let line = "\(own == nil ? "" : "  ")\(ConfigurationKey.leaf(of: key.path)): \(value)"
      lines.append(key.path == "network.patterns" ? line + layoutComment : line)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Every setting that affects training, with its path and its YAML text: all settings but the name, the evaluation
  /// and the files.
  package var trainingSettings: [(name: String, value: String)] {
    keys.rows.filter { $0.atResume != .beside }.compactMap { key in key.write(self).map { (key.path, $0) }
    }
  }

  private var layoutComment: String { layoutName.map { "  # the patterns of \($0)" } ?? "" }

  /// The name of the layout with the network's patterns, such as 4x6; `nil` for other patterns and boards.
  package var layoutName: String? {
    guard rules.shape == .standard else { return nil }
    let text = network.patterns.map(\.text).joined(separator: " ")
    return NamedLayout.all.first { $0.patterns == text }?.name
  }

  /// The reference of all keys: the meaning, the allowed values and the default of each.
  public static var reference: String { reference(of: "") }

  /// The reference of one key or section, such as `learner`, or else of all keys that contain `word`, such as `lambda`;
  /// empty if there is no such key.
  ///
  /// - Parameter catalogue: the games whose keys it has
  public static func reference(of word: String, in catalogue: GameCatalogue = .standard) -> String {
    let rows = ConfigurationKeys(catalogue).rows
    let named = rows.filter { $0.path == word || $0.path.hasPrefix(word + ".") }
    return (named.isEmpty ? rows.filter { word.isEmpty || $0.path.contains(word) } : named).map { key in
      """
      \(key.path)
          \(key.summary.replacing("\n", with: "\n    "))
          Takes \(key.expected).
          Default: \(key.standard).
      """
    }.joined(separator: "\n\n")
  }
}
