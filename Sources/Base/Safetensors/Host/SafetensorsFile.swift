internal import TupeloBase

/// A safetensors file, open for reading, or its bytes in memory: its metadata, and its tensors by name.
///
/// Opening checks the whole header, so an open file is consistent: every tensor's bytes are there and belong to it
/// alone. The numbers themselves are not checked: they may be NaN or infinite.
///
/// The bytes of a file on the disk stay there until they are touched, in memory that the system can reclaim. Do not
/// change the file in place while it is open: if a process shortens it, the next access is a bus error (SIGBUS).
/// Replacing it by renaming, as `SafetensorsWriter` does, is safe; this object then still reads the old file.
///
/// Any number of threads may read at once.
public final class SafetensorsFile: Sendable {
  /// The path, or the name of bytes in memory, as given to `init`.
  public var path: String { header.path }
  /// The file's `__metadata__`; empty when it has none.
  public let metadata: [String: String]
  /// All tensors, in the order of their bytes.
  public let tensors: [TensorDescription]
  package let header: SafetensorsHeader
  private let file: FileBytes

  /// Opens a file and checks its header.
  ///
  /// - Throws: `SystemError`: `cannotOpen`, `cannotMap`, `notARegularFile`; `SafetensorsError` when the header is not
  ///   valid.
  /// - Complexity: linear in the length of the header, for any length of the file.
  public convenience init(path: String) throws {
    try self.init(.mapped(MappedFile(path: path)), path: path)
  }

  /// Checks the header of a file whose bytes are in memory, where they stay while this object lives.
  ///
  /// - Parameters:
  ///   - bytes: the whole file. An array is not copied.
  ///   - name: the name in errors, instead of a path
  /// - Throws: `SafetensorsError` when the header is not valid.
  /// - Complexity: linear in the length of the header; if `bytes` is not an array, linear in their number.
  public convenience init(bytes: some Sequence<UInt8>, name: String) throws {
    try self.init(.memory([UInt8](bytes)), path: name)
  }

  private init(_ file: FileBytes, path: String) throws {
    let prefix = SafetensorsHeader.prefix
    guard file.byteCount >= prefix else {
      throw SafetensorsError.truncatedHeader(path: path, length: file.byteCount, expected: prefix)
    }
    let number = file.withBytes(0..<prefix) { bytes in unsafe bytes.unsafeLoadUnaligned(as: UInt64.self) }
    let length = try SafetensorsHeader.length(number, fileLength: file.byteCount, path: path)
    let text = file.withBytes(prefix..<prefix + length) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
    }
    header = try SafetensorsHeader(text, bufferLength: file.byteCount - prefix - length, path: path)
    self.file = file
    var metadata: [String: String] = [:]
    header.metadata.forEach { metadata[$0] = $1 }
    self.metadata = metadata
    tensors = header.tensors
  }

  /// The tensor with a name; `nil` if there is none. O(log n) comparisons of names.
  public func tensor(named name: String) -> TensorDescription? { header.entry(named: name)?.tensor }

  /// Calls `body` with the bytes of a tensor. They may be misaligned for their type, because files need not be padded.
  /// The span is valid during the call only.
  ///
  /// - Throws: `SafetensorsError.noSuchTensor`, or the errors of `body`.
  public func withBytes<R: ~Copyable>(of name: String, _ body: (RawSpan) throws -> R) throws -> R {
    try file.withBytes(entry(named: name).range, body)
  }

  /// Copies a range of elements of a tensor, in C order.
  ///
  /// - Parameters:
  ///   - name: the tensor.
  ///   - range: the elements to copy, counted from 0 to the tensor's `elementCount`.
  ///   - destination: a span of exactly as many elements; unchanged when an error is thrown.
  /// - Throws: `noSuchTensor`, `wrongElementWidth` unless elements are as wide as the tensor's numbers,
  ///   `rangeOutOfBounds`, `wrongDestinationCount`.
  public func copy<T: TensorElement>(
    _ name: String, range: Range<Int>, into destination: inout MutableSpan<T>
  ) throws(SafetensorsError) {
    let source = try bytes(of: name, range: range, as: T.self)
    guard destination.count == range.count else {
      throw .wrongDestinationCount(path: path, name: name, expected: range.count, found: destination.count)
    }
    unsafe destination.withUnsafeMutableBytes { target in
      file.withBytes(source) { bytes in unsafe target.copyMemory(from: bytes) }
    }
  }

  /// All elements of a tensor, in C order. For small tensors: the array is a copy in memory.
  ///
  /// - Throws: `noSuchTensor`; `wrongElementWidth` unless elements are as wide as the tensor's numbers.
  public func array<T: TensorElement>(of name: String, as element: T.Type = T.self) throws(SafetensorsError) -> [T] {
    let count = tensor(named: name)?.elementCount ?? 0
    let source = try bytes(of: name, range: 0..<count, as: T.self)
    return unsafe [T](unsafeUninitializedCapacity: count) { elements, initializedCount in
      file.withBytes(source) { bytes in unsafe UnsafeMutableRawBufferPointer(elements).copyMemory(from: bytes) }
      initializedCount = count
    }
  }

  /// Tells the system that the file will be read once from front to back, so that it reads ahead. The system may ignore
  /// it.
  public func adviseSequential() {
    file.adviseSequential()
  }

  private func entry(named name: String) throws(SafetensorsError) -> SafetensorsHeader.Entry {
    guard let entry = header.entry(named: name) else { throw .noSuchTensor(path: path, name: name) }
    return entry
  }

  /// The byte range in the file of a range of elements.
  private func bytes<T: TensorElement>(
    of name: String, range: Range<Int>, as element: T.Type
  ) throws(SafetensorsError) -> Range<Int> {
    let entry = try entry(named: name)
    let tensor = entry.tensor
    try tensor.checkWidth(of: T.self, path: path)
    guard range.lowerBound >= 0, range.upperBound <= tensor.elementCount else {
      throw .rangeOutOfBounds(path: path, name: name, range: range, count: tensor.elementCount)
    }
    let width = tensor.type.byteWidth
    let start = entry.range.lowerBound
    return start + range.lowerBound * width..<start + range.upperBound * width
  }
}

extension TensorDescription {
  /// Checks that the tensor's numbers are as wide as the elements.
  func checkWidth<T: TensorElement>(of element: T.Type, path: String) throws(SafetensorsError) {
    guard MemoryLayout<T>.stride == type.byteWidth, MemoryLayout<T>.size == type.byteWidth else {
      throw .wrongElementWidth(path: path, name: name, type: type, width: MemoryLayout<T>.stride)
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies as many bytes as the span has.
  @unsafe
  fileprivate func copyMemory(from bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { source in unsafe copyMemory(from: source) }
  }
}
