internal import TupeloBase
internal import Yams

/// Reads the settings of one YAML text, each with its source position.
///
/// Nested mappings and dotted keys have the same meaning: `learner: {alpha: 1}` and `learner.alpha: 1`. The text may be
/// hostile. So its size, its aliases and the listed problems are limited, and time and memory are proportional to its
/// length.
struct ConfigurationDocument {
  struct Setting {
    let key: ConfigurationKey
    let value: ConfigurationValue
    let source: ConfigurationError.Source
  }

  private(set) var settings: [Setting] = []
  private(set) var problems: [ConfigurationError.Problem] = []
  /// Whether the text could be parsed.
  private(set) var isReadable = true

  private let name: String
  private let keys: ConfigurationKeys
  private var seen: [String: ConfigurationError.Source] = [:]

  static let sizeLimit = 1 << 20
  static let aliasLimit = 32
  static let problemLimit = 100

  /// - Parameters:
  ///   - name: the name of the text in problems: a path
  ///   - keys: all existing settings
  init(yaml: String, name: String, keys: ConfigurationKeys) {
    (self.name, self.keys) = (name, keys)
    // Some editors begin a file with a byte order mark.
    read(yaml.hasPrefix("\u{feff}") ? String(yaml.unicodeScalars.dropFirst()) : yaml)
  }

  private mutating func read(_ yaml: String) {
    guard yaml.utf8.count <= Self.sizeLimit else { return give(up: .tooLarge(limit: Self.sizeLimit)) }
    guard Self.aliasCount(in: yaml) <= Self.aliasLimit else { return give(up: .tooManyAliases(limit: Self.aliasLimit)) }
    do {
      // Without resolver rules, scalars stay texts.
      let root = try Parser(yaml: yaml, resolver: .basic, encoding: .utf8).singleRoot()
      if let root { refuseTags(in: root) }
      switch root.map({ value(of: $0) }) {
      case nil, .null: break
      case .mapping: collect(root?.mapping ?? [:], below: nil)
      case .text, .list: give(up: .notAMapping, at: source(root?.mark))
      }
    } catch let error as YamlError {
      give(up: error, in: yaml)
    } catch {
      give(up: .notYAML("\(error)"))
    }
  }

  /// An upper bound of the number of aliases in the text. Few aliases cannot expand to a large document.
  private static func aliasCount(in yaml: String) -> Int {
    zip(yaml.utf8, yaml.utf8.dropFirst()).count { star, next in
      star == UInt8(ascii: "*")
        && (next | 0x20 >= UInt8(ascii: "a") && next | 0x20 <= UInt8(ascii: "z")
          || next >= UInt8(ascii: "0") && next <= UInt8(ascii: "9") || next == UInt8(ascii: "_")
          || next == UInt8(ascii: "-"))
    }
  }

  private func source(_ mark: Mark?) -> ConfigurationError.Source {
    source(line: mark?.line, column: mark?.column)
  }

  private func source(line: Int?, column: Int? = nil) -> ConfigurationError.Source {
    .file(name, line: line, column: column)
  }

  private mutating func report(_ reason: ConfigurationError.Reason, key: String?, at source: ConfigurationError.Source)
  {
    problems.append(ConfigurationError.Problem(source: source, key: key, reason: reason))
  }

  private mutating func give(up reason: ConfigurationError.Reason, at place: ConfigurationError.Source? = nil) {
    isReadable = false
    report(reason, key: nil, at: place ?? source(line: nil))
  }
}

// MARK: Walking the document

extension ConfigurationDocument {
  private mutating func collect(_ mapping: Node.Mapping, below section: String?) {
    for (node, content) in mapping {
      guard problems.count < Self.problemLimit else {
        if problems.last?.reason != .further { report(.further, key: nil, at: source(node.mark)) }
        return
      }
      guard let name = node.scalar?.string else {
        report(.keyNotText, key: section, at: source(node.mark))
        continue
      }
      if name == "<<" {
        report(.mergeKey, key: section, at: source(node.mark))
        continue
      }
      collect(content, path: section.map { "\($0).\(name)" } ?? name, at: source(node.mark))
    }
  }

  /// Reports a tag that changes the meaning of a value, such as `!!int` or `!!python/object`.
  private mutating func refuseTags(in node: Node) {
    guard problems.count < Self.problemLimit else { return }
    let (tag, own, inner): (Tag, Tag.Name, [Node]) =
      switch node {
      case .scalar(let scalar): (scalar.tag, .str, [])
      case .sequence(let sequence): (sequence.tag, .seq, Array(sequence))
      case .mapping(let mapping): (mapping.tag, .map, mapping.flatMap { [$0.key, $0.value] })
      case .alias(let alias): (alias.tag, .implicit, [])
      }
    if ![own.rawValue, Tag.Name.implicit.rawValue].contains("\(tag)") { report(.tag, key: nil, at: source(node.mark)) }
    for node in inner { refuseTags(in: node) }
  }

