/// The keys of a run that somebody has set, each with its value. Keys that nobody has set have no value.
///
/// `RunConfiguration(_:)` computes a configuration from settings, and `RunConfiguration.settings` expresses a
/// configuration as settings.
package struct Settings: Hashable, Sendable {
  /// A value of the type that its key has, and the text that expresses it.
  package struct Value: Hashable, Sendable {
    let base: any Sendable
    let written: ConfigurationValue
    var yaml: String { written.yaml }

    package static func == (a: Self, b: Self) -> Bool { a.yaml == b.yaml }

    package func hash(into hasher: inout Hasher) { hasher.combine(yaml) }
  }

  /// The values by the paths of their keys, such as `learner.alpha`.
  package internal(set) var values: [String: Value] = [:]

  package init() {}

  /// The value of a key, if somebody has set it. A value can itself be `nil`, which differs from no value.
  package subscript<Value>(key: Key<Value>) -> Value? { value(of: key.path) }

  func value<Value>(of path: String) -> Value? {
    // No value must not become a value that is `nil`, as a cast of both together would have it.
    guard let value = values[path] else { return nil }
    return value.base as? Value
  }
}
