package import Safetensors

extension ModelFile.Key {
  /// The encoding: `f16` or `compact`. Files of format 1 have none and are in single precision.
  package static let encoding = "tupelo.encoding"
  /// The factor, a power of two, on the numbers of an `f16` file.
  static let scale = "tupelo.f16.scale"
  /// The step of a `compact` file, in score points.
  package static let step = "tupelo.compact.step"
  /// The number of kept weights of each table.
  static let kept = "tupelo.compact.kept"
  /// CRC-32 of each table's bytes before compression, 8 hex digits each.
  static let checksums = "tupelo.compact.crc32"
}

/// How a file stores its weights. The program and the engine of the page read it from the header.
enum WeightEncoding {
  /// Single precision; the tensors' names begin with `prefix`.
  case single(prefix: String)
  case half(scale: Float)
  case compact(step: Float, kept: [Int], checksums: [String])

  /// Reads the encoding, and checks that all tensors are there and have the right size.
  init(_ header: SafetensorsHeader, tables: [NetworkTable]) throws(ModelReadingError) {
    switch header.metadata[ModelFile.Key.encoding] {
    case nil, "f32":
      let isAveraged = header.entry(named: ModelFile.averagePrefix + "weights.0") != nil
      self = .single(prefix: isAveraged ? ModelFile.averagePrefix : "")
    case "f16": self = .half(scale: try header.positive(ModelFile.Key.scale))
    case "compact":
      let kept = header.words(ModelFile.Key.kept).compactMap(wholeNumber)
      let checksums = header.words(ModelFile.Key.checksums).map { String($0) }
      guard kept.count == tables.count, zip(kept, tables).allSatisfy({ 0...$1.size ~= $0 }) else {
        throw .compact(.badMetadata(path: header.path, key: ModelFile.Key.kept))
      }
      guard checksums.count == tables.count else {
        throw .compact(.badMetadata(path: header.path, key: ModelFile.Key.checksums))
      }
      self = .compact(step: try header.positive(ModelFile.Key.step), kept: kept, checksums: checksums)
    case let other?: throw .model(.unknownEncoding(path: header.path, found: other))
    }
    for (number, table) in tables.enumerated() {
      if case .compact(_, let kept, _) = self {
        _ = try CompactTable.streams(of: number, weightCount: table.size, kept: kept[number], in: header)
      } else {
        _ = try plainTensor(of: number, table, in: header)
      }
    }
  }

  /// The tensor of a table in single or half precision, which is checked.
  func plainTensor(
    of number: Int, _ table: NetworkTable, in header: SafetensorsHeader
  ) throws(ModelReadingError) -> SafetensorsHeader.Entry {
    let tensor =
      switch self {
      case .single(let prefix): Self.tensor(of: number, table, type: .f32, prefix: prefix)
      case .half, .compact: Self.tensor(of: number, table, type: .f16)
      }
    do {
      return try header.checked(tensor)
    } catch {
      throw .model(error)
    }
  }

  /// The tensor of a table's weights.
  static func tensor(
    of number: Int, _ table: NetworkTable, type: TensorType, prefix: String = ""
  ) -> TensorDescription {
    TensorDescription(name: "\(prefix)weights.\(number)", type: type, shape: table.axes)
  }
}

/// A stream in a file that a browser or zlib unpacks.
struct PackedStream {
  let name: String
  /// The bytes of the stream in the file.
  let range: Range<Int>
  /// The number of bytes when it is unpacked.
  let count: Int

  /// The largest ratio of a zlib stream's length to its compressed length, apart from a few bytes.
  static var largestRatio: Int { 1032 }
}

extension CompactTable {
  static let mapName = "map"
  static func planeName(_ plane: Int) -> String { "byte\(plane)" }
  static func name(_ part: String, number: Int) -> String { "compact.\(part).\(number)" }

