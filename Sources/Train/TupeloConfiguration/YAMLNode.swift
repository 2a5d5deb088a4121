internal import CYaml
internal import TupeloBase

/// A value of a YAML text with its place. A tree of nodes has all that the text says, also keys that occur twice.
struct YAMLNode: Sendable {
  let value: ConfigurationValue
  /// Line and column where the value begins, from 1. An alias is the value of its anchor, also in its place.
  let line: Int, column: Int
  /// The number of collections inside each other.
  fileprivate let height: Int
  /// The number of nodes in the tree. Each alias counts as the nodes that it stands for.
  fileprivate let size: Int
}

/// Reads a YAML text into a tree.
///
/// The text may be hostile. So collections inside each other are counted before they are read, because a thread may
/// have a small stack, and the nodes of aliases are counted, because a tree may be much larger than its text.
///
/// Soundness of the unsafe memory: the parser has a fixed address, because it refers to itself. It reads the text only
/// inside the closure that lends the text's bytes. It and each event are freed once.
@safe
struct YAMLReader {
  typealias Problem = ConfigurationError.Problem

  /// The value of the text; `nil` for a text without a value.
  private(set) var root: YAMLNode?
  /// Problems of tags that change the meaning of a value, such as `!!int` or `!!python/object`.
  private(set) var tags: [Problem] = []
  private let name: String
  private let text: String
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private var anchors: [String: YAMLNode] = [:]
  private var (depth, aliases, aliasSize) = (0, 0, 0)

  /// The most collections inside each other; a configuration needs three.
  private static let nestingLimit = 20
  private static let tooDeep = ConfigurationError.Reason.nestedTooDeeply(limit: nestingLimit)
  private static let aliasLimit = 32

  /// - Parameter name: the name of the text in problems
  /// - Throws: the problem of a text that cannot be read
  /// - Complexity: O(bytes)
  init(_ text: String, name: String) throws(Problem) {
    (self.text, self.name) = (text, name)
    defer { unsafe parser.deallocate() }
    precondition(unsafe yaml_parser_initialize(parser) == 1, "no memory is left")
    defer { unsafe yaml_parser_delete(parser) }
    try unsafe Array(text.utf8).withUnsafeBufferPointer { bytes throws(Problem) in
      unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      root = try next()
      // The document ends, and then the text, unless there is another document.
      if root != nil { for _ in 0..<2 { _ = try next() } }
    }
  }

  private enum Event {
    case node(YAMLNode)
    case start(isMapping: Bool, tag: String?, anchor: String?, place: yaml_mark_t)
    case end
  }

  /// The next node; `nil` at the end of a collection, of the document and of the text. It calls itself for each level,
  /// so that all that needs much of the stack is in `event`.
  private mutating func next() throws(Problem) -> YAMLNode? {
    switch try event() {
    case .node(let node): return node
    case .end: return nil
    case .start(let isMapping, let tag, let anchor, let place):
      guard depth < Self.nestingLimit else { throw problem(Self.tooDeep, at: place) }
      depth += 1
      defer { depth -= 1 }
      var nodes: [YAMLNode] = []
      while let node = try next() { nodes.append(node) }
      return collection(of: nodes, isMapping, tag, anchor, at: place)
    }
  }

