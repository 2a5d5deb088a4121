/// Adam (Kingma & Ba 2015, "Adam: a method for stochastic optimization", algorithm 1), with optional decoupled weight
/// decay (AdamW; Loshchilov & Hutter 2019, algorithm 2):
///
///     m <- beta1 m + (1 - beta1) g
///     v <- beta2 v + (1 - beta2) g^2
///     w <- w - stepSize (m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + epsilon) + weightDecay w)
///
/// Biases do not decay. The decay is multiplied by the step size; in the paper it has a separate schedule.
///
/// A row of an embedding has its own t, the number of steps that named it: lazy Adam. With the t of the whole network,
/// a row that is used late for the first time would take steps that are several times too long, because its moments
/// still start from zero.
///
/// Adam divides by the size of the gradient, so its steps do not become shorter when gradients are only noise. With a
/// patience p, the step size of a row is `stepSize / sqrt(1 + (t - 1) / p)`. So frequently used rows converge (Robbins
/// & Monro 1951), while rows that are used for the first time still learn fast.
public struct Adam: ~Copyable, Optimizer {
  public var stepSize: Float
  public let beta1: Float
  public let beta2: Float
  public let epsilon: Float
  public let weightDecay: Float
  /// p; 0 for rows with a constant step size.
  public let rowPatience: Float
  public var steps = 0
  /// m and v of each parameter.
  private var firstMoment: FloatStorage
  private var secondMoment: FloatStorage
  /// t of each row of the embedding. It stops at 2^24, where the corrections are long 1.
  private var rowSteps: FloatStorage
  private let corrections: [Correction]

  /// The factors 1 / (1 - beta1^t) and 1 / (1 - beta2^t).
  private struct Correction: Sendable {
    var first: Float
    var second: Float
  }

  /// - Parameters:
  ///   - specification: the network's specification
  ///   - stepSize: above 0
  ///   - beta1: in 0...0.9999
  ///   - beta2: in 0...0.9999
  ///   - epsilon: above 0, in the unit of the gradient
  ///   - weightDecay: at least 0
  ///   - rowPatience: the steps of a row after which its step size has fallen to 71%; 0 for never
  /// - Throws: `DenseError.outOfMemory` or `refused`. The state is twice as large as the network.
  public init(
    _ specification: DenseSpecification, stepSize: Float = 0.001, beta1: Float = 0.9, beta2: Float = 0.999,
    epsilon: Float = 1e-8, weightDecay: Float = 0, rowPatience: Float = 0
  ) throws(DenseError) {
    let betas: ClosedRange<Float> = 0...0.9999
    precondition(stepSize > 0 && betas.contains(beta1) && betas.contains(beta2) && epsilon > 0 && weightDecay >= 0)
    precondition(rowPatience >= 0)
    let first = try FloatStorage(count: specification.parameterCount)
    let second = try FloatStorage(count: specification.parameterCount)
    rowSteps = try FloatStorage(count: specification.embedding?.indexCount ?? 0)
    firstMoment = first
    secondMoment = second
    (self.stepSize, self.beta1, self.beta2) = (stepSize, beta1, beta2)
    (self.epsilon, self.weightDecay, self.rowPatience) = (epsilon, weightDecay, rowPatience)
    var corrections: [Correction] = []
    var (power1, power2) = (1.0, 1.0)
    repeat {
      (power1, power2) = (power1 * Double(beta1), power2 * Double(beta2))
      corrections.append(Correction(first: Float(1 / (1 - power1)), second: Float(1 / (1 - power2))))
    } while max(power1, power2) > 0x1p-25
    self.corrections = corrections
  }

  public mutating func step(_ network: inout DenseNetwork, _ gradient: borrowing DenseGradient) {
    gradient.check(network)
    precondition(firstMoment.count == network.parameters.count && rowSteps.count >= gradient.rows.capacity)
    steps += 1
    stepDense(&network, gradient)
    // Rows of a large table are scattered over memory, so a few rows are prefetched while other rows are computed.
    let ahead = 16
    for first in stride(from: 0, to: gradient.rows.count, by: ahead) {
      let slots = first..<min(first + ahead, gradient.rows.count)
      for slot in slots { prefetch(gradient.rows, slot, network.parameters) }
      stepRows(&network, gradient, slots)
    }
  }

  private mutating func stepDense(_ network: inout DenseNetwork, _ gradient: borrowing DenseGradient) {
    let equation = equation(afterSteps: steps)
    network.parameters.withMutableSpan { weights in
      firstMoment.withMutableSpan { first in
        secondMoment.withMutableSpan { second in
          gradient.dense.withSpan { dense in
            for tensor in network.specification.tensors where tensor.role != .embedding {
              var equation = equation
              if tensor.role == .bias { equation.weightDecay = 0 }
              equation.apply(&weights, &first, &second, tensor.range, dense, tensor.offset - gradient.start)
            }
          }
        }
      }
    }
  }

