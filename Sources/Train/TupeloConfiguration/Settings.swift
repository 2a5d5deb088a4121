/// The keys of a run that somebody has set, each with its value. Keys that nobody has set have no value.
///
/// `RunConfiguration(_:)` computes a configuration from settings, and `RunConfiguration.settings` expresses a
/// configuration as settings. The row of a key knows the type of its values.
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

  /// The value of a key, if somebody has set it. A value can itself be `nil`, which differs from no value.
  ///
  /// - Precondition: `Value` is the type of the key's row.
  subscript<Value>(path: String) -> Value? {
    guard let value = values[path] else { return nil }
    guard let base = value.base as? Value else {
      preconditionFailure("\(path) is \(type(of: value.base)), not \(Value.self)")
    }
    return base
  }
}
