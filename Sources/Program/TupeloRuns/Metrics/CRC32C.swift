internal import TupeloTraining

/// The checksum of event files: CRC-32C (Castagnoli; RFC 3720, appendix B.4).
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in (crc >> 1) ^ (crc & 1 == 1 ? 0x82f6_3b78 : 0) }
  }

  package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { crc, byte in
      (crc >> 8) ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
    }
  }

  /// The checksum as event files store it. It is masked, because a checksum of data that contain their own checksum is
  /// a constant.
  package static func masked(_ crc: UInt32) -> UInt32 {
    ((crc >> 15) | (crc << 17)) &+ 0xa282_ead8
  }
}
