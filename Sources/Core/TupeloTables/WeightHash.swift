/// A hash that identifies weights: FNV-1a over 32-bit words instead of bytes, 64 bits wide.
///
/// Equal weights have equal hashes on every machine; 0 and -0 count as equal. The hash detects mistakes, not forgeries.
public struct WeightHash: Hashable, Sendable {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  /// Adds weights in their order.
  ///
  /// - Complexity: O(weights.count): about 5 processor cycles for each.
  public mutating func add(_ weights: Span<Float>) {
    for index in weights.indices { add(weights[index] == 0 ? 0 : weights[index].bitPattern) }
  }

  public mutating func add(_ word: UInt32) {
    state = (state ^ UInt64(word)) &* 0x0000_0100_0000_01b3
    // Words are wider than the bytes that the multiplier is designed for, so the upper half is mixed into the lower
    // half.
    state ^= state >> 32
  }

  /// 16 hex digits.
  public var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension ReadableWeights {
  /// Adds all weights to a hash, in the order of memory, which the network defines.
  package func add(to hash: inout WeightHash) {
    withWeights { hash.add($0) }
  }
}
