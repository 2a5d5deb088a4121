internal import Foundation
public import Testing

private let runsEverything = ProcessInfo.processInfo.environment["TUPELO_TESTS"] == "all"

extension Trait where Self == ConditionTrait {
  /// Leaves a test or a suite out of the quick tier: it takes more than about a second.
  ///
  /// The README's command, `.ci/test`, runs the quick tier. `TUPELO_TESTS=all` in the environment, which
  /// `.ci/test --all` sets, adds the slow tests.
  public static var slow: Self { .enabled(if: runsEverything, "slow: TUPELO_TESTS=all runs it") }
}
