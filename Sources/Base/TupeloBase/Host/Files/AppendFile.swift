#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A file that grows at its end by whole pieces. If a piece cannot be written, no part of it stays in the file.
///
/// Every piece is passed to the system at once, so a process that dies later loses no piece. A reader of the growing
/// file sees at most its last piece cut short.
package final class AppendFile {
  package let path: String
  /// The length of all whole pieces, in bytes.
  package private(set) var length: Int
  private let descriptor: Int32
  private let calls: FileCalls
  /// Whether part of a failed piece may be in the file beyond `length`.
  private var isTorn = false

  /// Opens a file for appending, or makes it. A symbolic link is not followed.
  ///
  /// - Parameter mustBeNew: whether an existing file is an error, with `EEXIST`.
  /// - Throws: `SystemError`: `cannotAppend`, `linked`, `notARegularFile`.
  package init(path: String, mustBeNew: Bool, calls: FileCalls) throws(SystemError) {
    (descriptor, length) = try Posix.openOwn(path, O_APPEND | (mustBeNew ? O_EXCL : 0)) {
      .cannotAppend(path: path, errno: $0.code)
    }
    self.path = path
    self.calls = calls
  }

  deinit { close(descriptor) }

  /// Appends a piece, whole or not at all. After a failure the caller may try again.
  ///
  /// - Throws: `SystemError.cannotWrite`.
  package func append(_ piece: [UInt8]) throws(SystemError) {
    if isTorn { try truncate(to: length) }
    isTorn = true
    do throws(FailedCall) {
      try calls.writeAll(unsafe piece.span.bytes, to: descriptor)
    } catch {
      // If this fails as well, the next piece tries again before it is written.
      if ftruncate(descriptor, off_t(length)) == 0 { isTorn = false }
      throw .cannotWrite(path: path, errno: error.code)
    }
    isTorn = false
    length += piece.count
  }

  /// Cuts the file off at a length in bytes.
  package func truncate(to newLength: Int) throws(SystemError) {
    do {
      _ = try FailedCall.checking { Int(ftruncate(descriptor, off_t(newLength))) }
    } catch {
      throw .cannotWrite(path: path, errno: error.code)
    }
    length = newLength
    isTorn = false
  }

  /// Waits until all pieces are on the disk, if its file system can say so.
  package func synchronize() throws(SystemError) {
    do {
      try calls.synchronizeIfSupported(descriptor)
    } catch {
      throw .cannotWrite(path: path, errno: error.code)
    }
  }
}
