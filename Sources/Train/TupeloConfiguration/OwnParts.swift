internal import TupeloBase

/// The parts of a run that a program outside of this package defines, and their settings. They are the keys of section
/// `own` in a configuration: `own.rule` is the name of a step-size rule, and `own.window` a setting that only this rule
/// knows. Every command shows these keys. Only the program that defines the parts trains with them.
public struct OwnParts: Hashable, Sendable {
  /// The texts by the names of the keys in section `own`.
  public private(set) var texts: [String: String] = [:]
  /// The settings that the program has read.
  private var read: Read = []

  /// - Parameters game, encoder, rule, learner: the names of the parts; `nil` for a part of this package
  public init(game: String? = nil, encoder: String? = nil, rule: String? = nil, learner: String? = nil) {
    (self.game, self.encoder, self.rule, self.learner) = (game, encoder, rule, learner)
  }

  public var game: String? {
    get { self["game"] }
    set { self["game"] = newValue }
  }
  public var encoder: String? {
    get { self["encoder"] }
    set { self["encoder"] = newValue }
  }
  public var rule: String? {
    get { self["rule"] }
    set { self["rule"] = newValue }
  }
  public var learner: String? {
    get { self["learner"] }
    set { self["learner"] = newValue }
  }

  /// The text of key `own.NAME`; `nil` if it is not set.
  public subscript(name: String) -> String? {
    get { texts[name] }
    set { texts[name] = newValue }
  }

  public var isEmpty: Bool { texts.isEmpty }

  /// The value of a setting. If nobody has set it, it is set to its default, so that the run's files have it.
  ///
  /// - Parameters:
  ///   - name: at most 40 lower-case letters, digits and `_`, such as `window` for key `own.window`; the first is a
  ///     letter
  ///   - default: the value that it has otherwise
  /// - Throws: `ConfigurationError` for a text that is not such a value, and for a name that a key cannot have or that
  ///   a part of the run has, such as `rule`.
  public mutating func value<Value: LosslessStringConvertible>(
    _ name: String, default: Value
  ) throws(ConfigurationError) -> Value {
    if let reason = Self.refusal(ofName: name) { throw Self.error(name, .contradiction(reason)) }
    read.insert(name)
    guard let text = self[name] else {
      self[name] = "\(`default`)"
      return `default`
    }
    guard let value = Value(text) else {
      let kind = "a value of type \(Value.self), such as \(`default`)"
      throw Self.error(name, .refused(.notAllowed(text), expected: kind))
    }
    return value
  }

  private static func error(_ name: String, _ reason: ConfigurationError.Reason) -> ConfigurationError {
    ConfigurationError(problems: [.init(source: .program, key: "own.\(name)", reason: reason)])
  }

  /// Why a setting cannot have a name; `nil` if it can.
  private static func refusal(ofName name: String) -> String? {
    if parts.contains(name) { return "names a part of the run: give the program's setting another name" }
    guard !isName(name) else { return nil }
    return "not a name for a setting: in the program, use up to 40 lower-case letters, digits and _, such as max_error"
  }

  /// Whether these are the parts of another run. The settings may differ.
  package func hasParts(of other: OwnParts) -> Bool { Self.parts.allSatisfy { self[$0] == other[$0] } }

  /// The parts in words, such as "the rule Autostep and the learner Replay", and else the first setting.
  package var text: String {
    let named = ["game", "encoder", "rule", "learner"].compactMap { kind in
      self[kind].map { "the \(kind) \(Spelling.printable($0, limit: 40))" }
    }
    return named.isEmpty ? "the setting own.\(texts.keys.min() ?? "")" : named.joined(separator: " and ")
  }

  /// The first setting that the program has not read.
  package var unread: String? {
    texts.keys.filter { !Self.parts.contains($0) && !read.names.contains($0) }.min()
  }

  private static let parts: Set = ["game", "encoder", "rule", "learner"]

  /// Whether a key `own.NAME` is possible.
  static func isName(_ name: String) -> Bool {
    name.utf8.count <= 40 && name.first?.isLetter == true
      && name.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".utf8.contains($0) }
  }

  /// Names that make no difference between two values.
  private struct Read: Hashable, ExpressibleByArrayLiteral {
    var names: Set<String> = []

    init(arrayLiteral elements: String...) { names = Set(elements) }

    mutating func insert(_ name: String) { names.insert(name) }

    static func == (a: Self, b: Self) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }
}

extension RunConfiguration {
  /// The text of a key of section `own`.
  subscript(own name: String) -> String? {
    get { own[name] }
    set { own[name] = newValue }
  }
}

extension ConfigurationKey {
  static let ownSection = "own"

  /// Whether it is a key of section `own`.
  package var isOwn: Bool { Self.section(of: path) == Self.ownSection }

  /// The key with a path of section `own`; `nil` for another path. Any name is a key there.
  static func own(path: String) -> ConfigurationKey? {
    guard section(of: path) == ownSection, OwnParts.isName(leaf(of: path)) else { return nil }
    return Key<String?>(
      path, \.[own: leaf(of: path)], .word, .learning, when: .changed,
      "A part of the run, or a setting of it, that the program defines which trains the run.")
  }
}
