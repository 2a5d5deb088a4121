internal import TupeloBLAS
internal import TupeloBase
internal import TupeloTables

/// Moves an array out of a workspace, so that it can change while other arrays are read. An assignment puts it back.
/// Neither step copies the array.
func take(_ array: inout [Float]) -> [Float] {
  var taken: [Float] = []
  swap(&taken, &array)
  return taken
}

/// The memory of a thread for forward and backward passes over batches. No pass allocates memory.
///
/// A forward pass keeps the activations here, for the backward pass.
public struct DenseWorkspace: ~Copyable, Sendable {
  public let specification: DenseSpecification
  /// The largest number of samples of a batch.
  public let capacity: Int
  public var arithmetic: DenseArithmetic
  /// The number of samples of the last forward pass.
  public internal(set) var count = 0
  /// The input of each layer, `capacity` rows each: the network's input first.
  var inputs: [[Float]]
  /// V of each sample of the last forward pass, in the unit of the targets. The first `count` numbers are valid.
  public internal(set) var values: [Float]
  /// dL/dV of each sample, for the backward pass: set by `differentiate`, or by hand for a sum of c_i dV_i/dw.
  public var outputGradients: [Float]
  /// The sum of the linear weights of each sample; empty if the embedding has none.
  var linearSums: [Float]
  /// The gradients with regard to a layer's output and to its input.
  var outputDelta: [Float]
  var inputDelta: [Float]

  /// - Throws: `DenseError.outOfMemory` when the arrays are larger than the memory that the process may use.
  /// - Precondition: `capacity` is in 1...2^20.
  public init(_ specification: DenseSpecification, capacity: Int, arithmetic: DenseArithmetic = .blas)
    throws(DenseError)
  {
    precondition((1...1 << 20).contains(capacity))
    let widest = specification.layers.reduce(1) { max($0, $1.inputs) }
    let bytes = specification.layers.reduce(2 * widest + 3) { $0 + $1.inputs } * capacity * 4
    guard bytes <= MemoryLimit.bytes else { throw .outOfMemory(bytes: bytes, available: MemoryLimit.bytes) }
    self.specification = specification
    self.capacity = capacity
    self.arithmetic = arithmetic
    inputs = specification.layers.map { [Float](repeating: 0, count: capacity * $0.inputs) }
    values = [Float](repeating: 0, count: capacity)
    outputGradients = values
    linearSums = specification.embedding?.hasLinearWeights == true ? values : []
    outputDelta = [Float](repeating: 0, count: capacity * widest)
    inputDelta = outputDelta
  }

  /// Calls `body` with the input, a row per sample, for networks whose input is numbers.
  public mutating func withMutableInput<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    precondition(specification.embedding == nil, "the input of this network comes from features")
    var span = inputs[0].mutableSpan
    return try body(&span)
  }
}

/// The implementation of matrix products.
public enum DenseArithmetic: Hashable, Sendable, CaseIterable {
  /// BLAS, for training, which needs speed and repeats the same batches in every run.
  case blas
  /// Loops with a fixed order of additions, for play, because a value must not depend on its batch.
  case loops

  /// C = op(A) op(B) + beta C
  func gemm(_ product: MatrixProduct, _ a: Span<Float>, _ b: Span<Float>, _ beta: Float, _ c: inout MutableSpan<Float>)
  {
    switch self {
    case .blas: BLAS.gemm(product, 1, a, b, beta, &c)
    case .loops: PlainLoops.gemm(product, 1, a, b, beta, &c)
    }
  }
}