  /// Reads up to the next node or the end of one.
  @inline(never)
  private mutating func event() throws(Problem) -> Event {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw unsafe problem(of: parser.pointee) }
    defer { unsafe yaml_event_delete(&event) }
    let place = unsafe event.start_mark
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: return try self.event()
    case YAML_DOCUMENT_START_EVENT:
      guard root == nil else {
        throw syntax("expected a single document in the stream, but found another document", at: place)
      }
      return try self.event()
    case YAML_ALIAS_EVENT:
      let anchor = unsafe String(cString: event.data.alias.anchor)
      guard let node = anchors[anchor] else { throw syntax("found undefined alias", at: place) }
      guard depth + node.height <= Self.nestingLimit else { throw problem(Self.tooDeep, at: place) }
      (aliases, aliasSize) = (aliases + 1, aliasSize + node.size)
      guard aliases <= Self.aliasLimit, aliasSize <= ConfigurationDocument.sizeLimit else {
        throw problem(.tooManyAliases, at: nil)
      }
      return .node(node)
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let text = unsafe String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      let value: ConfigurationValue =
        switch unsafe scalar.style {
        case YAML_PLAIN_SCALAR_STYLE: .plain(text)
        // A block has a line end at its end, which belongs to no value.
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE:
          .quoted(text.lastIndex { !$0.isNewline }.map { String(text[...$0]) } ?? text)
        default: .quoted(text)
        }
      let (tag, anchor) = unsafe (Self.text(scalar.tag), Self.text(scalar.anchor))
      return .node(node(value, of: [], height: 0, type: "str", tag, anchor, at: place))
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return unsafe .start(isMapping: false, tag: Self.text(start.tag), anchor: Self.text(start.anchor), place: place)
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return unsafe .start(isMapping: true, tag: Self.text(start.tag), anchor: Self.text(start.anchor), place: place)
    default: return .end
    }
  }

  private static func text(_ characters: UnsafeMutablePointer<UInt8>?) -> String? {
    unsafe characters.map { unsafe String(cString: $0) }
  }

  @inline(never)
  private mutating func collection(
    of nodes: [YAMLNode], _ isMapping: Bool, _ tag: String?, _ anchor: String?, at place: yaml_mark_t
  ) -> YAMLNode {
    let keys: [Int] = Array(stride(from: 0, to: isMapping ? nodes.count : 0, by: 2))
    let value: ConfigurationValue = isMapping ? .mapping(keys.map { (nodes[$0], nodes[$0 + 1]) }) : .list(nodes)
    let height = 1 + (nodes.map(\.height).max() ?? 0)
    return node(value, of: nodes, height: height, type: isMapping ? "map" : "seq", tag, anchor, at: place)
  }

  private mutating func node(
    _ value: ConfigurationValue, of nodes: [YAMLNode], height: Int, type: String, _ tag: String?, _ anchor: String?,
    at place: yaml_mark_t
  ) -> YAMLNode {
    if !["!", "tag:yaml.org,2002:\(type)"].contains(tag ?? "!"), tags.count < ConfigurationDocument.problemLimit {
      tags.append(problem(.tag, at: place))
    }
    let node = YAMLNode(
      value: value, line: Int(place.line) + 1, column: Int(place.column) + 1, height: height,
      size: nodes.reduce(1) { $0 + $1.size })
    // A later anchor of the same name counts.
    if let anchor { anchors[anchor] = node }
    return node
  }

  // MARK: Problems

  private func problem(_ reason: ConfigurationError.Reason, at place: yaml_mark_t?) -> Problem {
    let (line, column) = (place.map { Int($0.line) + 1 }, place.map { Int($0.column) + 1 })
    return Problem(source: .file(name, line: line, column: column), key: nil, reason: reason)
  }

  private func syntax(_ explained: String, at place: yaml_mark_t) -> Problem {
    // A tab at the start of a line is the most common mistake.
    let line = text.lines.dropFirst(Int(place.line)).first ?? ""
    let advice = line.prefix { $0.isWhitespace }.contains("\t") ? "; indent with spaces, not tabs" : ""
    return problem(.notYAML("\(explained) (column \(place.column + 1))\(advice)"), at: place)
  }

  /// The problem for which the parser gave up.
  private func problem(of parser: yaml_parser_t) -> Problem {
    let texts = unsafe [parser.context, parser.problem].compactMap { unsafe $0.map { unsafe String(cString: $0) } }
    let explained = texts.isEmpty ? "the parser gave up" : texts.joined(separator: ", ")
    guard unsafe parser.error == YAML_READER_ERROR else { return unsafe syntax(explained, at: parser.problem_mark) }
    let line = unsafe String(decoding: text.utf8.prefix(parser.problem_offset), as: UTF8.self).lines.count
    return Problem(source: .file(name, line: line, column: nil), key: nil, reason: .notYAML(explained))
  }
}
