/// The header of a file: which tensors its byte buffer holds, and where.
///
/// Every value of this type has been checked: names are unique, types are known, and the tensors tile the byte buffer
/// without hole or overlap.
struct Header {
  /// The longest header, in bytes, that is read or written. The reference reader has the same limit.
  static let limit = 100_000_000
  /// The bytes before the header, which hold its length.
  static let prefix = 8
  static let metadataKey = "__metadata__"

  /// A tensor and its bytes in the buffer.
  struct Entry {
    let tensor: TensorDescription
    let range: Range<Int>
  }

  private(set) var metadata: [String: String] = [:]
  /// The entries, in the order of their bytes.
  private(set) var entries: [Entry] = []

  /// Parses and checks a header.
  ///
  /// - Parameters:
  ///   - bytes: the header alone, without the eight bytes of its length.
  ///   - bufferLength: the number of bytes in the file after the header.
  ///   - path: the file's path, for error messages.
  /// - Complexity: linear in the header's bytes, in time and memory, except for sorting the tensors by place.
  init(_ bytes: [UInt8], bufferLength: Int, path: String) throws(SafetensorsError) {
    var cursor = JSONCursor(bytes, path: path, base: Self.prefix)
    var keys: Set<String> = []
    var metadata: [String: String] = [:]
    var entries: [Entry] = []
    try cursor.readObject { (cursor: inout JSONCursor, key: String, offset: Int) throws(SafetensorsError) in
      guard keys.insert(key).inserted else { throw .duplicateKey(path: path, offset: offset, key: key) }
      if key == Self.metadataKey {
        metadata = try Self.readMetadata(&cursor, path: path)
      } else {
        entries.append(try Self.readEntry(&cursor, name: key, path: path))
      }
    }
    try cursor.readEnd()
    self.metadata = metadata
    self.entries = try Self.inOrder(entries, bufferLength: bufferLength, path: path)
  }

  private static func readMetadata(
    _ cursor: inout JSONCursor, path: String
  ) throws(SafetensorsError) -> [String: String] {
    var metadata: [String: String] = [:]
    try cursor.readObject { (cursor: inout JSONCursor, key: String, offset: Int) throws(SafetensorsError) in
      guard metadata.updateValue(try cursor.readString(), forKey: key) == nil else {
        throw .duplicateKey(path: path, offset: offset, key: key)
      }
    }
    return metadata
  }

  private static func readEntry(
    _ cursor: inout JSONCursor, name: String, path: String
  ) throws(SafetensorsError) -> Entry {
    var typeName: String?
    var shape: [Int]?
    var offsets: [Int]?
    try cursor.readObject { (cursor: inout JSONCursor, key: String, offset: Int) throws(SafetensorsError) in
      let isKnown: Bool
      switch key {
      case "dtype": isKnown = typeName.replace(with: try cursor.readString())
      case "shape": isKnown = shape.replace(with: try cursor.readIntegers())
      case "data_offsets": isKnown = offsets.replace(with: try cursor.readIntegers())
      default: throw .unexpectedField(path: path, name: name, field: key)
      }
      guard !isKnown else { throw .duplicateKey(path: path, offset: offset, key: key) }
    }
    guard let typeName else { throw .missingField(path: path, name: name, field: "dtype") }
    guard let shape else { throw .missingField(path: path, name: name, field: "shape") }
    guard let offsets else { throw .missingField(path: path, name: name, field: "data_offsets") }
    guard let type = TensorType(rawValue: typeName) else {
      throw .unknownType(path: path, name: name, found: typeName)
    }
    guard offsets.count == 2, offsets[0] <= offsets[1] else {
      throw .badOffsets(path: path, name: name, found: offsets)
    }
    guard let byteCount = TensorDescription.byteCount(of: shape, type: type) else {
      throw .shapeOverflow(path: path, name: name, shape: shape)
    }
    let range = offsets[0]..<offsets[1]
    guard range.count == byteCount else {
      throw .wrongByteCount(path: path, name: name, expected: byteCount, found: range.count)
    }
    return Entry(tensor: TensorDescription(name: name, type: type, shape: shape), range: range)
  }

  /// Sorts the entries by place and checks that they tile the buffer exactly. Empty tensors at one place keep the order
  /// of the header.
  private static func inOrder(
    _ entries: [Entry], bufferLength: Int, path: String
  ) throws(SafetensorsError) -> [Entry] {
    let sorted = entries.enumerated().sorted { left, right in
      let (first, second) = (left.element.range, right.element.range)
      return (first.lowerBound, first.upperBound, left.offset) < (second.lowerBound, second.upperBound, right.offset)
    }.map(\.element)
    var end = 0
    for entry in sorted {
      guard entry.range.lowerBound == end else {
        throw .misplacedTensor(path: path, name: entry.tensor.name, expected: end, found: entry.range.lowerBound)
      }
      end = entry.range.upperBound
    }
    guard end == bufferLength else { throw .wrongBufferLength(path: path, expected: end, found: bufferLength) }
    return sorted
  }
}

extension Optional {
  /// Sets the value and returns whether there was one.
  fileprivate mutating func replace(with value: Wrapped) -> Bool {
    defer { self = value }
    return self != nil
  }
}
