internal import CYaml

/// Finds collections of a YAML text that are nested too deeply, before they are read: the reader of Yams calls itself
/// for each level, and the stack of a thread may be small.
///
/// Soundness of the unsafe memory: the parser has a fixed address, because it refers to itself. It reads the text only
/// inside the closure that lends the text's bytes. It and each event are freed once.
enum YAMLNesting {
  /// The line and column, from 1, of the first collection inside at least `limit` others, also by an alias; `nil` if
  /// there is none up to the text's end or its first error.
  ///
  /// - Complexity: O(bytes), without recursion
  static func place(deeperThan limit: Int, in text: String) -> (line: Int, column: Int)? {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { unsafe parser.deallocate() }
    guard unsafe yaml_parser_initialize(parser) == 1 else { return nil }
    defer { unsafe yaml_parser_delete(parser) }
    var text = text
    return text.withUTF8 { bytes in
      unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      var levels = Levels()
      while true {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { return nil }
        defer { unsafe yaml_event_delete(&event) }
        guard unsafe event.type != YAML_STREAM_END_EVENT else { return nil }
        unsafe levels.add(event)
        if levels.deepest > limit {
          return unsafe (Int(event.start_mark.line) + 1, Int(event.start_mark.column) + 1)
        }
      }
    }
  }

  /// The levels of the collections so far.
  private struct Levels {
    /// The open collections, each with its anchor and the levels inside it so far.
    private var open: [(anchor: String?, height: Int)] = []
    /// The levels of the collections that have an anchor.
    private var heights: [String: Int] = [:]
    /// The number of levels down to the last event.
    private(set) var deepest = 0

    mutating func add(_ event: yaml_event_t) {
      switch unsafe event.type {
      case YAML_SEQUENCE_START_EVENT: begin(unsafe Self.name(event.data.sequence_start.anchor))
      case YAML_MAPPING_START_EVENT: begin(unsafe Self.name(event.data.mapping_start.anchor))
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: end()
      case YAML_ALIAS_EVENT: hold(unsafe Self.name(event.data.alias.anchor).flatMap { heights[$0] } ?? 0)
      case YAML_SCALAR_EVENT:
        // A later anchor of the same name counts.
        if let name = unsafe Self.name(event.data.scalar.anchor) { heights[name] = 0 }
      default: break
      }
    }

    private mutating func begin(_ anchor: String?) {
      open.append((anchor, 1))
      deepest = open.count
    }

    private mutating func end() {
      guard let (anchor, height) = open.popLast() else { return }
      if let anchor { heights[anchor] = height }
      hold(height)
    }

    /// Notes that the innermost open collection holds something with a number of levels.
    private mutating func hold(_ height: Int) {
      deepest = open.count + height
      if let last = open.indices.last { open[last].height = max(open[last].height, height + 1) }
    }

    private static func name(_ anchor: UnsafeMutablePointer<UInt8>?) -> String? {
      unsafe anchor.map { unsafe String(cString: $0) }
    }
  }
}
