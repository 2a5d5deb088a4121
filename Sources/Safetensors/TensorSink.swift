/// Where the bytes of one tensor go while its file is written, in C order, in as many pieces as are convenient.
///
/// It counts them: more than the tensor has are refused at once, fewer when the closure returns. After an error the file as a whole
/// fails, even if the error is not passed on.
public struct TensorSink: ~Copyable {
  /// The tensor being written.
  public let tensor: TensorDescription
  /// How many bytes it has got so far.
  public private(set) var writtenByteCount = 0
  private let file: ReplacementFile

  init(tensor: TensorDescription, file: ReplacementFile) {
    self.tensor = tensor
    self.file = file
  }

  /// Writes the next bytes. They need not end between two numbers.
  ///
  /// - Throws: `SafetensorsError`: `tooManyBytes`, `cannotWrite`.
  public mutating func write(_ bytes: RawSpan) throws(SafetensorsError) {
    guard bytes.byteCount <= tensor.byteCount - writtenByteCount else {
      throw file.fail(
        .tooManyBytes(
          path: file.path, name: tensor.name, expected: tensor.byteCount, found: writtenByteCount + bytes.byteCount))
    }
    try file.append(bytes)
    writtenByteCount += bytes.byteCount
  }

  /// Writes the next elements.
  ///
  /// - Throws: `SafetensorsError`: `wrongElementWidth` unless they are as wide as the tensor's numbers, `tooManyBytes`, `cannotWrite`.
  public mutating func write<T: TensorElement>(_ values: Span<T>) throws(SafetensorsError) {
    do {
      try tensor.checkWidth(of: T.self, path: file.path)
    } catch {
      throw file.fail(error)
    }
    try write(unsafe values.bytes)
  }

  /// Makes sure that the tensor got all its bytes.
  func checkIsFull() throws(SafetensorsError) {
    guard writtenByteCount == tensor.byteCount else {
      throw .tooFewBytes(path: file.path, name: tensor.name, expected: tensor.byteCount, found: writtenByteCount)
    }
  }
}
