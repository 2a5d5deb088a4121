import TestSupport
import TupeloDense
import TupeloTables

/// The input of one sample.
enum Sample {
  case numbers([Double])
  case features([Int])
}

/// The network in loops and double precision, one sample at a time. It finds its parameters by the order that the
/// documentation gives: embedding rows, their biases, then matrix (a row per input) and biases of each layer.
struct ReferenceNetwork {
  var parameters: [Double]
  var hiddenWidths: [Int]
  var embedding: EmbeddingShape?

  func value(_ sample: Sample) -> Double {
    var next = 0
    var linear = 0.0
    var x: [Double]
    switch sample {
    case .numbers(let numbers): x = numbers
    case .features(let features):
      guard let embedding else { return .nan }
      let rowWidth = embedding.width + (embedding.hasLinearWeights ? 1 : 0)
      x = [Double](repeating: 0, count: embedding.width * ((embedding.groups.max() ?? 0) + 1))
      for (position, feature) in features.enumerated() {
        for column in 0..<embedding.width {
          x[embedding.groups[position] * embedding.width + column] += parameters[feature * rowWidth + column]
        }
        if embedding.hasLinearWeights { linear += parameters[feature * rowWidth + embedding.width] }
      }
      next = embedding.indexCount * rowWidth
      if embedding.isRectified {
        for index in x.indices { x[index] = max(0, x[index] + parameters[next + index]) }
        next += x.count
      }
    }
    for (number, outputs) in (hiddenWidths + [1]).enumerated() {
      var y = (0..<outputs).map { parameters[next + x.count * outputs + $0] }
      for input in x.indices {
        for output in 0..<outputs { y[output] += x[input] * parameters[next + input * outputs + output] }
      }
      next += (x.count + 1) * outputs
      x = number < hiddenWidths.count ? y.map { max(0, $0) } : y
    }
    return x[0] + linear
  }

  /// The sum of c_i V_i.
  func sum(_ samples: [Sample], _ coefficients: [Double]) -> Double {
    zip(samples, coefficients).reduce(0) { $0 + $1.1 * value($1.0) }
  }

  /// The gradient of a function of the parameters, by central differences.
  func gradient(of function: (ReferenceNetwork) -> Double) -> [Double] {
    let step = 1e-6
    var moved = self
    return parameters.indices.map { index in
      moved.parameters[index] = parameters[index] + step
      let above = function(moved)
      moved.parameters[index] = parameters[index] - step
      let below = function(moved)
      moved.parameters[index] = parameters[index]
      return (above - below) / (2 * step)
    }
  }
}

/// A random network with its twin in double precision, and random samples for both.
struct Trial: ~Copyable {
  var network: DenseNetwork
  var samples: [Sample]
  var features: FeatureBuffer

  init(_ specification: DenseSpecification, samples count: Int, seed: UInt64) throws {
    var random = TestRandom(state: seed)
    network = try DenseNetwork(specification, DenseInitialization(seed: seed, outputScale: 1))
    // Biases and linear weights are random as well, so that nothing is zero by chance.
    network.parameters.withMutableSpan { parameters in
      for index in parameters.indices { parameters[index] += Float.random(in: -0.2...0.2, using: &random) }
    }
    if let shape = specification.embedding {
      let all = (0..<count).map { _ in
        (0..<shape.featureCount).map { _ in Int.random(in: 0..<shape.indexCount, using: &random) }
      }
      samples = all.map { .features($0) }
      features = makeBuffer(all, shape)
    } else {
      samples = (0..<count).map { _ in
        .numbers((0..<specification.inputWidth).map { _ in Double(Float.random(in: -1...1, using: &random)) })
      }
      features = makeBuffer([], nil)
    }
  }

  var reference: ReferenceNetwork {
    ReferenceNetwork(
      parameters: network.parameters.withSpan { span in span.indices.map { Double(span[$0]) } },
      hiddenWidths: network.specification.hiddenWidths, embedding: network.specification.embedding)
  }

  /// A forward pass over some of the samples.
  func forward(_ range: Range<Int>, _ workspace: inout DenseWorkspace) {
    guard network.specification.embedding == nil else { return network.forward(features, slots: range, &workspace) }
    let width = network.specification.inputWidth
    workspace.withMutableInput { input in
      for (row, sample) in samples[range].enumerated() {
        guard case .numbers(let numbers) = sample else { continue }
        for column in 0..<width { input[row * width + column] = Float(numbers[column]) }
      }
    }
    network.forward(count: range.count, &workspace)
  }

