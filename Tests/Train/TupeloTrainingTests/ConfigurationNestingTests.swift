import Foundation
import TestSupport
import Testing
import TupeloTraining

/// Texts whose collections are nested deeply end in one line, also on a thread with a small stack.
@Suite("Configuration: nesting")
struct ConfigurationNestingTests {
  private static func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// The lines of the error, on a thread with the least stack that platforms give to threads.
  private static func problems(_ yaml: String) async -> [String] {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: configurationProblems(yaml: yaml)) }
      thread.stackSize = 256 << 10
      thread.start()
    }
  }

  private static func line(_ number: Int) -> String {
    "x.yaml:\(number): nested more than 20 levels deep: write keys such as learner.alpha: 0.5"
  }

  @Test(
    arguments: [
      (many("[", 990) + many("]", 990), 1), ("learner: " + many("[", 990) + many("]", 990), 1),
      (many("{a: ", 900) + many("}", 900), 1), (many("? ", 900) + "a", 1), (many("- ", 900) + "a", 1),
      ((0..<900).map { many(" ", $0) + "a:\n" }.joined(), 21), ("a: \"[\"\nb: " + many("[", 20) + many("]", 20), 2),
      ("a: &a " + many("[", 15) + many("]", 15) + "\nb: [[[[*a]]]]\nc: [[[[[*a]]]]]", 3),
      // Each level is an alias of the level before.
      ("a0: &a0 [x]\n" + (1...30).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined(), 20),
    ] as [(String, Int)])
  func deepTextsAreRefused(yaml: String, line: Int) async {
    #expect(await Self.problems(yaml) == [Self.line(line)])
  }

  /// Twenty levels are read, with brackets in texts, comments and closed collections beside them.
  @Test func whatIsAllowedIsRead() async {
    let deep = "learner.alpha: \(Self.many("[", 19))\(Self.many("]", 19))"
    #expect(await Self.problems(deep).allSatisfy { $0.contains("learner.alpha") })
    let brackets = "name: a # \(Self.many("[", 99))\noutput.on_checkpoint: '\(Self.many("{[", 99))'\n"
    #expect(await Self.problems(brackets) == [])
    let wide = "learner.alpha_schedule: [\((1...500).map { "\($0)=0.5" }.joined(separator: ", "))]\n"
    #expect(await Self.problems(wide + "network.patterns: [\(Self.many("0123, ", 30))]") == [])
  }
}
