internal import TupeloBase
public import TupeloEngine
public import TupeloModels
public import TupeloNetwork
public import TupeloSearch
public import TupeloTables

/// A dense value network of a game, for play: an encoder of afterstates, and the network that values them.
///
/// Many afterstates are valued together, by one matrix product per layer for each block of 16. The products are loops
/// with a fixed order of additions (`DenseArithmetic.loops`), because the order in BLAS depends on the processor, on
/// the size of a product and on a row's place in it. So a value has equal bits in every batch, on every thread and on
/// every processor, and games do not depend on the content of a transposition table. Any number of threads may
/// evaluate.
public final class DenseModel<Encoder: DenseEncoder>: Sendable {
  public let specification: DenseModelSpecification
  public let encoder: Encoder
  public let network: DenseNetwork
  @usableFromInline let unit: Float
  /// Memory for batches that no thread uses at the moment.
  private let memories = Locked<[Memory]>([])

  /// The afterstates whose rows are prefetched together.
  @inlinable static var capacity: Int { 128 }
  /// The largest number of afterstates in a matrix product. Its activations fit into the first-level cache.
  @inlinable static var block: Int { 16 }

  /// - Parameters:
  ///   - specification: the network's specification
  ///   - encoder: gives the specification's features
  ///   - network: a network with the specification's layers
  public init(_ specification: DenseModelSpecification, encoder: Encoder, network: consuming DenseNetwork) {
    precondition(network.specification == specification.network)
    precondition(encoder.layout.weightCount == specification.features.base.rowCount)
    (self.specification, self.encoder) = (specification, encoder)
    self.network = network
    unit = Float(specification.unit)
  }

  /// The identity of the model: 16 hex digits, a hash of its structure and of every parameter.
  public var identity: String {
    var hash = WeightHash()
    for byte in specification.canonicalText.utf8 { hash.add(UInt32(byte)) }
    network.parameters.withSpan { hash.add($0) }
    return hash.text
  }

  /// Features and activations of a batch.
  ///
  /// Soundness of sharing it: only the thread that has taken it from `memories` uses it.
  @usableFromInline
  final class Memory: @unchecked Sendable {
    @usableFromInline var features: FeatureBuffer
    @usableFromInline var workspace: DenseWorkspace

    init(_ specification: DenseSpecification, _ encoder: Encoder) throws(DenseError) {
      let workspace = try DenseWorkspace(specification, capacity: DenseModel.block, arithmetic: .loops)
      features = encoder.makeBuffer(slots: DenseModel.capacity)
      self.workspace = workspace
    }
  }

  @usableFromInline
  func takeMemory() -> Memory {
    if let memory = memories.withLock({ $0.popLast() }) { return memory }
    do {
      return try Memory(network.specification, encoder)
    } catch {
      // This is a few hundred kilobytes, and the much larger network did fit into memory.
      preconditionFailure("\(error)")
    }
  }

  /// Gives back what `takeMemory` gave.
  @usableFromInline
  func keep(_ memory: Memory) { memories.withLock { $0.append(memory) } }

  /// Values of many states, in score points (in Set: Sets). It is specialised in the module of the encoder's game.
  ///
  /// - Complexity: one matrix product per layer for every 16 states; no allocation once each thread has had its memory
  @inlinable
  public func evaluateStates(_ states: Span<Encoder.State>, into values: inout MutableSpan<Float>) {
    let memory = takeMemory()
    for first in stride(from: 0, to: states.count, by: Self.capacity) {
      let count = min(Self.capacity, states.count - first)
      for slot in 0..<count {
        encoder.write(states[first + slot], into: &memory.features, slot: slot)
        network.prefetch(memory.features, slot: slot)
      }
      for start in stride(from: 0, to: count, by: Self.block) {
        let slots = start..<min(start + Self.block, count)
        network.forward(memory.features, slots: slots, &memory.workspace)
        for slot in slots { values[first + slot] = memory.workspace.values[slot - start] * unit }
      }
    }
    keep(memory)
  }

  @inlinable
  package func value(ofState state: Encoder.State) -> Float {
    let memory = takeMemory()
    encoder.write(state, into: &memory.features, slot: 0)
    network.forward(memory.features, slots: 0..<1, &memory.workspace)
    let value = memory.workspace.values[0] * unit
    keep(memory)
    return value
  }
}

extension DenseModel: GameModel {
  public var structure: any ModelStructure { specification }

  public func contender(rules: GameRules, plies: Int) -> Contender {
    Encoder.contender(self, rules: rules, plies: plies)
  }
}

/// A dense value network of 2048.
public typealias DenseBoardModel = DenseModel<TupleIndexer>

extension DenseModel: Evaluator where Encoder == TupleIndexer {
  public func value(of afterstate: Afterstate) -> Float { value(ofState: afterstate) }

  public func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
    evaluateStates(afterstates, into: &values)
  }
}

extension DenseModel: BoardModel where Encoder == TupleIndexer {
  public var shape: BoardShape { encoder.specification.shape }

  public func makeAgent(
    _ specification: AgentSpecification, rules: Rules, seed: UInt64
  ) throws(SearchTableError) -> AnyAgent {
    try specification.makeAgent(model: self, rules: rules, seed: seed)
  }
}
