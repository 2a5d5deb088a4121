internal import TupeloBase

/// Speeds of a dense network of two equal hidden layers, whose input is as wide as they are.
public struct DenseBenchmark: Hashable, Sendable {
  public enum Pass: Hashable, Sendable, CaseIterable {
    /// The values of a batch.
    case forward
    /// The values and the gradient of a batch.
    case gradient
  }

  public let width: Int
  public let batch: Int
  public let pass: Pass
  public let arithmetic: DenseArithmetic

  /// - Parameters:
  ///   - width: the width of the input and of both hidden layers, 1...8192
  ///   - batch: samples per pass, 1...2^20
  ///   - pass: the pass that is measured
  ///   - arithmetic: BLAS or plain loops
  public init(width: Int, batch: Int, pass: Pass, arithmetic: DenseArithmetic) {
    (self.width, self.batch, self.pass, self.arithmetic) = (width, batch, pass, arithmetic)
  }

  /// Samples per second, measured once.
  ///
  /// The inputs are the same in every run. Only the time depends on the machine.
  ///
  /// - Parameter duration: the shortest time of the measurement; a first pass is not counted
  /// - Throws: `DenseError` for a width out of range, or when the network does not fit in memory.
  public func samplesPerSecond(for duration: Duration) throws(DenseError) -> Double {
    let specification = try DenseSpecification(input: .numbers(width: width), hiddenWidths: [width, width])
    let network = try DenseNetwork(specification, DenseInitialization(seed: 1, outputScale: 1))
    var workspace = try DenseWorkspace(specification, capacity: batch, arithmetic: arithmetic)
    var gradient = try DenseGradient(specification, samples: batch)
    var random = SplitMix64(state: 2)
    workspace.withMutableInput { for index in $0.indices { $0[index] = random.nextFloat() } }
    for sample in 0..<batch { workspace.outputGradients[sample] = random.nextFloat() }
    let clock = ContinuousClock()
    var (passes, goal) = (-1, 1)
    var start = clock.now
    while true {
      network.forward(count: batch, &workspace)
      if pass == .gradient {
        gradient.reset()
        network.backward(&workspace, into: &gradient)
      }
      passes += 1
      if passes == 0 { start = clock.now }
      // The clock is read rarely, because small batches take less than a microsecond.
      guard passes == goal else { continue }
      let elapsed = start.duration(to: clock.now)
      if elapsed >= duration { return Double(passes) * Double(batch) / (elapsed / .seconds(1)) }
      goal *= 2
    }
  }
}
