/// A number of a comparison, by the name that it has in JSON, in CSV and in Python; `nil` where it is not known.
package typealias Fact = (name: String, value: Double?)

extension RunSample {
  /// The mean, the interquartile mean and their intervals, in the order of the table.
  package var facts: [Fact] {
    let interval = interquartileInterval()
    return [
      ("score_mean", mean.mean), ("score_margin_95", known(mean.margin)), ("score_sd", known(mean.deviation)),
      ("iqm", interquartileMean), ("iqm_low_95", interval?.lowerBound), ("iqm_high_95", interval?.upperBound),
    ]
  }
}

extension RunSampleDifference {
  /// The difference of the means, the probability of improvement and their intervals, in the order of the table.
  package var facts: [Fact] {
    let interval = probabilityInterval()
    return [
      ("difference", mean.mean), ("difference_margin_95", known(mean.margin)),
      ("smallest_difference", known(mean.smallest)), ("probability_of_improvement", probability),
      ("probability_low_95", interval?.lowerBound), ("probability_high_95", interval?.upperBound),
    ]
  }
}

/// A number; `nil` where it is infinite, because a sample has a single run.
private func known(_ number: Double) -> Double? { number.isFinite ? number : nil }
