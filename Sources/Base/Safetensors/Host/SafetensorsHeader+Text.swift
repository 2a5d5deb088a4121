/// Writes a header. Only this file decides the layout.
extension SafetensorsHeader {
  /// The tensors in file order: widest numbers first, so that each tensor begins at a multiple of its width, then by
  /// the bytes of their names.
  static func inFileOrder(_ tensors: [TensorDescription]) -> [TensorDescription] {
    tensors.sorted { left, right in
      let (first, second) = (left.type.byteWidth, right.type.byteWidth)
      return first == second ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : first > second
    }
  }

  /// The first bytes of a file: length, header, and spaces up to a multiple of eight. The same arguments give the same
  /// bytes.
  ///
  /// - Parameter tensors: in file order.
  static func bytes(
    metadata: [String: String], tensors: [TensorDescription], path: String
  ) throws(SafetensorsError) -> [UInt8] {
    var text: [UInt8] = []
    var separator = "{"
    if !metadata.isEmpty {
      let pairs = metadata.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { $0.key.jsonLiteral + ":" + $0.value.jsonLiteral }
      text.append(contentsOf: "{\(metadataKey.jsonLiteral):{\(pairs.joined(separator: ","))}".utf8)
      separator = ","
    }
    var begin = 0
    for tensor in tensors {
      let (end, overflow) = begin.addingReportingOverflow(tensor.byteCount)
      guard !overflow else { throw .contentsTooLarge(path: path) }
      let shape = tensor.shape.map { String($0) }.joined(separator: ",")
      let entry = #"{"dtype":"\#(tensor.type.rawValue)","shape":[\#(shape)],"data_offsets":[\#(begin),\#(end)]}"#
      text.append(contentsOf: "\(separator)\(tensor.name.jsonLiteral):\(entry)".utf8)
      separator = ","
      begin = end
    }
    text.append(contentsOf: (separator == "{" ? "{}" : "}").utf8)
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: -text.count & 7))
    guard text.count <= limit else {
      throw .headerTooLarge(path: path, length: UInt64(text.count), limit: limit)
    }
    return (0..<prefix).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text
  }
}
