/// Changes the parameters of a network along a gradient.
///
/// The rows of an embedding are sparse: a step changes only the rows that occur in the gradient, and only their state.
/// For such a row, steps whose gradient does not contain it do not count in the optimizer's equations. So the time of a
/// step depends on the rows of the batch, not on the size of the table.
public protocol Optimizer: ~Copyable, Sendable {
  /// The step size (learning rate), above 0. It may change between steps.
  var stepSize: Float { get set }

  /// The number of steps made. A checkpoint keeps it with the state.
  var steps: Int { get set }

  /// The names of the state's arrays, for files. Their order is fixed.
  var stateNames: [String] { get }

  /// Makes a step. The gradient does not change.
  ///
  /// - Precondition: the network and the gradient have the specification that the optimizer was made for.
  mutating func step(_ network: inout DenseNetwork, _ gradient: borrowing DenseGradient)

  /// Calls `body` with an array of the state, by its number in `stateNames`.
  func withState<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R

  /// Calls `body` with mutable access to an array of the state.
  mutating func withMutableState<R>(_ number: Int, _ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R
}
