internal import Safetensors

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that grows at its end by whole pieces: of a piece that finds no room, nothing stays behind.
///
/// Every piece is handed to the system at once, so that a process that dies later loses none, and who reads the file meanwhile sees
/// at most its last piece cut short.
final class AppendFile {
  let path: String
  /// Bytes of all whole pieces.
  private(set) var length: Int
  private let descriptor: Int32
  private let calls: FileCalls
  /// Part of a piece may stand behind `length`.
  private var isTorn = false

  /// Opens a file for appending, making it if there is none.
  ///
  /// - Parameter mustBeNew: with a file there, it fails with EEXIST
  init(path: String, mustBeNew: Bool, calls: FileCalls) throws(MetricsError) {
    guard !path.utf8.contains(0) else { throw .cannotOpen(path: path, errno: EINVAL) }
    let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | (mustBeNew ? O_EXCL : 0)
    var status = stat()
    do {
      descriptor = try Int32(SystemError.checking { unsafe Int(open(path, flags, 0o666)) })
    } catch {
      throw error.code == EISDIR ? .notARegularFile(path: path) : .cannotOpen(path: path, errno: error.code)
    }
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notARegularFile(path: path)
    }
    self.path = path
    self.calls = calls
    length = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Adds a piece, whole or not at all. After a failure it may be tried again.
  func append(_ piece: [UInt8]) throws(MetricsError) {
    if isTorn { try truncate(to: length) }
    var rest = unsafe piece.span.bytes
    isTorn = true
    do throws(SystemError) {
      while !rest.isEmpty {
        let count = try calls.write(descriptor, rest)
        guard count > 0 else { throw SystemError(code: EIO) }
        rest = rest.extracting(droppingFirst: count)
      }
    } catch {
      // If this fails as well, the next piece tries again before it is written.
      if ftruncate(descriptor, off_t(length)) == 0 { isTorn = false }
      throw .cannotWrite(path: path, errno: error.code)
    }
    isTorn = false
    length += piece.count
  }

  /// Cuts off everything from a byte on.
  func truncate(to newLength: Int) throws(MetricsError) {
    do {
      _ = try SystemError.checking { Int(ftruncate(descriptor, off_t(newLength))) }
    } catch {
      throw .cannotWrite(path: path, errno: error.code)
    }
    length = newLength
    isTorn = false
  }

  /// Returns when all pieces are on the disk.
  func synchronize() throws(MetricsError) {
    do {
      try calls.synchronize(descriptor)
    } catch {
      throw .cannotWrite(path: path, errno: error.code)
    }
  }
}
