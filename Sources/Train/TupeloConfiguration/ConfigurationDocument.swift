internal import TupeloBase

/// Reads the settings of one YAML text, each with its source position.
///
/// Nested mappings and dotted keys have the same meaning: `learner: {alpha: 1}` and `learner.alpha: 1`. The text may be
/// hostile. So its size, its nesting, its aliases and the listed problems are limited, and time and memory are
/// proportional to its length.
struct ConfigurationDocument {
  typealias Problem = ConfigurationError.Problem
  typealias Setting = (key: ConfigurationKey, value: ConfigurationValue, source: ConfigurationError.Source)

  private(set) var settings: [Setting] = []
  private(set) var problems: [Problem] = []
  private let name: String
  private let keys: ConfigurationKeys
  /// The lines of the keys so far.
  private var seen: [String: Int] = [:]

  static let sizeLimit = 1 << 20
  static let problemLimit = 100
  /// Keys of features that ended before version 1.0.0. Models of 1.0.0 contain them with values that had no effect.
  private static let idleKeys: Set = [
    "averaging.pull", "learner.visit_bonus", "learner.visit_restarts", "states.bits",
  ]

  /// - Parameters:
  ///   - name: the name of the text in problems: a path
  ///   - keys: all existing settings
  /// - Throws: the problem of a text that cannot be read at all
  init(yaml: String, name: String, keys: ConfigurationKeys) throws(Problem) {
    (self.name, self.keys) = (name, keys)
    guard yaml.utf8.count <= Self.sizeLimit else {
      throw Problem(source: .file(name, line: nil, column: nil), key: nil, reason: .tooLarge(limit: Self.sizeLimit))
    }
    // Some editors begin a file with a byte order mark.
    let reader = try YAMLReader(yaml.hasPrefix("\u{feff}") ? String(yaml.unicodeScalars.dropFirst()) : yaml, name: name)
    guard let root = reader.root, !root.value.isNull else { return }
    guard case .mapping(let pairs) = root.value else {
      throw Problem(source: source(of: root), key: nil, reason: .notAMapping)
    }
    problems = reader.tags
    collect(pairs, below: nil)
  }

  private func source(of node: YAMLNode) -> ConfigurationError.Source {
    .file(name, line: node.line, column: node.column)
  }

  private mutating func add(_ reason: ConfigurationError.Reason, key: String?, at node: YAMLNode) {
    problems.append(Problem(source: source(of: node), key: key, reason: reason))
  }

  private mutating func collect(_ pairs: [(key: YAMLNode, value: YAMLNode)], below section: String?) {
    var lines: [String: Int] = [:]
    for (node, content) in pairs {
      guard problems.count < Self.problemLimit else {
        if problems.last?.reason != .further { add(.further, key: nil, at: node) }
        return
      }
      switch node.value.text {
      case nil: add(.keyNotText, key: section, at: node)
      case "<<": add(.mergeKey, key: section, at: node)
      case let name?:
        let path = section.map { "\($0).\(name)" } ?? name
        if let first = lines.updateValue(node.line, forKey: name), keys.sections.contains(path) {
          add(.repeated(firstLine: first), key: path, at: node)
        }
        collect(content.value, path: path, at: node)
      }
    }
  }

  private mutating func collect(_ value: ConfigurationValue, path: String, at node: YAMLNode) {
    let isSection = keys.sections.contains(path)
    if let key = keys.named(path) {
      if let first = seen.updateValue(node.line, forKey: path) {
        add(.repeated(firstLine: first), key: path, at: node)
      } else {
        settings.append((key, value, source(of: node)))
      }
    } else if case .mapping(let pairs) = value, isSection || !pairs.isEmpty && !path.contains(".") {
      collect(pairs, below: path)
    } else if !(isSection && value.isNull || Self.idleKeys.contains(path) && value.isZero) {
      add(keys.reason(against: path), key: path, at: node)
    }
  }
}
