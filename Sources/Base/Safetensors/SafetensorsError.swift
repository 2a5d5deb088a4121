/// Why a safetensors file, or a request to read or write one, is refused.
///
/// `path` is the path as the caller gave it. `description` is the text for people. When the system refuses to read or
/// write, the error is a `SystemError`.
public enum SafetensorsError: Error, Hashable, Sendable {
  // The file is damaged or hostile. Offsets count bytes from the beginning of the file.

  /// The file has `length` bytes, but needs at least `expected`: 8, or 8 and the length of its header.
  case truncatedHeader(path: String, length: Int, expected: Int)
  /// The file begins with printable characters: it is a text and not a model.
  case text(path: String)
  /// The header has, or would have, `length` bytes, more than `limit`.
  case headerTooLarge(path: String, length: UInt64, limit: Int)
  /// The header is not valid JSON of the format.
  case malformedHeader(path: String, offset: Int, expected: String, found: String)
  /// The string in the header that begins at `offset` is not UTF-8.
  case notUTF8(path: String, offset: Int)
  /// A key occurs twice in one object. Names that differ only in Unicode normalisation count as one.
  case duplicateKey(path: String, offset: Int, key: String)
  /// A tensor's entry lacks `dtype`, `shape` or `data_offsets`.
  case missingField(path: String, name: String, field: String)
  /// A tensor's entry has a field that the format does not define.
  case unexpectedField(path: String, name: String, field: String)
  /// The type of a tensor is not one of `TensorType`.
  case unknownType(path: String, name: String, found: String)
  /// The size of a tensor of this shape does not fit an `Int`.
  case shapeOverflow(path: String, name: String, shape: [Int])
  /// `data_offsets` is not two numbers in order.
  case badOffsets(path: String, name: String, found: [Int])
  /// Shape and type need `expected` bytes, but `data_offsets` span `found`.
  case wrongByteCount(path: String, name: String, expected: Int, found: Int)
  /// Tensors overlap or leave a hole. This one begins at `found` in the byte buffer; the one before it ends at
  /// `expected`.
  case misplacedTensor(path: String, name: String, expected: Int, found: Int)
  /// The tensors need a byte buffer of `expected` bytes, but the file has `found`.
  case wrongBufferLength(path: String, expected: Int, found: Int)

  // The caller's request to read is not possible.

  /// The file has no such tensor.
  case noSuchTensor(path: String, name: String)
  /// Numbers of `type` cannot be copied to or from elements of `width` bytes.
  case wrongElementWidth(path: String, name: String, type: TensorType, width: Int)
  /// The range is not within the tensor's `count` elements.
  case rangeOutOfBounds(path: String, name: String, range: Range<Int>, count: Int)
  /// The destination has room for `found` elements, but the range has `expected`.
  case wrongDestinationCount(path: String, name: String, expected: Int, found: Int)

  // The caller's request to write is not possible.

  /// Two tensors to be written have the same name.
  case duplicateTensor(path: String, name: String)
  /// A tensor to be written is named `__metadata__`.
  case reservedName(path: String)
  /// All tensors together do not fit an `Int`.
  case contentsTooLarge(path: String)
  /// Only `found` of the `expected` bytes of a tensor were written.
  case tooFewBytes(path: String, name: String, expected: Int, found: Int)
  /// A write would have extended a tensor of `expected` bytes to `found`.
  case tooManyBytes(path: String, name: String, expected: Int, found: Int)
}
