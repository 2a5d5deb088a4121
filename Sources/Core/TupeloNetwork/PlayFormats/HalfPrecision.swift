/// Half precision (IEEE 754 binary16) in software, because `Float16` is missing on Macs with Intel processors.
extension Float {
  /// The largest finite number in half precision.
  static var largestHalf: Float { 65504 }

  /// The number that 16 bits stand for, exactly.
  init(halfBits bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let magnitude = UInt32(bits & 0x7fff) << 13
    // So far the exponent is biased by 15; single precision uses 127.
    let value =
      magnitude >= 0x7c00 << 13 ? Float(bitPattern: magnitude | 0x7f80_0000) : Float(bitPattern: magnitude) * 0x1p112
    self.init(bitPattern: value.bitPattern | sign)
  }

  /// The nearest number in half precision, ties to even; infinite from 65520 on.
  var halfBits: UInt16 {
    let sign = UInt16(truncatingIfNeeded: bitPattern >> 16) & 0x8000
    let magnitude = bitPattern & 0x7fff_ffff
    if magnitude > 0x7f80_0000 { return sign | 0x7e00 }
    if magnitude >= Float(65520).bitPattern { return sign | 0x7c00 }
    // Below the normal numbers all steps are 2^-24. Single precision has the same step from 0.5 on, so its addition
    // rounds.
    if magnitude < Float(0x1p-14).bitPattern {
      return sign | UInt16(truncatingIfNeeded: (Float(bitPattern: magnitude) + 0.5).bitPattern &- Float(0.5).bitPattern)
    }
    let rounded = magnitude &+ 0xfff &+ (magnitude >> 13 & 1)
    return sign | UInt16(truncatingIfNeeded: (rounded &- 112 << 23) >> 13)
  }
}