  /// The streams of a table: the map, and then one to four planes. Checks, without unpacking a stream, that it is there
  /// and can hold its bytes.
  ///
  /// - Parameters:
  ///   - weightCount: the number of weights of the table
  ///   - kept: the number of weights that are kept
  static func streams(
    of number: Int, weightCount: Int, kept: Int, in header: SafetensorsHeader
  ) throws(ModelReadingError) -> [PackedStream] {
    var streams = [try stream(mapName, number: number, count: weightCount / 8, in: header)]
    for plane in 0..<4 {
      let isThere = header.entry(named: name(planeName(plane), number: number)) != nil
      guard plane == 0 || isThere else { break }
      streams.append(try stream(planeName(plane), number: number, count: kept, in: header))
    }
    return streams
  }

  /// One stream of a table; see `streams`.
  static func stream(
    _ part: String, number: Int, count: Int, in header: SafetensorsHeader
  ) throws(ModelReadingError) -> PackedStream {
    let name = name(part, number: number)
    guard let entry = header.entry(named: name) else {
      throw .model(.missingTensor(path: header.path, name: name))
    }
    guard entry.tensor.type == .u8, entry.tensor.shape.count == 1 else {
      throw .compact(.notAStream(path: header.path, name: name))
    }
    guard count / PackedStream.largestRatio <= entry.range.count else {
      throw .compact(
        .damagedStream(
          path: header.path, name: name, reason: "\(entry.range.count) bytes cannot be \(count) compressed"))
    }
    return PackedStream(name: name, range: entry.range, count: count)
  }
}

/// The whole number that a word of metadata names. One copy of this function is enough for the page.
@inline(never)
func wholeNumber(_ word: Substring) -> Int? { Int(word) }

/// The number that a word of metadata names, such as `16`, `0.5` or `5e-04`, rounded to a double and then to a float.
///
/// The standard library's reader of numbers needs functions of C, which the page does not have. Up to 15 digits and
/// powers of ten up to 22 are exact; a number in a file has nine digits.
func decimalNumber(_ word: String) -> Float? {
  let bytes = Array(word.utf8)
  var (index, digits, exponent, isFraction) = (0, 0.0, 0, false)
  func digit() -> Int? { index < bytes.count && 0x30...0x39 ~= bytes[index] ? Int(bytes[index]) - 0x30 : nil }
  while index < bytes.count {
    if let digit = digit() {
      digits = digits * 10 + Double(digit)
      if isFraction { exponent -= 1 }
    } else if bytes[index] == 0x2e, !isFraction, index > 0 {
      isFraction = true
    } else {
      break
    }
    index += 1
  }
  guard index > 0 else { return nil }
  if index < bytes.count {
    guard bytes[index] | 0x20 == 0x65 else { return nil }
    index += 1
    let isNegative = index < bytes.count && bytes[index] == 0x2d
    if isNegative || index < bytes.count && bytes[index] == 0x2b { index += 1 }
    guard digit() != nil else { return nil }
    var power = 0
    while let digit = digit() {
      power = min(power * 10 + digit, 1000)
      index += 1
    }
    guard index == bytes.count else { return nil }
    exponent += isNegative ? -power : power
  }
  var scale = 1.0
  for _ in 0..<min(abs(exponent), 300) { scale *= 10 }
  return Float(exponent < 0 ? digits / scale : digits * scale)
}

extension SafetensorsHeader {
  /// Checks that a tensor is there, and returns it with its place.
  ///
  /// - Throws: `ModelFileError` when the tensor is missing or has another shape or type.
  @discardableResult
  package func checked(_ tensor: TensorDescription) throws(ModelFileError) -> Entry {
    guard let found = entry(named: tensor.name) else { throw .missingTensor(path: path, name: tensor.name) }
    guard found.tensor.shape == tensor.shape, found.tensor.type == tensor.type else {
      throw .wrongShape(path: path, name: tensor.name, found: found.tensor.shape, expected: tensor.shape)
    }
    return found
  }

  /// The words of a key's value; none if the key is missing.
  fileprivate func words(_ key: String) -> [Substring] { (metadata[key] ?? "").split(separator: " ") }

  fileprivate func positive(_ key: String) throws(ModelReadingError) -> Float {
    guard let value = metadata[key].flatMap(decimalNumber), value > 0, value.isFinite else {
      throw .compact(.badMetadata(path: path, key: key))
    }
    return value
  }
}
