#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A call to the C library that failed, with its `errno`.
package struct FailedCall: Error, Equatable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package static var current: FailedCall { FailedCall(code: errno) }

  /// The C library's text for an error number, such as "No space left on device".
  package static func text(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  /// What a user can do when a file cannot be made or written for this error number; `nil` for other errors.
  static func remedy(ofWriting code: Int32) -> String? {
    switch code {
    case EFBIG: "raise the limit on file sizes (ulimit -f)"
    case ENAMETOOLONG: "give a shorter name"
    case ENOSPC, EDQUOT: "free space or choose another disk"
    default: nil
    }
  }

  /// Repeats a call while signals interrupt it, and throws when it returns -1.
  package static func checking(_ call: () -> Int) throws(FailedCall) -> Int {
    while true {
      let result = call()
      if result != -1 { return result }
      let error = current
      guard error.code == EINTR else { throw error }
    }
  }
}

/// The calls that bring a file to the disk, and the call that locks one. Tests replace them, because a test cannot
/// easily fill a disk or find a file system without locks.
package struct FileCalls: Sendable {
  /// Writes some of the bytes, at least one, and returns how many.
  package var write: @Sendable (_ descriptor: Int32, _ bytes: RawSpan) throws(FailedCall) -> Int
  /// Waits until a file or folder is on the disk.
  package var synchronize: @Sendable (_ descriptor: Int32) throws(FailedCall) -> Void
  /// Replaces one file with another in one step.
  package var rename: @Sendable (_ from: String, _ to: String) throws(FailedCall) -> Void
  /// Locks a file for one owner, without waiting.
  package var lock: @Sendable (_ descriptor: Int32) throws(FailedCall) -> Void

  /// The calls of the C library.
  package static var system: FileCalls {
    FileCalls(write: writeSome, synchronize: synchronizeFully, rename: renameFile, lock: lockFile)
  }
}

extension FileCalls {
  /// Writes all bytes.
  func writeAll(_ bytes: RawSpan, to descriptor: Int32) throws(FailedCall) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try write(descriptor, rest)
      guard count > 0 else { throw FailedCall(code: EIO) }
      rest = rest.extracting(droppingFirst: count)
    }
  }

  /// Waits until a file or folder is on the disk, if its file system can say so. Many network disks and file systems of
  /// programs cannot, and offer nothing better.
  func synchronizeIfSupported(_ descriptor: Int32) throws(FailedCall) {
    do {
      try synchronize(descriptor)
    } catch let error where Self.notSupported.contains(error.code) {}
  }

  /// Errors of file systems that cannot synchronise. The number 524 is the kernel's own "not supported", which some
  /// network disks pass on.
  private static let notSupported: Set<Int32> = [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EROFS, 524]
}

/// A single write of at most 1 GiB: Darwin refuses 2 GiB and more, and Linux shortens them.
private func writeSome(_ descriptor: Int32, _ bytes: RawSpan) throws(FailedCall) -> Int {
  try unsafe bytes.withUnsafeBytes { buffer throws(FailedCall) in
    try FailedCall.checking { unsafe write(descriptor, buffer.baseAddress, min(buffer.count, 1 << 30)) }
  }
}

private func synchronizeFully(_ descriptor: Int32) throws(FailedCall) {
  #if canImport(Darwin)
  // On Apple systems fsync leaves the bytes in the drive's cache. File systems without the full form still have
  // fsync.
  if fcntl(descriptor, F_FULLFSYNC) != -1 { return }
  #endif
  _ = try FailedCall.checking { Int(fsync(descriptor)) }
}

private func renameFile(_ from: String, _ to: String) throws(FailedCall) {
  _ = try FailedCall.checking { unsafe Int(rename(from, to)) }
}

private func lockFile(_ descriptor: Int32) throws(FailedCall) {
  _ = try FailedCall.checking { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
}
