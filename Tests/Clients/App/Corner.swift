import Tupelo

/// An evaluator of the app's own: large tiles are worth most in the upper left corner.
struct Corner: Evaluator {
  func value(of afterstate: Afterstate) -> Float {
    (0..<16).reduce(0) { $0 + Float(afterstate.exponent(at: $1) * (4 - $1 / 4) * (4 - $1 % 4)) }
  }
}

/// An evaluator that signals its first call, so that a search can be cancelled while it runs.
struct Announced<E: Evaluator>: Evaluator {
  let evaluator: E
  let begun: AsyncStream<Void>.Continuation

  func value(of afterstate: Afterstate) -> Float {
    begun.finish()
    return evaluator.value(of: afterstate)
  }
}
