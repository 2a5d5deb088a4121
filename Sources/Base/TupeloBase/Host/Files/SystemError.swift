#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// Why the system refused to read, write or lock a file. Every case names the path as the caller gave it. `errno` is
/// the C library's error number. `description` is the text for people.
public enum SystemError: Error, Hashable, Sendable {
  // Reading

  /// A file to be read cannot be opened.
  case cannotOpen(path: String, errno: Int32)
  /// A file to be read cannot be mapped into memory.
  case cannotMap(path: String, errno: Int32)

  // Reading and writing

  /// The path is not a regular file but a folder, a pipe or a device.
  case notARegularFile(path: String)

  // Writing

  /// A file that is changed in place is a symbolic link, which is not followed.
  case linked(path: String)
  /// The temporary file in the folder of the destination cannot be made.
  case cannotCreate(path: String, errno: Int32)
  /// A file for appending cannot be opened or made.
  case cannotAppend(path: String, errno: Int32)
  /// The bytes do not reach the disk. An existing file is unchanged.
  case cannotWrite(path: String, errno: Int32)
  /// The finished temporary file cannot be renamed. The destination is unchanged.
  case cannotReplace(path: String, errno: Int32)
  /// A file that is mounted by itself was written only in part. `copy` is the whole new file.
  case writtenInPart(path: String, copy: String, errno: Int32)
  /// The new file is in place and whole, but its folder was not synchronised. A power failure may bring the old file
  /// back.
  case notDurable(path: String, errno: Int32)

  // Locking

  /// The lock file of a folder cannot be made or locked.
  case cannotLock(path: String, errno: Int32)
  /// Another owner holds the lock of a folder. `process` is its number, if the owner could write it into the lock file.
  case locked(path: String, process: Int?)
}

extension SystemError {
  /// Whether a file could not be written because the disk is full, or the user's share of it.
  package var isLackOfRoom: Bool {
    switch self {
    case .cannotCreate(_, let errno), .cannotAppend(_, let errno), .cannotWrite(_, let errno),
      .cannotReplace(_, let errno), .writtenInPart(_, _, let errno):
      errno == ENOSPC || errno == EDQUOT
    default: false
    }
  }
}
