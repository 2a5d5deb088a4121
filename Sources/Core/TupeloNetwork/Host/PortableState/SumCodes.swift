/// Bytes that stand for the sums E and A of temporal coherence in a portable state.
///
/// A weight moves by a step of |E| / A, which changes little once a weight has been updated often. So both numbers may
/// be rounded coarsely: A to half an octave, because it only says how long the weight has learned, and E / A to a third
/// of an octave, with its sign.
enum SumCodes {
  /// The code of A: 0 for 0, otherwise 128 + 2 log2 A.
  ///
  /// - Parameter sum: A, finite and not negative
  static func code(absolute sum: Float) -> UInt8 {
    sum > 0 ? UInt8(128 + min(max(octaves(sum, parts: halves), -127), 127)) : 0
  }

  /// A of a code.
  static func absolute(_ code: UInt8) -> Float { code > 0 ? power(Int(code) - 128, roots: halfRoots) : 0 }

  /// The code of E: 0 for 0, otherwise 1 + 2 k, and one more for a negative E, with |E| / A = 2^(-k / 3).
  ///
  /// - Parameters:
  ///   - sum: E, from -A to A
  ///   - absolute: A, finite
  static func code(error sum: Float, of absolute: Float) -> UInt8 {
    guard sum != 0, absolute > 0 else { return 0 }
    let ratio = max(abs(sum) / absolute, .leastNormalMagnitude)
    return UInt8(1 + 2 * min(max(-octaves(ratio, parts: thirds), 0), 126) + (sum < 0 ? 1 : 0))
  }

  /// E of a code.
  ///
  /// - Parameter absolute: A, as it was decoded
  static func error(_ code: UInt8, of absolute: Float) -> Float {
    guard code > 0 else { return 0 }
    let size = absolute * power(-(Int(code) - 1) / 2, roots: thirdRoots)
    return code & 1 == 1 ? size : -size
  }

  /// Odd powers of the fourth root of two: where log2 of a significand is nearer to the next half.
  private static let halves: [Float] = [1.189_207_1, 1.681_792_8]
  /// Odd powers of the sixth root of two.
  private static let thirds: [Float] = [1.122_462, 1.414_213_6, 1.781_797_4]
  private static let halfRoots: [Float] = [1, 1.414_213_6]
  private static let thirdRoots: [Float] = [1, 1.259_921, 1.587_401]

  /// The logarithm of a number to base 2, in halves or thirds, rounded.
  private static func octaves(_ number: Float, parts: [Float]) -> Int {
    Int(number.exponent) * parts.count + parts.count { number.significand >= $0 }
  }

  /// 2 to a number of halves or thirds.
  private static func power(_ count: Int, roots: [Float]) -> Float {
    let part = (count % roots.count + roots.count) % roots.count
    return Float(sign: .plus, exponent: (count - part) / roots.count, significand: roots[part])
  }
}
