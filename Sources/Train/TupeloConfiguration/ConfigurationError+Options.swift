extension ConfigurationError.Problem {
  /// The problem with the typed option of the program as its source, instead of the override that the option stands
  /// for.
  ///
  /// - Parameter name: gives the option for a key; `nil` if the key was set directly
  package func naming(option name: (String) -> String?) -> Self {
    guard case .override(let key) = source, let option = name(key) else { return self }
    return Self(source: .option(option), key: self.key, reason: reason)
  }
}

extension ConfigurationError {
  /// The problems with the typed options of the program as their sources; see `Problem.naming`.
  package func naming(option name: (String) -> String?) -> Self {
    Self(problems: problems.map { $0.naming(option: name) })
  }
}
