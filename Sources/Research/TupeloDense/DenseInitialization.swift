internal import TupeloBase

/// Random first parameters of a network.
///
/// Weights before a rectifier are uniform with variance 2 / fan-in (He et al. 2015, "Delving deep into rectifiers",
/// equation 10). Embedding rows count one input per feature of a group: the sums of the largest group have variance 2
/// before a rectifier, and 1 otherwise. Linear weights are zero. Biases are zero, too, unless `hiddenBias` is given.
public struct DenseInitialization: Hashable, Sendable {
  public var seed: UInt64
  /// A factor of the embedding rows. With small values, rows that training never changes hardly affect values.
  public var embeddingScale: Float
  /// A factor of the last layer's weights. With 0 every value is zero at first.
  public var outputScale: Float
  /// The biases of hidden layers. Above 0, all rectifiers let gradients pass at first, also where their input is zero.
  public var hiddenBias: Float

  public init(seed: UInt64, embeddingScale: Float = 1, outputScale: Float = 0, hiddenBias: Float = 0) {
    (self.seed, self.embeddingScale, self.outputScale) = (seed, embeddingScale, outputScale)
    self.hiddenBias = hiddenBias
  }

  /// Writes the weights. Each tensor has separate random numbers, so that it does not depend on earlier tensors.
  ///
  /// - Precondition: the parameters are zero.
  func fill(_ parameters: inout FloatStorage, of specification: DenseSpecification) {
    for (number, tensor) in specification.tensors.enumerated() {
      var random = SplitMix64(state: seed &+ UInt64(number) &* 0xd1b5_4a32_d192_ed03)
      parameters.withMutableSpan(of: tensor.range) { weights in
        switch tensor.role {
        case .bias: if tensor.offset != specification.outputBias { weights.update(repeating: hiddenBias) }
        case .weights:
          let isOutput = tensor.offset == specification.layers.last?.weights.lowerBound
          let scale = (isOutput ? outputScale : 1) * (6 / Float(tensor.shape[0])).squareRoot()
          if scale == 0 { break }
          for index in weights.indices { weights[index] = scale * random.nextFloat() }
        case .embedding:
          guard let shape = specification.embedding else { break }
          let variance = (shape.isRectified ? 2 : 1) / Float(shape.largestGroup)
          let scale = embeddingScale * (3 * variance).squareRoot()
          if scale == 0 { break }
          for row in 0..<shape.indexCount {
            for column in 0..<shape.width {
              let number = scale * random.nextFloat()
              weights[row * shape.rowWidth + column] = row == shape.paddingIndex ? 0 : number
            }
          }
        }
      }
    }
  }
}

extension SplitMix64 {
  /// A number in -1..<1, from 2^24 equally likely numbers.
  mutating func nextFloat() -> Float { Float(Int(next() >> 40) - 1 << 23) * 0x1p-23 }
}
