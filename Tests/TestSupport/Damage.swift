public import TupeloEngine

/// Random damage to files for the tests of readers, the same each time for a seed.
public enum Damage {
  /// Makes one to three pieces of damage: bits inverted, bytes set to values that cause trouble, stretches removed,
  /// repeated or cut off.
  public static func damaged(_ original: [UInt8], by random: inout RandomStream) -> [UInt8] {
    var bytes = original
    for _ in 0...random.next(below: 3) where !bytes.isEmpty {
      // Headers are small and matter most, so every other place is among the first bytes.
      let reach = random.next(below: 2) == 0 ? min(bytes.count, 64) : bytes.count
      let place = random.next(below: reach)
      let end = min(place + 1 + random.next(below: 8), bytes.count)
      switch random.next(below: 6) {
      case 0, 1: bytes[place] ^= 1 << UInt8(random.next(below: 8))
      case 2:
        let value = [0, 1, 0x7f, 0x80, 0xff][random.next(below: 5)] as UInt8
        for index in place..<end { bytes[index] = value }
      case 3: bytes.removeSubrange(place..<end)
      case 4: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
