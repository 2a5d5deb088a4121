internal import TupeloBase

/// Receives the bytes of one tensor while its file is written, in C order, in any number of pieces.
///
/// The sink counts the bytes. Too many bytes are refused at once, and too few bytes are an error when the closure
/// returns. After an error the whole file fails, even if the caller does not pass the error on.
public struct TensorSink: ~Copyable {
  /// The tensor being written.
  public let tensor: TensorDescription
  /// The number of bytes written so far.
  public private(set) var writtenByteCount = 0
  /// The path of the file, for errors.
  package var path: String { file.path }
  private let file: any ByteOutput
  /// The first error of the caller, which fails the file even if the caller does not pass it on.
  private var failure: SafetensorsError?

  init(tensor: TensorDescription, file: any ByteOutput) {
    self.tensor = tensor
    self.file = file
  }

  /// Writes the next bytes. A piece may end within a number.
  ///
  /// - Throws: `SafetensorsError.tooManyBytes`, `SystemError.cannotWrite`, `CancellationError`.
  public mutating func write(_ bytes: RawSpan) throws {
    guard bytes.byteCount <= tensor.byteCount - writtenByteCount else {
      throw fail(
        .tooManyBytes(
          path: file.path, name: tensor.name, expected: tensor.byteCount, found: writtenByteCount + bytes.byteCount))
    }
    if let failure { throw failure }
    try Interruption.check()
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

  /// Records the first error, so that the file fails even if the caller ignores it now.
  private mutating func fail(_ error: SafetensorsError) -> SafetensorsError {
    failure = failure ?? error
    return error
  }

  /// Checks that the tensor got all its bytes and no write was refused.
  func checkIsFull() throws(SafetensorsError) {
    guard writtenByteCount == tensor.byteCount else {
      throw .tooFewBytes(path: file.path, name: tensor.name, expected: tensor.byteCount, found: writtenByteCount)
    }
    if let failure { throw failure }
  }
}
