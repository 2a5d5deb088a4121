/// The loss that a network minimises: the mean over the batch of w_i l(V_i - y_i), for targets y and weights w.
public enum RegressionLoss: Hashable, Sendable {
  /// l(e) = e^2 / 2
  case squared
  /// l(e) = e^2 / 2 up to |e| = threshold, and threshold (|e| - threshold / 2) beyond (Huber 1964). The threshold is
  /// above 0, in the unit of the targets.
  case huber(threshold: Float)

  /// l(e), and its derivative.
  func loss(of error: Float) -> (value: Float, derivative: Float) {
    switch self {
    case .squared: return (error * error / 2, error)
    case .huber(let threshold):
      let size = abs(error)
      if size <= threshold { return (error * error / 2, error) }
      // A NaN takes this branch and stays NaN.
      return (threshold * (size - threshold / 2), error > 0 ? threshold : error < 0 ? -threshold : error)
    }
  }
}

extension DenseWorkspace {
  /// Sets `outputGradients` to dL/dV of the last forward pass.
  ///
  /// - Parameters:
  ///   - loss: l
  ///   - targets: y, one per sample, in the unit of the values
  ///   - weights: w, one per sample; empty for 1
  /// - Returns: L
  /// - Precondition: there are at least as many targets as samples. Weights are as many as samples, or empty.
  @discardableResult
  public mutating func differentiate(_ loss: RegressionLoss, targets: Span<Float>, weights: Span<Float>) -> Double {
    precondition(targets.count >= count && (weights.isEmpty || weights.count >= count))
    var sum = 0.0
    for sample in 0..<count {
      let share = (weights.isEmpty ? 1 : weights[sample]) / Float(count)
      let (value, derivative) = loss.loss(of: values[sample] - targets[sample])
      outputGradients[sample] = share * derivative
      sum += Double(share * value)
    }
    return sum
  }

  /// Sets `outputGradients` to dL/dV of the last forward pass, with all weights 1.
  @discardableResult
  public mutating func differentiate(_ loss: RegressionLoss, targets: Span<Float>) -> Double {
    differentiate(loss, targets: targets, weights: Span())
  }
}
