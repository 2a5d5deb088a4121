internal import TupeloBase
internal import Yams

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
  private var seen: [String: ConfigurationError.Source] = [:]
  /// Whether `NumberedKeys` has changed the text, because it repeats a key.
  private var isNumbered = false

  static let sizeLimit = 1 << 20
  static let problemLimit = 100
  private static let aliasLimit = 32
  /// Collections inside each other; a configuration needs three.
  private static let nestingLimit = 20
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
    guard yaml.utf8.count <= Self.sizeLimit else { throw problem(.tooLarge(limit: Self.sizeLimit)) }
    let aliases = zip(yaml.utf8, yaml.utf8.dropFirst()).count { $0 == UInt8(ascii: "*") && NameText.isFit($1) }
    guard aliases <= Self.aliasLimit else { throw problem(.tooManyAliases) }
    // Some editors begin a file with a byte order mark.
    let text = yaml.hasPrefix("\u{feff}") ? String(yaml.unicodeScalars.dropFirst()) : yaml
    if let (line, column) = YAMLNesting.place(deeperThan: Self.nestingLimit, in: text) {
      throw problem(.nestedTooDeeply(limit: Self.nestingLimit), at: .file(name, line: line, column: column))
    }
    let root: Node?
    do {
      (root, isNumbered) = try Self.root(of: text)
    } catch {
      throw problem(of: error, in: yaml)
    }
    guard let root, !value(of: root).isNull else { return }
    guard let mapping = root.mapping else { throw problem(.notAMapping, at: source(root.mark)) }
    var count = 0
    try refuseTags(in: root, after: &count)
    collect(mapping, below: nil)
  }

  private func source(_ mark: Mark?) -> ConfigurationError.Source {
    .file(name, line: mark?.line, column: mark?.column)
  }

  private func problem(
    _ reason: ConfigurationError.Reason, key: String? = nil, at place: ConfigurationError.Source? = nil
  ) -> Problem {
    Problem(source: place ?? source(nil), key: key, reason: reason)
  }

  /// The content of a text. Without resolver rules, scalars stay texts. The parser refuses a text that repeats a key,
  /// without a word about other faults. The keys of such a text get numbers, so that repetitions are found here, with
  /// all other problems.
  private static func root(of text: String) throws -> (Node?, isNumbered: Bool) {
    func root(of text: String) throws -> Node? {
      try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    }
    do {
      return (try root(of: text), false)
    } catch let error as YamlError {
      guard case .duplicatedKeysInMapping = error, let numbered = NumberedKeys.text(from: text) else { throw error }
      do {
        return (try root(of: numbered), true)
      } catch {
        // A number stands where it is not allowed, such as in an alias.
      }
      throw error
    }
  }

  // MARK: Walking the document

  /// Reports a tag that changes the meaning of a value, such as `!!int` or `!!python/object`.
  ///
  /// - Parameter count: the number of visited nodes. Without aliases, a text has fewer nodes than bytes
  private mutating func refuseTags(in node: Node, after count: inout Int) throws(Problem) {
    count += 1
    guard count <= Self.sizeLimit else { throw problem(.tooManyAliases) }
    guard problems.count < Self.problemLimit else { return }
    let own: Tag.Name = node.mapping != nil ? .map : node.sequence != nil ? .seq : .str
    if ![own.rawValue, Tag.Name.implicit.rawValue].contains("\(node.tag)") {
      problems.append(problem(.tag, at: source(node.mark)))
    }
    let entries = (node.mapping ?? [:]).flatMap { [$0.key, $0.value] }
    for inner in Array(node.sequence ?? []) + entries { try refuseTags(in: inner, after: &count) }
  }

  private mutating func collect(_ mapping: Node.Mapping, below section: String?) {
    var lines: [String: Int?] = [:]
    for (node, content) in mapping {
      let place = source(node.mark)
      guard problems.count < Self.problemLimit else {
        if problems.last?.reason != .further { problems.append(problem(.further, at: place)) }
        return
      }
      switch node.scalar.map({ plain($0.string) }) {
      case nil: problems.append(problem(.keyNotText, key: section, at: place))
      case "<<": problems.append(problem(.mergeKey, key: section, at: place))
      case let name?:
        let path = section.map { "\($0).\(name)" } ?? name
        if let first = lines.updateValue(place.line, forKey: name), keys.sections.contains(path) {
          problems.append(problem(.repeated(firstLine: first), key: path, at: place))
        }
        collect(content, path: path, at: place)
      }
    }
  }

  private mutating func collect(_ content: Node, path: String, at place: ConfigurationError.Source) {
    let (value, isSection) = (value(of: content), keys.sections.contains(path))
    if let key = keys.named(path) {
      if let first = seen.updateValue(place, forKey: path) {
        problems.append(problem(.repeated(firstLine: first.line), key: path, at: place))
      } else {
        settings.append((key, value, place))
      }
    } else if let mapping = content.mapping, isSection || !mapping.isEmpty && !path.contains(".") {
      collect(mapping, below: path)
    } else if !(isSection && value.isNull || Self.idleKeys.contains(path) && value.isZero) {
      problems.append(problem(keys.reason(against: path), key: path, at: place))
    }
  }

  private func value(of node: Node) -> ConfigurationValue {
    switch node {
    case .scalar(let scalar) where scalar.style == .plain && scalar.string.isEmpty: .null
    case .scalar(let scalar) where scalar.style == .plain: ConfigurationValue(plain: plain(scalar.string))
    case .scalar(let scalar): .text(text(of: scalar))
    case .sequence(let sequence): .list(sequence.map { $0.scalar.map(text) })
    case .mapping: .mapping
    case .alias: .null
    }
  }

  /// The text of a scalar. A block, as after `>` or `|`, has a line end at its end, which belongs to no value.
  private func text(of scalar: Node.Scalar) -> String {
    let text = plain(scalar.string)
    guard [.literal, .folded].contains(scalar.style), let last = text.lastIndex(where: { !$0.isNewline })
    else { return text }
    return String(text[...last])
  }

  /// The text of a scalar as it was written.
  private func plain(_ text: String) -> String { isNumbered ? NumberedKeys.plain(text) : text }

  // MARK: Errors of Yams

  private func problem(of error: any Error, in yaml: String) -> Problem {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      let explained = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
      // A tab at the start of a line is the most common mistake.
      let line = yaml.lines.dropFirst(mark.line - 1).first ?? ""
      let advice = line.prefix { $0.isWhitespace }.contains("\t") ? "; indent with spaces, not tabs" : ""
      return self.problem(.notYAML("\(explained) (column \(mark.column))\(advice)"), at: source(mark))
    case YamlError.reader(let problem, let offset, _, _):
      let line = String(decoding: yaml.utf8.prefix(offset ?? 0), as: UTF8.self).lines.count
      return self.problem(.notYAML(problem), at: .file(name, line: line, column: nil))
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.sorted().joined(separator: ", ")
      return problem(.repeated(firstLine: nil), key: names, at: source(context.mark))
    case is YamlError: return problem(.notYAML("the parser gave up"))
    default: return problem(.notYAML("\(error)"))
    }
  }
}
