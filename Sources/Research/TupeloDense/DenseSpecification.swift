/// The architecture of a value network: a multilayer perceptron with rectifiers and one output, and the places of its
/// parameters.
///
///     x_0 = the input, or the sums of embedding rows
///     x_l = max(0, x_(l-1) W_l + b_l)       for each hidden layer
///     V = x_n W_(n+1) + b_(n+1) + the sum of the linear weights of the features, if the embedding has them
///
/// All parameters lie in one array. So averages, merges, checkpoints and optimizer steps are single passes.
public struct DenseSpecification: Hashable, Sendable {
  public enum Input: Hashable, Sendable {
    /// A vector of numbers per sample.
    case numbers(width: Int)
    /// Feature indices per sample.
    case embedding(EmbeddingShape)
  }

  public let input: Input
  /// The widths of the hidden layers, from the input on; empty for a linear function of the input.
  public let hiddenWidths: [Int]
  /// Every tensor, in the order of the array, without gaps: the embedding first, so that its rows are aligned.
  public let tensors: [DenseTensor]
  /// The linear maps behind the input; the last one has one output.
  let layers: [Layer]
  public let parameterCount: Int

  struct Layer: Hashable, Sendable {
    var inputs: Int
    var outputs: Int
    /// The place of the matrix, which has a row per input and a column per output.
    var weights: Range<Int>
    var biases: Range<Int>
  }

  public static let widths = 1...8192
  public static let mostHiddenLayers = 64
  /// 64 GiB of single precision.
  public static let mostParameters = 1 << 34

  /// - Parameters:
  ///   - input: the kind of the input, and its width, 1...8192
  ///   - hiddenWidths: the widths of at most 64 hidden layers, 1...8192 each
  /// - Throws: `DenseError` when a width is out of range, or when there are more than 2^34 parameters.
  public init(input: Input, hiddenWidths: [Int]) throws(DenseError) {
    guard hiddenWidths.count <= Self.mostHiddenLayers else { throw .hiddenLayers(hiddenWidths.count) }
    var tensors: [DenseTensor] = []
    var end = 0
    func append(_ name: String, _ shape: [Int], _ role: DenseTensor.Role) -> Range<Int> {
      let tensor = DenseTensor(name: name, shape: shape, offset: end, role: role)
      tensors.append(tensor)
      end += tensor.count
      return tensor.range
    }
    var width: Int
    switch input {
    case .numbers(let inputWidth):
      guard Self.widths.contains(inputWidth) else { throw .width(inputWidth, of: "the input") }
      width = inputWidth
    case .embedding(let shape):
      width = shape.outputWidth
      _ = append("embedding.weight", [shape.indexCount, shape.rowWidth], .embedding)
      if shape.isRectified { _ = append("embedding.bias", [width], .bias) }
    }
    var layers: [Layer] = []
    for (number, outputs) in (hiddenWidths + [1]).enumerated() {
      guard Self.widths.contains(outputs) else { throw .width(outputs, of: "hidden layer \(number)") }
      let weights = append("layers.\(number).weight", [width, outputs], .weights)
      let biases = append("layers.\(number).bias", [outputs], .bias)
      layers.append(Layer(inputs: width, outputs: outputs, weights: weights, biases: biases))
      width = outputs
    }
    guard end <= Self.mostParameters else { throw .parameterCount(end) }
    (self.input, self.hiddenWidths, self.tensors, self.layers) = (input, hiddenWidths, tensors, layers)
    parameterCount = end
  }

  public var embedding: EmbeddingShape? {
    guard case .embedding(let shape) = input else { return nil }
    return shape
  }

  public var inputWidth: Int { layers[0].inputs }

  /// The place of the embedding's rows; empty without an embedding. The other parameters follow.
  public var embeddingRange: Range<Int> { tensors[0].role == .embedding ? tensors[0].range : 0..<0 }

  /// The place of the biases of a rectified embedding.
  var embeddingBiases: Range<Int>? {
    guard let shape = embedding, shape.isRectified else { return nil }
    return tensors[1].range
  }

  /// The place of the output's bias, which every value contains.
  public var outputBias: Int { parameterCount - 1 }

  /// The tensor of a name.
  public func tensor(named name: String) -> DenseTensor? { tensors.first { $0.name == name } }
}

/// One tensor among the parameters, row by row.
public struct DenseTensor: Hashable, Sendable {
  public enum Role: Hashable, Sendable {
    /// Rows of an embedding. A gradient has only few of them.
    case embedding
    /// The matrix of a layer: a row per input, a column per output.
    case weights
    /// Biases. Weight decay does not change them.
    case bias
  }

  /// A name for files, such as `layers.0.weight`.
  public let name: String
  public let shape: [Int]
  /// The index of its first number in the array of parameters.
  public let offset: Int
  public let role: Role

  public var count: Int { shape.reduce(1, *) }
  public var range: Range<Int> { offset..<offset + count }
}
