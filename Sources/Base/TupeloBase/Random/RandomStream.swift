/// A seeded stream of random numbers: xoshiro256++ (Blackman & Vigna 2021, "Scrambled linear pseudorandom number
/// generators"). SplitMix64 fills its state, as the authors advise.
///
/// A seed gives the same numbers on every platform and in every version with the same `behaviourVersion`.
public struct RandomStream: RandomNumberGenerator, Hashable, Sendable {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  /// Makes stream `stream` of `seed`. Game k of an evaluation draws from stream k, on any thread.
  public init(seed: UInt64, stream: UInt64 = 0) {
    var filler = SplitMix64(state: SplitMix64.mix(seed) ^ SplitMix64.mix(stream &* 0xd134_2543_de82_ef95 &+ 1))
    (s0, s1, s2, s3) = (filler.next(), filler.next(), filler.next(), filler.next())
  }

  /// Continues a saved stream; `nil` unless there are four words that are not all zero.
  public init?(state: [UInt64]) {
    guard state.count == 4, state.contains(where: { $0 != 0 }) else { return nil }
    (s0, s1, s2, s3) = (state[0], state[1], state[2], state[3])
  }

  /// The state: four words, not all zero. Checkpoints store it.
  public var state: [UInt64] { [s0, s1, s2, s3] }

  @inlinable
  public mutating func next() -> UInt64 {
    let sum = s0 &+ s3
    let result = (sum &<< 23 | sum &>> 41) &+ s0
    let shifted = s1 &<< 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = s3 &<< 45 | s3 &>> 19
    return result
  }

  /// A random number in 0..<bound by multiplication (Lemire 2019, without the rejection step: bias below bound / 2^32).
  @inlinable
  public mutating func next(below bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }
}

/// SplitMix64 (Steele, Lea & Flood 2014): fills the state of better generators, and draws initial weights.
package struct SplitMix64: Sendable {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
