import TupeloTraining

/// Temporal coherence of the package, copied under another name.
struct CopiedCoherence: StepSizeRule {
  var alpha: Float = 1
  var isWarmUp = false
  static var sumsErrors: Bool { true }
  static var warmsUp: Bool { true }
  static var updatesFour: Bool { true }

  mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) { (self.alpha, self.isWarmUp) = (alpha, isWarmUp) }

  func rate(_ cell: inout CoherenceCell, taking error: Float) -> Float {
    guard !isWarmUp else { return 1 }
    let absolute = cell.absoluteErrorSum
    let rate = absolute > 0 ? abs(cell.errorSum) / absolute : 1
    cell.errorSum += error
    cell.absoluteErrorSum += abs(error)
    return rate
  }

  func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    cell.weight += alpha * share * rate(&cell, taking: error) * error
  }

  func steps(_ sums: inout FourCoherenceSums, error: Float, share: Float) -> SIMD4<Float> {
    guard !isWarmUp else { return SIMD4(repeating: alpha * share * error) }
    let absolute = sums.absoluteErrorSum
    let rates = SIMD4(repeating: 1).replacing(with: sums.errorSumMagnitude / absolute, where: absolute .> 0)
    sums.add(error: error)
    return alpha * share * rates * error
  }
}

/// The same equation for one weight only, as a newcomer writes it.
struct PlainCoherence: StepSizeRule {
  var alpha: Float = 1
  static var sumsErrors: Bool { true }

  func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    let absolute = cell.absoluteErrorSum
    let rate = absolute > 0 ? abs(cell.errorSum) / absolute : 1
    cell.errorSum += error
    cell.absoluteErrorSum += abs(error)
    cell.weight += alpha * share * rate * error
  }
}
