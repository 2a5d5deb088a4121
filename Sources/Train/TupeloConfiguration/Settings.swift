/// What was said about a run: the value of each key that somebody has given, and no value for all other keys.
///
/// `RunConfiguration(_:)` computes what follows from them, and `RunConfiguration.settings` says a configuration in this
/// form. The row of a key knows the type of its values.
package struct Settings: Hashable, Sendable {
  /// A value of the type that the key's row names.
  package struct Value: Hashable, Sendable {
    let base: any Hashable & Sendable

    package static func == (a: Self, b: Self) -> Bool { AnyHashable(a.base) == AnyHashable(b.base) }

    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
  }

  /// The values by the paths of their keys, such as `learner.alpha`.
  package internal(set) var values: [String: Value] = [:]

  package init() {}

  /// The value of a key, if it was said. A value can itself be `nil`, which differs from no value.
  subscript<Value>(path: String) -> Value? {
    guard let value = values[path] else { return nil }
    return value.base as? Value
  }
}
