public import TupeloTables

/// A dense value network: a specification and its parameters, for any game.
///
/// The parameters have one owner. Any number of threads may borrow and evaluate a network, each with its own workspace.
/// No thread can change it during this time.
public struct DenseNetwork: ~Copyable, Sendable {
  public let specification: DenseSpecification
  /// All parameters, in the order of `specification.tensors`.
  public var parameters: FloatStorage

  /// Makes a network from parameters, such as an average or the parameters of a checkpoint.
  ///
  /// - Precondition: `parameters` has `specification.parameterCount` numbers.
  public init(_ specification: DenseSpecification, parameters: consuming FloatStorage) {
    precondition(parameters.count == specification.parameterCount)
    self.specification = specification
    self.parameters = parameters
  }

  /// Makes a network with random parameters.
  ///
  /// - Throws: `DenseError.outOfMemory` or `refused`.
  public init(_ specification: DenseSpecification, _ initialization: DenseInitialization) throws(DenseError) {
    var parameters = try FloatStorage(count: specification.parameterCount)
    initialization.fill(&parameters, of: specification)
    self.init(specification, parameters: parameters)
  }

  /// A copy, for averages, snapshots and target networks.
  ///
  /// - Throws: `DenseError.outOfMemory` or `refused`.
  public func copy() throws(DenseError) -> DenseNetwork {
    DenseNetwork(specification, parameters: try parameters.copy())
  }

  /// Prefetches the embedding rows of a sample, for a forward pass some time later.
  ///
  /// - Precondition: the features name only rows of the network's embedding.
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) {
    guard let shape = specification.embedding else { return }
    precondition(shape.accepts(features.layout))
    let width = shape.rowWidth
    for number in 0..<shape.featureCount {
      parameters.prefetch(Int(features.feature(number, ofSlot: slot)) &* width, length: width)
    }
  }
}
