internal import TupeloBase

/// The header of a file: which tensors its byte buffer holds, and where.
///
/// Every value of this type has been checked: names are unique, types are known, and the tensors tile the byte buffer
/// without hole or overlap. The engine of the page reads model files by this type, too, so it has no dictionary:
/// hashing would make the engine larger.
package final class SafetensorsHeader: Sendable {
  /// The longest header, in bytes, that is read or written. The reference reader has the same limit.
  static let limit = 100_000_000
  /// The bytes before the header, which hold its length.
  package static let prefix = 8
  static let metadataKey = "__metadata__"

  /// A tensor and the place of its bytes.
  package struct Entry: Sendable {
    package let tensor: TensorDescription
    package let range: Range<Int>
  }

  /// The file's path, for error messages.
  package let path: String
  package let metadata: Metadata
  /// The entries as the header lists them. Their places count from the beginning of the byte buffer.
  private let entries: [Entry]
  private let names: NameIndex
  /// The numbers of the entries, in the order of their bytes.
  private let order: [Int]
  /// The place of the byte buffer in the file.
  private let bufferStart: Int

  /// Parses and checks a header.
  ///
  /// - Parameters:
  ///   - bytes: the header alone, without the eight bytes of its length.
  ///   - bufferLength: the number of bytes in the file after the header.
  ///   - path: the file's path, for error messages.
  /// - Complexity: linear in the header's bytes, in time and memory, except for sorting the names.
  package init(_ bytes: [UInt8], bufferLength: Int, path: String) throws(SafetensorsError) {
    var cursor = JSONCursor(bytes, path: path, base: Self.prefix)
    var metadata: Metadata?
    var entries: [Entry] = []
    var offsets: [Int] = []
    try cursor.enterObject()
    while let (key, offset) = try cursor.nextKey() {
      guard key == Self.metadataKey else {
        entries.append(try Self.readEntry(&cursor, name: key, path: path))
        offsets.append(offset)
        continue
      }
      guard metadata == nil else { throw .duplicateKey(path: path, offset: offset, key: key) }
      metadata = try Metadata(&cursor, path: path)
    }
    try cursor.readEnd()
    self.path = path
    self.metadata = metadata ?? Metadata()
    self.entries = entries
    names = try NameIndex(entries.map { $0.tensor.name }, offsets: offsets, path: path)
    order = try Self.order(of: entries, bufferLength: bufferLength, path: path)
    bufferStart = Self.prefix + bytes.count
  }

  /// All tensors, in the order of their bytes.
  package var tensors: [TensorDescription] { order.map { entries[$0].tensor } }

  /// The tensor with a name, and its bytes in the file; `nil` if there is none.
  ///
  /// - Complexity: O(log n) comparisons of names.
  package func entry(named name: String) -> Entry? {
    guard let number = names.number(of: name) else { return nil }
    let (tensor, range) = (entries[number].tensor, entries[number].range)
    return Entry(tensor: tensor, range: bufferStart + range.lowerBound..<bufferStart + range.upperBound)
  }

  private static func readEntry(
    _ cursor: inout JSONCursor, name: String, path: String
  ) throws(SafetensorsError) -> Entry {
    var typeName: String?
    var shape: [Int]?
    var offsets: [Int]?
    try cursor.enterObject()
    while let (key, offset) = try cursor.nextKey() {
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

  /// The order of the entries by place. Checks that they tile the buffer exactly. Empty tensors at one place keep the
  /// order of the header.
  private static func order(
    of entries: [Entry], bufferLength: Int, path: String
  ) throws(SafetensorsError) -> [Int] {
    let order = sortedNumbers(below: entries.count) { left, right in
      let (first, second) = (entries[left].range, entries[right].range)
      return first.lowerBound == second.lowerBound
        ? first.upperBound < second.upperBound : first.lowerBound < second.lowerBound
    }
    var end = 0
    for number in order {
      let entry = entries[number]
      guard entry.range.lowerBound == end else {
        throw .misplacedTensor(path: path, name: entry.tensor.name, expected: end, found: entry.range.lowerBound)
      }
      end = entry.range.upperBound
    }
    guard end == bufferLength else { throw .wrongBufferLength(path: path, expected: end, found: bufferLength) }
    return order
  }
}

extension SafetensorsHeader {
  /// The length of the header, in bytes.
  ///
  /// - Parameters:
  ///   - length: the first eight bytes of the file as a number
  ///   - fileLength: the length of the file, at least eight
  package static func length(
    _ length: UInt64, fileLength: Int, path: String
  ) throws(SafetensorsError) -> Int {
    guard length <= limit else {
      if isText(length) { throw .text(path: path) }
      throw .headerTooLarge(path: path, length: length, limit: limit)
    }
    guard Int(length) <= fileLength - prefix else {
      throw .truncatedHeader(path: path, length: fileLength, expected: prefix + Int(length))
    }
    return Int(length)
  }

  /// Whether the eight bytes that should be a length are printable characters or line ends.
  private static func isText(_ length: UInt64) -> Bool {
    (0..<8).allSatisfy { number in
      let byte = UInt8(truncatingIfNeeded: length >> (8 * UInt64(number)))
      return (0x20...0x7e).contains(byte) || byte == 0x09 || byte == 0x0a || byte == 0x0d
    }
  }

  /// The `__metadata__` of a header.
  package struct Metadata: Sendable {
    private var names = NameIndex()
    private var values: [String] = []

    init() {}

    init(_ cursor: inout JSONCursor, path: String) throws(SafetensorsError) {
      var (keys, values, offsets): ([String], [String], [Int]) = ([], [], [])
      try cursor.enterObject()
      while let (key, offset) = try cursor.nextKey() {
        keys.append(key)
        values.append(try cursor.readString())
        offsets.append(offset)
      }
      names = try NameIndex(keys, offsets: offsets, path: path)
      self.values = values
    }

    /// The value of a key; `nil` if the key is missing.
    package subscript(key: String) -> String? { names.number(of: key).map { values[$0] } }

    /// Calls `body` with each key and its value, in the order of the header.
    func forEach(_ body: (String, String) -> Void) {
      for (number, name) in names.names.enumerated() { body(name, values[number]) }
    }
  }
}

extension Optional {
  /// Sets the value and returns whether there was one.
  fileprivate mutating func replace(with value: Wrapped) -> Bool {
    defer { self = value }
    return self != nil
  }
}
