/// Positions, each with the probability that a game reaches it. They are stored in parts, so that threads can divide
/// the work without locks.
///
/// The code of a position determines its part, one of 16. Contributions to a part are added in the order of the parts
/// that they come from, so sums do not depend on the threads.
struct Flow: Sendable {
  private(set) var codes: [UInt32] = []
  private(set) var chances: [Double] = []

  static let partCount = 16

  /// The part that a code belongs to.
  @inline(__always)
  static func part(of code: UInt32) -> Int {
    // The multiplier differs from the multiplier of the slots, so that the positions of a part are still spread over
    // the slots.
    Int(truncatingIfNeeded: (code &* 0x85eb_ca6b) &>> 28)
  }

  static var emptyParts: [Flow] { Array(repeating: Flow(), count: partCount) }

  init() {}

  @inline(__always)
  mutating func append(_ code: UInt32, _ chance: Double) {
    codes.append(code)
    chances.append(chance)
  }

  /// Sums several flows: each position once, in the order of first occurrence, with the sum of its probabilities.
  init(sumOf pieces: [Flow]) {
    let count = pieces.reduce(0) { $0 + $1.codes.count }
    guard count > 0 else { return }
    let bits = max(Int.bitWidth - (count * 2).leadingZeroBitCount, 4)
    var places = [UInt32](repeating: 0, count: 1 << bits)
    let (shift, mask) = (UInt32(32 - bits), 1 << bits - 1)
    for piece in pieces {
      for index in piece.codes.indices {
        let code = piece.codes[index]
        var slot = Int(truncatingIfNeeded: (code &* 0x9e37_79b1) &>> shift)
        while places[slot] != 0, codes[Int(places[slot]) - 1] != code { slot = (slot &+ 1) & mask }
        if places[slot] == 0 {
          append(code, piece.chances[index])
          places[slot] = UInt32(codes.count)
        } else {
          chances[Int(places[slot]) - 1] += piece.chances[index]
        }
      }
    }
  }
}
