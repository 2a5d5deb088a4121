internal import TupeloTraining

/// Builds a protocol buffers message, field by field, with the few wire types that event files need.
struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case delimited = 2
    case fixed32 = 5
  }

  mutating func add(_ value: Int64, as field: UInt64) {
    addTag(field, .varint)
    addVarint(UInt64(bitPattern: value))
  }

  mutating func add(_ value: Double, as field: UInt64) {
    addTag(field, .fixed64)
    addLittleEndian(value.bitPattern)
  }

  mutating func add(_ value: Float, as field: UInt64) {
    addTag(field, .fixed32)
    addLittleEndian(value.bitPattern)
  }

  mutating func add(_ text: String, as field: UInt64) { add(Array(text.utf8), as: field) }

  mutating func add(_ message: ProtobufMessage, as field: UInt64) { add(message.bytes, as: field) }

  /// Adds a packed field.
  mutating func add(_ values: [Double], as field: UInt64) {
    var packed = ProtobufMessage()
    for value in values { packed.addLittleEndian(value.bitPattern) }
    add(packed.bytes, as: field)
  }

  private mutating func add(_ content: [UInt8], as field: UInt64) {
    addTag(field, .delimited)
    addVarint(UInt64(content.count))
    bytes += content
  }

  private mutating func addTag(_ field: UInt64, _ type: WireType) { addVarint(field << 3 | type.rawValue) }

  private mutating func addVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func addLittleEndian(_ value: some FixedWidthInteger) {
    bytes += value.littleEndianBytes
  }
}

extension FixedWidthInteger {
  /// The bytes of the integer, the least significant first.
  var littleEndianBytes: [UInt8] {
    stride(from: 0, to: Self.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
