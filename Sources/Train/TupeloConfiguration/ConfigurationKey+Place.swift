extension ConfigurationKey {
  /// Where the key applies, in words; `nil` for a key that always applies.
  package var place: String? { need.map { "with \($0.text)" } }
}
