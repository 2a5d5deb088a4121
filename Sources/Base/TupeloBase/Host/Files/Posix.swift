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
  ///
  /// - Parameter mode: the mode of a new file, which the umask reduces
  static func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws(FailedCall) -> Int32 {
    guard !path.utf8.contains(0) else { throw FailedCall(code: EINVAL) }
    return try Int32(FailedCall.checking { unsafe Int(open(path, flags | O_CLOEXEC, mode)) })
  }

  /// Opens a file to change it in place, or makes it. A symbolic link is not followed, because the file that it leads
  /// to may be anybody's.
  ///
  /// - Returns: the descriptor and the size in bytes
  /// - Throws: `SystemError`: `linked`, `notARegularFile`, and the error that `refusal` makes
  static func openOwn(
    _ path: String, _ flags: Int32, refusal: (FailedCall) -> SystemError
  ) throws(SystemError) -> (descriptor: Int32, size: Int) {
    let descriptor: Int32
    do {
      // Without O_NONBLOCK, opening a pipe waits for another process.
      descriptor = try openFile(path, flags | O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      switch error.code {
      case ELOOP: throw .linked(path: path)
      case EISDIR: throw .notARegularFile(path: path)
      default: throw refusal(error)
      }
    }
    do {
      if let size = try regularSize(descriptor) { return (descriptor, size) }
    } catch {
      close(descriptor)
      throw refusal(error)
    }
    close(descriptor)
    throw .notARegularFile(path: path)
  }

  /// The size in bytes of an open file; `nil` if it is not a regular file.
  static func regularSize(_ descriptor: Int32) throws(FailedCall) -> Int? {
    var status = stat()
    _ = try FailedCall.checking { unsafe Int(fstat(descriptor, &status)) }
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// What is at a path, or where a symbolic link at the path leads to; `nil` for nothing.
  ///
  /// - Parameter followsLink: if it is false, a link counts as nothing
  static func status(of path: String, followsLink: Bool = true) throws(FailedCall) -> stat? {
    guard !path.utf8.contains(0) else { throw FailedCall(code: EINVAL) }
    var status = stat()
    do {
      let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
      _ = try FailedCall.checking { unsafe Int(fstatat(AT_FDCWD, path, &status, flags)) }
    } catch let error where error.code == ENOENT {
      return nil
    }
    return status.st_mode & S_IFMT == S_IFLNK ? nil : status
  }

  /// Why a file cannot be written in place, if it is mounted by itself; `nil` for other files, which need not be
  /// writable to be replaced.
  static func refusal(ofMounted path: String, _ status: stat) -> Int32? {
    guard unsafe access(path, W_OK) == -1 else { return nil }
    let code = errno
    var folder = stat()
    guard unsafe stat(path.parentFolder, &folder) == 0 else { return nil }
    return code == EROFS || folder.st_dev != status.st_dev ? code : nil
  }

  /// Gives an open file the owner, group and permissions of another one, as far as the system allows it. If the group
  /// cannot be the other file's, the new group gets the permissions of all other users.
  static func give(_ descriptor: Int32, permissionsOf other: stat) {
    var own = stat()
    var mode = other.st_mode & 0o777
    guard unsafe fstat(descriptor, &own) == 0 else { return }
    if own.st_uid != other.st_uid || own.st_gid != other.st_gid,
      fchown(descriptor, other.st_uid, other.st_gid) != 0, own.st_gid != other.st_gid,
      fchown(descriptor, uid_t.max, other.st_gid) != 0
    {
      mode = mode & 0o707 | (mode & 0o007) << 3
    }
    // A file system without permissions refuses this, and has no others to lose.
    if own.st_mode & 0o777 != mode { _ = fchmod(descriptor, mode) }
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
