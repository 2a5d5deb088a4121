#if hasFeature(Embedded)
/// The checksum of zlib. In a page it replaces the type in `Zlib.swift`, which calls the library. The browser
/// decompresses streams for the page.
enum Zlib {
  /// CRC-32 of several buffers, one after the other.
  static func checksum(_ buffers: [[UInt8]]) -> UInt32 {
    let table = (0..<256).map { number in
      (0..<8).reduce(UInt32(number)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    var sum: UInt32 = 0xffff_ffff
    for buffer in buffers {
      for byte in buffer { sum = table[Int((sum ^ UInt32(byte)) & 0xff)] ^ sum >> 8 }
    }
    return ~sum
  }
}
#endif
