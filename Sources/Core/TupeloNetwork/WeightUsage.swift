public import TupeloEngine
public import TupeloTables

/// Counts how often positions look up each weight of a network. A pruned model keeps the weights that play needs: see
/// `NTupleNetwork.pruned(to:by:)`.
public struct WeightUsage: ~Copyable, Sendable {
  /// The lookups of each weight, by storage index.
  private var counts: [UInt32]
  private var features: FeatureBuffer
  private let indexer: TupleIndexer

  /// Makes counts that are all zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory` when the counts, four bytes for each weight, do not fit.
  public init(_ network: NTupleNetwork) throws(WeightStorageError) {
    indexer = network.indexer
    let bytes = network.weights.count * 4
    guard bytes <= MemoryLimit.bytes else { throw .outOfMemory(bytes: bytes, available: MemoryLimit.bytes) }
    counts = [UInt32](repeating: 0, count: network.weights.count)
    features = FeatureBuffer(indexer.layout, slots: 1)
  }

  /// Counts the weights of a position: one lookup for each symmetric board and pattern. A count stops at 2^32 - 1.
  ///
  /// - Parameter times: how often the position is counted
  public mutating func add(_ afterstate: Afterstate, times: UInt32 = 1) {
    indexer.write(afterstate, into: &features, slot: 0)
    for number in 0..<indexer.featureCount {
      let index = Int(features.feature(number, ofSlot: 0))
      counts[index] += min(times, .max - counts[index])
    }
  }

  /// The lookups of a weight.
  ///
  /// - Parameters:
  ///   - pattern: the number of the pattern
  ///   - index: the index within the pattern's table, in the order that files use
  public func count(pattern: Int, standardIndex index: Int) -> Int {
    Int(counts[indexer.storageIndex(pattern: pattern, standardIndex: index)])
  }

  fileprivate func withCounts<R>(_ body: (Span<UInt32>) throws -> R) rethrows -> R { try body(counts.span) }
}

extension NTupleNetwork {
  /// A copy that keeps the weights with the largest effect on play, and has zeros for all other weights.
  ///
  /// Without a weight w, each value that contains it is wrong by w. Over the counted positions, this adds n w^2 to the
  /// sum of squared errors, for n lookups. The weights with the largest n w^2 are kept.
  ///
  /// A weight that was never looked up counts with the number of lookups that it would get from another such set of
  /// positions: the lookups of weights that were looked up once, divided among all weights that were never looked up
  /// (Good, "The population frequencies of species", Biometrika 1953).
  ///
  /// - Parameters:
  ///   - count: the number of weights to keep at most. Weights whose n w^2 differ by less than a hundredth may be
  ///     dropped together, so slightly fewer weights may be kept.
  ///   - usage: the counts, made with this network
  /// - Throws: `WeightStorageError.outOfMemory`.
  /// - Complexity: four passes over the weights
  public func pruned(to count: Int, by usage: borrowing WeightUsage) throws(WeightStorageError) -> NTupleNetwork {
    precondition(count >= 0)
    let copy = try WeightStorage<PlainCell>(count: weights.count)
    usage.withCounts { counts in
      precondition(counts.count == weights.count, "the usage is of another network")
      let need = Need(counts: counts, weights: weights)
      let least = need.least(of: count, counts: counts, weights: weights)
      copy.exclusively { copy in
        copy.withMutableWeights { kept in
          for index in kept.indices {
            let weight = weights.weight(at: index)
            if need.number(counts[index], weight) >= least { kept[index] = weight }
          }
        }
      }
    }
    return NTupleNetwork(indexer: indexer, weights: copy)
  }
}

/// Measures how much play needs each weight.
private struct Need {
  /// The number of lookups that counts for a weight without lookups.
  private let unseen: Float

  init(counts: Span<UInt32>, weights: WeightStorage<PlainCell>) {
    var (once, never) = (0, 0)
    for index in counts.indices where counts[index] <= 1 && weights.weight(at: index) != 0 {
      if counts[index] == 0 { never += 1 } else { once += 1 }
    }
    // Such a weight is needed less than a weight that was looked up.
    unseen = Float(min(once, never)) / Float(max(never, 1))
  }

  /// The need as a number of 16 bits in the order of n w^2: the upper half of its single precision. It is 0 for a
  /// weight of 0.
  @inline(__always)
  func number(_ lookups: UInt32, _ weight: Float) -> Int {
    Int(((lookups == 0 ? unseen : Float(lookups)) * weight * weight).bitPattern >> 16)
  }

  /// The smallest need, above 0, that at most `count` weights reach.
  func least(of count: Int, counts: Span<UInt32>, weights: WeightStorage<PlainCell>) -> Int {
    var numbers = [Int](repeating: 0, count: 1 << 16)
    for index in counts.indices { numbers[number(counts[index], weights.weight(at: index))] += 1 }
    var (least, left) = (numbers.count, count)
    while least > 1, numbers[least - 1] <= left {
      least -= 1
      left -= numbers[least]
    }
    return least
  }
}
