/// An optimizer as an object, which `DenseTraining` is generic over.
///
/// An optimizer cannot be copied, and before macOS 15 and iOS 18 no object can become an `any TrainingState` whose own
/// generic arguments cannot be copied.
///
/// Soundness of the missing lock: one learner has the only reference, and the lock of its pool guards the learner.
@usableFromInline
final class OptimizerObject<Own: Optimizer & ~Copyable>: Optimizer, @unchecked Sendable {
  private var own: Own

  init(_ own: consuming Own) { self.own = own }

  @usableFromInline var stepSize: Float {
    get { own.stepSize }
    set { own.stepSize = newValue }
  }

  @usableFromInline var steps: Int {
    get { own.steps }
    set { own.steps = newValue }
  }

  @usableFromInline var stateNames: [String] { own.stateNames }

  @usableFromInline func step(_ network: inout DenseNetwork, _ gradient: borrowing DenseGradient) {
    own.step(&network, gradient)
  }

  @usableFromInline func withState<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    try own.withState(number, body)
  }

  @usableFromInline
  func withMutableState<R>(_ number: Int, _ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    try own.withMutableState(number, body)
  }
}
