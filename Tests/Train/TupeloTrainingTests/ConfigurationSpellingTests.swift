internal import Testing
internal import TupeloTraining

@Suite("Configuration: spelling")
struct ConfigurationSpellingTests {
  @Test(
    arguments: [
      ("learner.alpa", "learner.alpha"), ("leaner.alpha", "learner.alpha"), ("Learner.Alpha", "learner.alpha"),
      ("alpha", "learner.alpha"), ("alpah", "learner.alpha"), ("games", "training.games"),
      ("training.alpha", "learner.alpha"),
      ("sead", "seed"), ("learner.step-size", "learner.step_size"), ("learner.step.size", "learner.step_size"),
      ("evaluation.thread", "evaluation.threads"), ("evalation.thread", "evaluation.threads"),
      ("rules.four_propability", "rules.four_probability"),
      ("network.pattern", "network.patterns"), ("output.dir", "output.directory"),
      ("batch_size", "learner.batch"), ("x", nil), ("", nil),
    ] as [(String, String?)])
  func nearestKeys(text: String, expected: String?) {
    #expect(testKeys.nearest(to: text) == expected)
  }

  @Test func longTextsHaveNoNearestKey() {
    #expect(testKeys.nearest(to: String(repeating: "a", count: 100_000)) == nil)
  }
}