  func backward(_ range: Range<Int>, _ workspace: inout DenseWorkspace, _ gradient: inout DenseGradient) {
    if network.specification.embedding == nil {
      network.backward(&workspace, into: &gradient)
    } else {
      network.backward(features, slots: range, &workspace, into: &gradient)
    }
  }
}

/// Makes a buffer with the features of some samples.
func makeBuffer(_ samples: [[Int]], _ shape: EmbeddingShape?) -> FeatureBuffer {
  let layout = FeatureLayout(
    featureCount: shape?.featureCount ?? 1, groupSize: 1, weightCount: shape?.indexCount ?? 1)
  var buffer = FeatureBuffer(layout, slots: max(samples.count, 1))
  for (slot, features) in samples.enumerated() {
    let words = buffer.words(ofSlot: slot, for: layout)
    for (position, feature) in features.enumerated() { words[position] = UInt32(feature) }
  }
  return buffer
}

/// A gradient with all rows of the embedding, as many numbers as parameters.
func allNumbers(_ gradient: borrowing DenseGradient) -> [Double] {
  var all = [Double](repeating: 0, count: gradient.specification.parameterCount)
  let start = gradient.specification.embeddingRange.upperBound
  for index in 0..<gradient.dense.count { all[start + index] = Double(gradient.dense[index]) }
  for row in 0..<gradient.rows.count {
    for column in 0..<gradient.rows.width {
      all[Int(gradient.rows.indices[row]) * gradient.rows.width + column] +=
        Double(gradient.rows.values[row * gradient.rows.width + column])
    }
  }
  return all
}

/// Whether numbers agree within single precision, relative to the largest one.
func agree(_ a: [Double], _ b: [Double], within bound: Double = 2e-5) -> Bool {
  let scale = b.reduce(1e-3) { max($0, abs($1)) }
  return a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= bound * scale }
}

/// Architectures of every kind, small enough for finite differences.
let architectures: [DenseSpecification] = {
  do {
    func embedding(
      _ indices: Int, _ width: Int, _ groups: [Int], linear: Bool = false, rectified: Bool = false
    ) throws -> DenseSpecification.Input {
      .embedding(
        try EmbeddingShape(
          indexCount: indices, width: width, groups: groups, hasLinearWeights: linear, isRectified: rectified))
    }
    return try [
      DenseSpecification(input: .numbers(width: 5), hiddenWidths: []),
      DenseSpecification(input: .numbers(width: 1), hiddenWidths: [1]),
      DenseSpecification(input: .numbers(width: 7), hiddenWidths: [9, 4]),
      DenseSpecification(input: .numbers(width: 3), hiddenWidths: [17, 1, 6]),
      // One-hot input.
      DenseSpecification(input: embedding(20, 13, [0, 0, 0], rectified: true), hiddenWidths: [6]),
      DenseSpecification(input: embedding(6, 8, [0, 0, 0, 0, 0], rectified: true), hiddenWidths: []),
      DenseSpecification(input: embedding(9, 16, [0], linear: true, rectified: true), hiddenWidths: [3, 3]),
      // N-tuple embeddings.
      DenseSpecification(input: embedding(30, 8, [0, 0, 1, 1, 2, 2]), hiddenWidths: [10]),
      DenseSpecification(input: embedding(30, 7, [0, 0, 0, 0, 1, 1, 1, 1], linear: true), hiddenWidths: [11, 5]),
      DenseSpecification(input: embedding(12, 15, [0, 0, 0, 1], linear: true), hiddenWidths: [4]),
      DenseSpecification(input: embedding(12, 3, [1, 0, 1, 2, 0, 0], linear: true), hiddenWidths: [8]),
      DenseSpecification(input: embedding(5, 21, [0, 1, 0], linear: true), hiddenWidths: []),
    ]
  } catch {
    return []
  }
}()

extension DenseWorkspace {
  /// Whether all values of the last forward pass are numbers: false once a network has diverged.
  var areValuesFinite: Bool { values.prefix(count).allSatisfy(\.isFinite) }
}
