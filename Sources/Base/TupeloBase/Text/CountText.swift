/// Writes a number with its noun, singular or plural.
package enum CountText {
  /// A number with its noun: `1 game`, `2 games`, `0 games`. The plural ends in s.
  package static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)" + ending(count) }

  /// The ending of a noun after a number: nothing for 1, otherwise s.
  package static func ending(_ count: Int) -> String { count == 1 ? "" : "s" }
}
