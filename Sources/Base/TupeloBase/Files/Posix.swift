#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// File functions of the C library, for calls that tests need not replace.
enum Posix {
  /// Opens a file. A path that contains a zero byte is invalid, because a C string would end there.
  static func openFile(_ path: String, _ flags: Int32) throws(FailedCall) -> Int32 {
    guard !path.utf8.contains(0) else { throw FailedCall(code: EINVAL) }
    return try Int32(FailedCall.checking { unsafe Int(open(path, flags | O_CLOEXEC, 0o666)) })
  }

  /// The size in bytes of an open file; `nil` if it is not a regular file.
  static func regularSize(_ descriptor: Int32) throws(FailedCall) -> Int? {
    var status = stat()
    _ = try FailedCall.checking { unsafe Int(fstat(descriptor, &status)) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Whether a path leads, through symbolic links, to a regular file; false for something else, nil for nothing.
  static func isRegular(_ path: String) throws(FailedCall) -> Bool? {
    guard !path.utf8.contains(0) else { throw FailedCall(code: EINVAL) }
    var status = stat()
    do {
      _ = try FailedCall.checking { unsafe Int(stat(path, &status)) }
    } catch let error where error.code == ENOENT {
      return nil
    }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Closes a file that was written to, and reports a write that failed late. The descriptor is closed either way.
  static func closeFile(_ descriptor: Int32) throws(FailedCall) {
    guard close(descriptor) == 0 || errno == EINTR else { throw .current }
  }

  /// Removes a file; errors are ignored.
  static func removeFile(_ path: String) {
    unsafe _ = unlink(path)
  }

  static var processIdentifier: Int32 { getpid() }
}
