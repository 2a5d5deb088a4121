/// Stochastic gradient descent, with optional momentum (Polyak 1964) and decoupled weight decay (Loshchilov & Hutter
/// 2019, "Decoupled weight decay regularization", algorithm 1).
///
///     u <- momentum u + g
///     w <- w - stepSize (u + weightDecay w)
///
/// Biases do not decay.
public struct GradientDescent: ~Copyable, Optimizer {
  public var stepSize: Float
  public let momentum: Float
  public let weightDecay: Float
  public var steps = 0
  /// u of each parameter; empty without momentum.
  private var velocity: FloatStorage

  /// - Parameters:
  ///   - specification: the network's specification
  ///   - stepSize: above 0
  ///   - momentum: in 0..<1
  ///   - weightDecay: at least 0
  /// - Throws: `DenseError.outOfMemory` or `refused`.
  public init(
    _ specification: DenseSpecification, stepSize: Float, momentum: Float = 0, weightDecay: Float = 0
  ) throws(DenseError) {
    precondition(stepSize > 0 && (0..<1).contains(momentum) && weightDecay >= 0)
    (self.stepSize, self.momentum, self.weightDecay) = (stepSize, momentum, weightDecay)
    velocity = try FloatStorage(count: momentum > 0 ? specification.parameterCount : 0)
  }

  public mutating func step(_ network: inout DenseNetwork, _ gradient: borrowing DenseGradient) {
    gradient.check(network)
    precondition(momentum == 0 || velocity.count == network.parameters.count)
    steps += 1
    let (stepSize, momentum, weightDecay) = (stepSize, momentum, weightDecay)
    let rows = gradient.rows.count
    network.parameters.withMutableSpan { weights in
      velocity.withMutableSpan { velocity in
        gradient.dense.withSpan { dense in
          for tensor in network.specification.tensors where tensor.role != .embedding {
            descend(
              &weights, &velocity, tensor.range, dense, tensor.offset - gradient.start, stepSize: stepSize,
              momentum: momentum, weightDecay: tensor.role == .bias ? 0 : weightDecay)
          }
        }
        gradient.rows.values.withSpan { values in
          for slot in 0..<rows {
            descend(
              &weights, &velocity, gradient.rows.range(ofSlot: slot), values, slot &* gradient.rows.width,
              stepSize: stepSize, momentum: momentum, weightDecay: weightDecay)
          }
        }
      }
    }
  }

  public var stateNames: [String] { momentum > 0 ? ["velocity"] : [] }

  public func withState<R>(_ number: Int, _ body: (Span<Float>) throws -> R) rethrows -> R {
    precondition(stateNames.indices.contains(number))
    return try velocity.withSpan(body)
  }

  public mutating func withMutableState<R>(
    _ number: Int, _ body: (inout MutableSpan<Float>) throws -> R
  ) rethrows -> R {
    precondition(stateNames.indices.contains(number))
    return try velocity.withMutableSpan(body)
  }
}

/// Updates a range of weights by their gradients, which begin at `first`.
///
/// Soundness of the unchecked subscripts: the ranges are checked first.
@inline(__always)
private func descend(
  _ weights: inout MutableSpan<Float>, _ velocity: inout MutableSpan<Float>, _ range: Range<Int>,
  _ gradients: Span<Float>, _ first: Int, stepSize: Float, momentum: Float, weightDecay: Float
) {
  precondition(range.lowerBound >= 0 && range.upperBound <= weights.count)
  precondition(first >= 0 && first + range.count <= gradients.count)
  let start = range.lowerBound
  if momentum > 0 {
    precondition(range.upperBound <= velocity.count)
    for index in 0..<range.count {
      let u = unsafe momentum * velocity[unchecked: start &+ index] + gradients[unchecked: first &+ index]
      unsafe velocity[unchecked: start &+ index] = u
      let weight = unsafe weights[unchecked: start &+ index]
      unsafe weights[unchecked: start &+ index] = weight - stepSize * (u + weightDecay * weight)
    }
  } else {
    for index in 0..<range.count {
      let weight = unsafe weights[unchecked: start &+ index]
      let change = unsafe gradients[unchecked: first &+ index] + weightDecay * weight
      unsafe weights[unchecked: start &+ index] = weight - stepSize * change
    }
  }
}