  private mutating func stepRows(
    _ network: inout DenseNetwork, _ gradient: borrowing DenseGradient, _ slots: Range<Int>
  ) {
    var equation = equation(afterSteps: 1)
    let (corrections, stepSize) = (corrections, stepSize)
    let inversePatience = rowPatience > 0 ? 1 / rowPatience : 0
    network.parameters.withMutableSpan { weights in
      firstMoment.withMutableSpan { first in
        secondMoment.withMutableSpan { second in
          rowSteps.withMutableSpan { rowSteps in
            gradient.rows.values.withSpan { values in
              for slot in slots {
                let row = Int(gradient.rows.indices[slot])
                let steps = min(rowSteps[row] + 1, 0x1p24)
                rowSteps[row] = steps
                equation.correction = corrections[min(Int(steps), corrections.count) - 1]
                equation.stepSize = stepSize / (1 + inversePatience * (steps - 1)).squareRoot()
                equation.apply(
                  &weights, &first, &second, gradient.rows.range(ofSlot: slot), values, slot &* gradient.rows.width)
              }
            }
          }
        }
      }
    }
  }

  private func prefetch(_ rows: borrowing GradientRows, _ slot: Int, _ parameters: borrowing FloatStorage) {
    let range = rows.range(ofSlot: slot)
    parameters.prefetch(range.lowerBound, length: range.count)
    firstMoment.prefetch(range.lowerBound, length: range.count)
    secondMoment.prefetch(range.lowerBound, length: range.count)
    rowSteps.prefetch(Int(rows.indices[slot]), length: 1)
  }

  private func equation(afterSteps steps: Int) -> Equation {
    Equation(
      stepSize: stepSize, beta1: beta1, beta2: beta2, epsilon: epsilon, weightDecay: weightDecay,
      correction: corrections[min(steps, corrections.count) - 1])
  }

  private struct Equation {
    var stepSize: Float
    var beta1: Float
    var beta2: Float
    var epsilon: Float
    var weightDecay: Float
    var correction: Correction

    /// Updates a range of weights and their moments by their gradients, which begin at `start`.
    ///
    /// Soundness of the unchecked subscripts: the ranges are checked first.
    @inline(__always)
    func apply(
      _ weights: inout MutableSpan<Float>, _ first: inout MutableSpan<Float>, _ second: inout MutableSpan<Float>,
      _ range: Range<Int>, _ gradients: Span<Float>, _ start: Int
    ) {
      precondition(range.lowerBound >= 0 && range.upperBound <= weights.count)
      precondition(range.upperBound <= first.count && range.upperBound <= second.count)
      precondition(start >= 0 && start + range.count <= gradients.count)
      let base = range.lowerBound
      for index in 0..<range.count {
        let gradient = unsafe gradients[unchecked: start &+ index]
        let m = unsafe Adam.flushed(beta1 * first[unchecked: base &+ index] + (1 - beta1) * gradient)
        let v = unsafe Adam.flushed(beta2 * second[unchecked: base &+ index] + (1 - beta2) * gradient * gradient)
        let weight = unsafe weights[unchecked: base &+ index]
        // v is never negative. With the magnitude the compiler knows this, and computes several roots at once.
        let root = (correction.second * v).magnitude.squareRoot()
        let direction = correction.first * m / (root + epsilon)
        unsafe first[unchecked: base &+ index] = m
        unsafe second[unchecked: base &+ index] = v
        unsafe weights[unchecked: base &+ index] = weight - stepSize * (direction + weightDecay * weight)
      }
    }
  }

  /// Returns zero for subnormal numbers. The moments of an inactive unit would become and stay subnormal, and some
  /// processors need a hundred times as long for each subnormal number.
  @inline(__always)
  private static func flushed(_ x: Float) -> Float { x.magnitude < .leastNormalMagnitude ? 0 : x }

  public var stateNames: [String] {
    ["first_moment", "second_moment"] + (rowSteps.count > 0 ? ["row_steps"] : [])
  }

  public func withState<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    precondition(stateNames.indices.contains(number))
    switch number {
    case 0: return try firstMoment.withSpan(body)
    case 1: return try secondMoment.withSpan(body)
    default: return try rowSteps.withSpan(body)
    }
  }

  public mutating func withMutableState<R>(
    _ number: Int, _ body: (inout MutableSpan<Float>) throws -> R
  ) rethrows -> R {
    precondition(stateNames.indices.contains(number))
    switch number {
    case 0: return try firstMoment.withMutableSpan(body)
    case 1: return try secondMoment.withMutableSpan(body)
    default: return try rowSteps.withMutableSpan(body)
    }
  }
}
