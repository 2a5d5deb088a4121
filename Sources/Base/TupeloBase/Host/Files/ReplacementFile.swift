#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A file that replaces another one whole or not at all.
///
/// Bytes go, through a buffer, to a temporary file in the folder of the destination. `commit` brings them to the disk
/// and renames the file over the destination; `discard` removes it. One of the two must be called. A process that dies
/// first leaves a temporary file whose name ends in `.partial`, and the destination unchanged.
///
/// A destination that is mounted by itself, as containers mount files, cannot be renamed over. `commit` then writes the
/// finished bytes over the old ones, which is weaker: a process that dies meanwhile, or a power failure, leaves a
/// mixture of old and new bytes, and other processes may read it.
package final class ReplacementFile {
  /// The destination as the caller named it.
  package let path: String
  /// The first failure. After it nothing more is written, and `commit` throws it again.
  private var failure: SystemError?
  private let destination: String
  private let temporary: String
  /// The file that will be replaced; `nil` if there is none.
  private let old: stat?
  private let calls: FileCalls
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  private static let bufferSize = 1 << 20

  /// Makes the temporary file.
  ///
  /// - Parameter followsLink: whether a symbolic link at `path` is followed, also to a file that does not exist yet.
  ///   Otherwise the link is replaced, and the file that it leads to is unchanged.
  /// - Throws: `SystemError`: `notARegularFile`, `cannotCreate`; `cannotReplace` for a mounted file that is read-only.
  package init(path: String, followsLink: Bool = true, calls: FileCalls = .system) throws(SystemError) {
    let destination = followsLink ? realPath(of: path) : path
    let temporary = Self.temporary(of: destination)
    do {
      old = try Posix.status(of: path, followsLink: followsLink)
    } catch {
      throw .cannotCreate(path: path, errno: error.code)
    }
    if let old {
      guard old.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(path: path) }
      if let code = Posix.refusal(ofMounted: destination, old) { throw .cannotReplace(path: path, errno: code) }
    }
    do {
      // The permissions of a file that is replaced are given to the new one at the end.
      let mode: mode_t = old == nil ? 0o666 : 0o600
      descriptor = try Posix.openFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    } catch {
      throw .cannotCreate(path: path, errno: error.code)
    }
    // The lock shows other processes that this file is being written. On a file system without locks, no file counts as
    // abandoned.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    self.path = path
    self.destination = destination
    self.temporary = temporary
    self.calls = calls
    buffer.reserveCapacity(Self.bufferSize)
  }

  /// Makes sure that a file can be written, before the work whose result it will hold: makes its temporary file and
  /// removes it. Nothing else changes.
  ///
  /// - Throws: the errors of `init`.
  package static func check(_ path: String) throws(SystemError) { try ReplacementFile(path: path).discard() }

  /// The path of a temporary file: `<destination>.<process>.<random>.partial`, in the destination's folder.
  private static func temporary(of destination: String) -> String {
    let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/")).map { destination.utf8.index(after: $0) }
    let name = destination[(slash ?? destination.startIndex)...]
    let random = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(destination.dropLast(name.count))\(stem(of: name)).\(Posix.processIdentifier).\(random).partial"
  }

  /// The beginning of a temporary file's name: the destination's name, or its beginning if the temporary name would
  /// otherwise be too long. Most file systems allow 255 bytes, encrypted ones 143.
  private static func stem(of name: some StringProtocol) -> String { NameText.beginning(of: name, bytes: 100) }

  /// Whether a file has the name of a temporary file that a killed process left behind:
  /// `<destination>.<process>.<random>.partial`.
  package static func isRemains(name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 4 && parts.last == "partial" && UInt64(parts[parts.count - 2], radix: 16) != nil
      && UInt32(parts[parts.count - 3]) != nil
  }

  /// Whether a file of this name is the temporary file that a killed process left while it wrote `destination` in this
  /// folder.
  package static func isRemains(name: String, of destination: String) -> Bool {
    let stem = stem(of: destination)
    return name.hasPrefix(stem + ".") && isRemains(name: "x" + name.dropFirst(stem.count))
      && name.dropFirst(stem.count).count { $0 == "." } == 3
  }

  /// Removes a temporary file whose writer was killed. A file that is still being written stays: its process is alive,
  /// or holds the lock on it from another machine.
  ///
  /// - Parameter path: a file with a name for which `isRemains(name:)` holds
  /// - Returns: whether it has been removed
  package static func removeIfAbandoned(_ path: String) -> Bool {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard isRemains(name: path), let process = pid_t(parts[parts.count - 3]), process > 0,
      // An earlier process may have had the number of this one. In containers, this is common.
      process == Posix.processIdentifier || (kill(process, 0) == -1 && errno == ESRCH)
    else { return false }
    do {
      let descriptor = try Posix.openFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK)
      defer { _ = close(descriptor) }
      guard try Posix.regularSize(descriptor) != nil, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
    } catch {
      // The file is gone, or belongs to another user.
      return false
    }
    return unsafe unlink(path) == 0
  }

  /// Adds bytes at the end. Blocks as large as the buffer are not copied into it.
  package func append(_ bytes: RawSpan) throws(SystemError) {
    if let failure { throw failure }
    if buffer.count + bytes.byteCount > Self.bufferSize { try flush() }
    if bytes.byteCount >= Self.bufferSize {
      try writeOut(bytes)
    } else {
      unsafe bytes.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }
  }

  /// Records the first error, so that every later write and `commit` fail, even if the caller ignores it now.
  private func fail(_ error: SystemError) -> SystemError {
    failure = failure ?? error
    return error
  }

  /// Puts the file in its place: first all bytes reach the disk, then the name changes, then the folder reaches the
  /// disk. The file has the owner, group and permissions of the one that it replaces, as far as the system allows it.
  package func commit() throws(SystemError) {
    if let failure { throw failure }
    try flush()
    if let old { Posix.give(descriptor, permissionsOf: old) }
    do {
      try calls.synchronizeIfSupported(descriptor)
      let finished = descriptor
      descriptor = -1
      try Posix.closeFile(finished)
    } catch {
      throw fail(.cannotWrite(path: path, errno: error.code))
    }
    do {
      try calls.rename(temporary, destination)
    } catch {
      guard error.code == EBUSY else { throw fail(.cannotReplace(path: path, errno: error.code)) }
      return try overwrite()
    }
    do {
      try synchronizeFolder()
    } catch {
      throw .notDurable(path: path, errno: error.code)
    }
  }

  /// Writes the finished bytes over those of the destination. If it fails half-way, the whole new file stays, under a
  /// name that no command takes for remains.
  private func overwrite() throws(SystemError) {
    let new = try MappedFile(path: temporary)
    let target: Int32
    do {
      target = try Posix.openFile(destination, O_WRONLY)
    } catch {
      throw fail(.cannotReplace(path: path, errno: error.code))
    }
    defer { _ = close(target) }
    let growth = new.byteCount - Int(old?.st_size ?? 0)
    if let space = FreeSpace(at: destination), space.most < growth {
      throw fail(.cannotWrite(path: path, errno: ENOSPC))
    }
    do throws(FailedCall) {
      try new.withBytes(0..<new.byteCount) { bytes throws(FailedCall) in try calls.writeAll(bytes, to: target) }
      _ = try FailedCall.checking { Int(ftruncate(target, off_t(new.byteCount))) }
      try calls.synchronizeIfSupported(target)
    } catch {
      var copy = String(temporary.dropLast("partial".count)) + "whole"
      do { try calls.rename(temporary, copy) } catch { copy = temporary }
      throw fail(.writtenInPart(path: path, copy: copy, errno: error.code))
    }
    Posix.removeFile(temporary)
  }

  /// Removes the temporary file. If that fails the file stays, because the failure that led here matters more.
  package func discard() {
    if case .writtenInPart = failure { return }
    Posix.removeFile(temporary)
    if descriptor >= 0 { _ = close(descriptor) }
    descriptor = -1
  }

  private func flush() throws(SystemError) {
    var full: [UInt8] = []
    swap(&full, &buffer)
    try writeOut(unsafe full.span.bytes)
    full.removeAll(keepingCapacity: true)
    swap(&full, &buffer)
  }

  private func writeOut(_ bytes: RawSpan) throws(SystemError) {
    do {
      try calls.writeAll(bytes, to: descriptor)
    } catch {
      throw fail(.cannotWrite(path: path, errno: error.code))
    }
  }

  private func synchronizeFolder() throws(FailedCall) {
    let descriptor: Int32
    do {
      descriptor = try Posix.openFile(destination.parentFolder, O_RDONLY | O_DIRECTORY)
    } catch let error where error.code == EACCES {
      // Files in a folder that only its owner may list can be written, and the folder cannot be synchronised.
      return
    }
    defer { _ = close(descriptor) }
    try calls.synchronizeIfSupported(descriptor)
  }
}
