internal import DurableFiles

/// Where the bytes of one tensor go while its file is written, in C order, in as many pieces as are convenient.
///
/// It counts them: more than the tensor has are refused at once, fewer when the closure returns. After an error the
/// file as a whole fails, even if the error is not passed on.
public struct TensorSink: ~Copyable {
  /// The tensor being written.
  public let tensor: TensorDescription
  /// How many bytes it has got so far.
  public private(set) var writtenByteCount = 0
  private let file: ReplacementFile
  /// The first error of the caller, which fails the file even if the caller does not pass it on.
  private var failure: SafetensorsError?

  init(tensor: TensorDescription, file: ReplacementFile) {
    self.tensor = tensor
    self.file = file
  }

  /// Writes the next bytes. They need not end between two numbers.
  ///
  /// - Throws: `SafetensorsError.tooManyBytes`, `SystemError.cannotWrite`.
  public mutating func write(_ bytes: RawSpan) throws {
    guard bytes.byteCount <= tensor.byteCount - writtenByteCount else {
      throw fail(
        .tooManyBytes(
          path: file.path, name: tensor.name, expected: tensor.byteCount, found: writtenByteCount + bytes.byteCount))
    }
    if let failure { throw failure }
    try file.append(bytes)
    writtenByteCount += bytes.byteCount
  }

  /// Writes the next elements.
  ///
  /// - Throws: `SafetensorsError.wrongElementWidth` unless the elements are as wide as the tensor's numbers,
  ///   `SafetensorsError.tooManyBytes`, `SystemError.cannotWrite`.
  public mutating func write<T: TensorElement>(_ values: Span<T>) throws {
    do throws(SafetensorsError) {
      try tensor.checkWidth(of: T.self, path: file.path)
    } catch {
      throw fail(error)
    }
    try write(unsafe values.bytes)
  }

  /// Records the first error, so that the file fails even if someone swallows it now.
  private mutating func fail(_ error: SafetensorsError) -> SafetensorsError {
    failure = failure ?? error
    return error
  }

  /// Makes sure that the tensor got all its bytes and no write was refused.
  func checkIsFull() throws(SafetensorsError) {
    guard writtenByteCount == tensor.byteCount else {
      throw .tooFewBytes(path: file.path, name: tensor.name, expected: tensor.byteCount, found: writtenByteCount)
    }
    if let failure { throw failure }
  }
}
