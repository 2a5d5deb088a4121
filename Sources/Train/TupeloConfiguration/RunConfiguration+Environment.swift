extension RunConfiguration {
  /// The environment variables that `load` uses, with their values: the variables that are not empty and name a
  /// key which no override sets.
  ///
  /// - Parameters:
  ///   - environment: the environment variables
  ///   - overrides: `key=value`, as for `load`
  ///   - all: all existing keys
  package static func variables(
    in environment: [String: String], overrides: [String], of all: ConfigurationKeys
  ) -> [String: String] {
    let keys = overrides.compactMap { text in
      all.named(String(text.prefix { $0 != "=" }.filter { !$0.isWhitespace }))
    }
    let overridden = Set(keys.map(\.path) + keys.compactMap(\.alternative))
    return all.rows.filter { !overridden.contains($0.path) }
      .reduce(into: [:]) { $0[$1.variable] = environment[$1.variable].flatMap { $0.isEmpty ? nil : $0 } }
  }
}
