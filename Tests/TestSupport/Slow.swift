internal import Foundation
public import Testing

private let runsEverything = ProcessInfo.processInfo.environment["TUPELO_TESTS"] == "all"

extension Trait where Self == ConditionTrait {
  /// Leaves a test or a suite out of the quick tier: it takes more than about a second.
  ///
  /// The README's command runs the quick tier. `TUPELO_TESTS=all` in the environment adds the slow tests, and `.ci/run`
  /// sets it: `TUPELO_TESTS=all swift test -c release --disable-testable-imports --no-parallel`.
  public static var slow: Self { .enabled(if: runsEverything, "slow: TUPELO_TESTS=all runs it") }
}
