extension ConfigurationError.Problem {
  /// The problem with the option of the program that was typed, in place of the override that the option stands for.
  ///
  /// - Parameter name: gives the option for a key; `nil` where the key was set as itself
  package func naming(option name: (String) -> String?) -> Self {
    guard case .override(let key) = source, let option = name(key) else { return self }
    return Self(source: .option(option), key: self.key, reason: reason)
  }
}

extension ConfigurationError {
  /// The problems with the options of the program that were typed; see `Problem.naming`.
  package func naming(option name: (String) -> String?) -> Self {
    Self(problems: problems.map { $0.naming(option: name) })
  }
}
