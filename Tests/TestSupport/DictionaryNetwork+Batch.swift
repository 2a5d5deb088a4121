extension DictionaryNetwork {
  /// Makes a batch of updates the slow way: all errors come from the weights before the batch; then, state by state,
  /// each weight takes its step divided by the number of states that have it. The rule is `TemporalCoherence` where
  /// `coherent`, else `ConstantStepSize`.
  ///
  /// - Returns: the errors.
  @discardableResult
  public mutating func learnBatch(
    _ lessons: [(matrix: [[Int]], target: Double)], alpha: Double, coherent: Bool
  ) -> [Double] {
    let errors = lessons.map { $0.target - value(of: $0.matrix) }
    var states: [Feature: Int] = [:]
    for lesson in lessons {
      for feature in Set(features(of: lesson.matrix)) { states[feature, default: 0] += 1 }
    }
    for (lesson, error) in zip(lessons, errors) {
      let features = features(of: lesson.matrix)
      for feature in features {
        var step = alpha * error / Double(features.count) / Double(states[feature]!)
        if coherent {
          let (sum, absolute) = (errorSums[feature, default: 0], absoluteErrorSums[feature, default: 0])
          step *= absolute == 0 ? 1 : abs(sum) / absolute
          errorSums[feature] = sum + error
          absoluteErrorSums[feature] = absolute + abs(error)
        }
        weights[feature, default: 0] += step
      }
    }
    return errors
  }
}
