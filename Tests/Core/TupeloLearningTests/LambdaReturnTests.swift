import TestSupport
import Testing
import TupeloLearning

/// Delayed targets compared with the sums of the textbook.
@Suite struct LambdaReturnTests {
  private struct Step {
    var value: Double
    /// The reward of the move that led to the state.
    var reward: Double
  }

  private static func episode(length: Int, seed: UInt64) -> [Step] {
    var positions = RandomPositions(seed: seed)
    return (0..<length).map { _ in
      Step(value: positions.number(in: -100...3000), reward: Double(positions.number(below: 500)))
    }
  }

  /// V(s_t) plus the sum of lambda^k delta_t+k over at most `steps` errors. The last state is followed by the end of
  /// the episode, whose value is 0.
  private static func target(_ t: Int, of episode: [Step], lambda: Double, steps: Int) -> Double {
    var target = episode[t].value
    for k in 0..<min(steps, episode.count - t) {
      let next = t + k + 1
      let following = next < episode.count ? episode[next].reward + episode[next].value : 0
      var weight = 1.0
      for _ in 0..<k { weight *= lambda }
      target += weight * (following - episode[t + k].value)
    }
    return target
  }

  @Test(arguments: [(0.0, 1), (0.5, 1), (0.5, 2), (0.5, 4), (0.9, 7), (1, 3), (1, 40)])
  func targetsAreSumsOfErrors(_ lambda: Double, _ steps: Int) {
    for length in [0, 1, 2, 3, 5, 30] {
      let episode = Self.episode(length: length, seed: UInt64(length))
      var pending = PendingStates(lambda: Float(lambda), steps: steps)
      var lessons: [Lesson] = []
      for (t, step) in episode.enumerated() {
        let due = pending.append(slot: t, value: Float(step.value), reward: Float(step.reward))
        #expect((due != nil) == (t >= steps))
        if let due { lessons.append(due) }
      }
      while let lesson = pending.removeFirst() { lessons.append(lesson) }
      #expect(lessons.map(\.slot) == Array(0..<length))
      for (t, lesson) in lessons.enumerated() {
        #expect(lesson.value == Float(episode[t].value))
        let expected = Self.target(t, of: episode, lambda: lambda, steps: steps)
        #expect(abs(Double(lesson.target) - expected) < 0.01, "state \(t) of \(length)")
      }
    }
  }

  /// Lambda 0 is TD(0) to the bit.
  @Test func lambdaZeroIsOneStep() {
    var pending = PendingStates(lambda: 0, steps: 1)
    #expect(pending.append(slot: 0, value: 0.1, reward: 4) == nil)
    #expect(pending.append(slot: 1, value: 1234.567, reward: 8)?.target == 8 + 1234.567 as Float)
    #expect(pending.removeFirst()?.target == 0)
    #expect(pending.removeFirst() == nil)
  }

  @Test func theWindowFollowsFromLambda() {
    let expected: [(Float, Int?)] = [
      (0, 1), (0.1, 1), (0.3, 2), (0.5, 4), (0.9, 22), (0.997, 767), (0.999, 1000), (0.999_999, 1000), (1, nil),
    ]
    for (lambda, steps) in expected { #expect(LambdaReturn.steps(for: lambda) == steps) }
  }
}