  private mutating func collect(_ content: Node, path: String, at place: ConfigurationError.Source) {
    if let key = keys.named(path) {
      if let first = seen.updateValue(place, forKey: key.path) {
        return report(.repeated(firstLine: first.line), key: path, at: place)
      }
      settings.append(Setting(key: key, value: value(of: content), source: place))
    } else if let retired = RetiredKey.named(path) {
      if !RetiredKey.isIdle(value(of: content)) { report(retired.reason, key: path, at: place) }
    } else if keys.sections.contains(path) {
      switch value(of: content) {
      case .mapping: collect(content.mapping ?? [:], below: path)
      case .null: break
      case .text, .list: report(.section(example: keys.first(in: path)), key: path, at: place)
      }
    } else if let mapping = content.mapping, !mapping.isEmpty, !path.contains(".") {
      collect(mapping, below: path)
    } else {
      report(.unknownKey(nearest: keys.nearest(to: path)), key: path, at: place)
    }
  }

  private func value(of node: Node) -> ConfigurationValue {
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain
      return isPlain && (scalar.string.isEmpty || ConfigurationValue.nullWords.contains(scalar.string))
        ? .null : .text(Self.text(of: scalar))
    case .sequence(let sequence):
      return .list(
        sequence.map { ConfigurationValue.Item(text: $0.scalar.map(Self.text), source: source($0.mark)) })
    case .mapping: return .mapping
    case .alias: return .null
    }
  }

  /// The text of a scalar. A block, as after `>` or `|`, has a line end at its end, which belongs to no value.
  private static func text(of scalar: Node.Scalar) -> String {
    guard [.literal, .folded].contains(scalar.style), let last = scalar.string.lastIndex(where: { !$0.isNewline })
    else { return scalar.string }
    return String(scalar.string[...last])
  }
}

// MARK: Errors of Yams

extension ConfigurationDocument {
  private mutating func give(up error: YamlError, in yaml: String) {
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let explained = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
      let advice = Self.hasTabIndent(yaml, line: mark.line) ? "; indent with spaces, not tabs" : ""
      give(up: .notYAML("\(explained) (column \(mark.column))\(advice)"), at: source(mark))
    case .reader(let problem, let offset, _, _):
      let before = String(decoding: yaml.utf8.prefix(offset ?? 0), as: UTF8.self)
      give(up: .notYAML(problem), at: source(line: before.lines.count))
    case .duplicatedKeysInMapping(let duplicates, let context):
      isReadable = false
      let keys = BlockKeys(in: yaml, at: context.mark.line, column: context.mark.column)
      let section = section(of: context.mark, in: yaml)
      for key in duplicates.sorted().prefix(Self.problemLimit) {
        if let (first, second) = keys.firstTwo(key) {
          report(.repeated(firstLine: first), key: section + key, at: source(line: second))
        } else {
          report(.repeated(firstLine: nil), key: section + key, at: source(context.mark))
        }
      }
    default:
      give(up: .notYAML("the parser gave up"))
    }
  }

  /// The section whose content a mapping is, with a dot at its end; empty if none is found.
  ///
  /// - Parameter mark: where a key of the mapping begins
  private func section(of mark: Mark, in yaml: String) -> String {
    let lines = yaml.lines.prefix(mark.line)
    guard let own = lines.last else { return "" }
    let before = (lines.dropLast() + [own.prefix(mark.column - 1)]).joined(separator: "\n")
    var depth = 0
    for index in before.indices.reversed() {
      if before[index] == "}" { depth += 1 }
      guard before[index] == "{" else { continue }
      guard depth > 0 else { return name(atEndOf: before[..<index]) }
      depth -= 1
    }
    // Block style: the last line that is indented less.
    let outer = lines.dropLast().last { line in
      let rest = line.drop { $0 == " " }
      return !rest.isEmpty && rest.first != "#" && line.count - rest.count < mark.column - 1
    }
    return outer.map { name(atEndOf: $0.prefix { $0 != "#" }) } ?? ""
  }

  /// The section `name.` at the end of a text such as `name: `.
  private func name(atEndOf text: Substring) -> String {
    let rest = text.reversed().drop { $0.isWhitespace }
    guard rest.first == ":" else { return "" }
    let name = String(rest.dropFirst().prefix { $0.isLetter || $0 == "_" || $0 == "." }.reversed())
    return keys.sections.contains(name) ? name + "." : ""
  }

  /// Whether a line is indented with a tab, the most common mistake.
  private static func hasTabIndent(_ yaml: String, line: Int) -> Bool {
    let lines = yaml.lines
    return lines.indices.contains(line - 1) && lines[line - 1].prefix { $0.isWhitespace }.contains("\t")
  }
}
