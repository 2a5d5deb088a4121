#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A lock on a folder: while this object lives, no other process, and no other object of this process, can lock the
/// folder. On a file system without locks, the object does not lock anything; see `isLocked`.
///
/// The kernel locks the file `.lock` in the folder. The lock ends with the process, however the process ends. A lock
/// file that is left behind has no effect.
package final class FolderLock {
  private let descriptor: Int32
  /// The folder itself, kept open, so that the system does not reuse its number for another folder. It is -1 if the
  /// folder cannot be read.
  private let folder: Int32

  /// The name of the file that the kernel locks.
  package static let name = ".lock"

  /// Whether the kernel has locked the folder. It is false on a file system without locks, which offers nothing better.
  package var isLocked: Bool { descriptor >= 0 }

  /// Locks a folder, if its file system has locks.
  ///
  /// - Throws: `SystemError.locked` while another owner has the lock; `SystemError.cannotLock` when the lock file
  ///   cannot be made; `SystemError.linked` or `SystemError.notARegularFile` when something else is in its place.
  package init(folder: String, calls: FileCalls = .system) throws(SystemError) {
    let (descriptor, _) = try Posix.openOwn(folder + "/" + Self.name, 0) { .cannotLock(path: folder, errno: $0.code) }
    do throws(FailedCall) {
      try calls.lock(descriptor)
    } catch {
      defer { close(descriptor) }
      // For every other error, the file system cannot lock. Systems without locks have many different errors.
      guard error.code != EWOULDBLOCK, error.code != EAGAIN else {
        throw .locked(path: folder, process: Self.process(descriptor))
      }
      self.descriptor = -1
      self.folder = Self.opened(folder)
      return
    }
    self.descriptor = descriptor
    self.folder = Self.opened(folder)
    let text = Array("\(getpid())\n".utf8)
    // The process id is for error messages alone, so a failed write does not matter here.
    if ftruncate(descriptor, 0) == 0 { unsafe _ = write(descriptor, text, text.count) }
  }

  private static func opened(_ folder: String) -> Int32 {
    unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  deinit {
    if descriptor >= 0 {
      // A program that another thread is starting right now still has a copy of the descriptor, which keeps the lock.
      _ = flock(descriptor, LOCK_UN)
      close(descriptor)
    }
    if folder >= 0 { close(folder) }
  }

  /// Whether a path still leads to the locked folder. The result is false if the folder was removed or renamed, even if
  /// another folder now has this path.
  package func isHeld(at path: String) -> Bool {
    var (own, other) = (stat(), stat())
    guard !path.utf8.contains(0), unsafe stat(path, &other) == 0, other.st_mode & S_IFMT == S_IFDIR else {
      return false
    }
    guard folder >= 0, unsafe fstat(folder, &own) == 0 else { return true }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Removes the locked folder with its lock file, if the folder has no other file. Nothing happens without a lock, or
  /// when the path leads to another folder.
  package func removeFolder(at path: String) {
    guard isLocked, isHeld(at: path), unsafe unlink(path + "/" + Self.name) == 0 else { return }
    // The system refuses to remove a folder that has a file.
    unsafe _ = rmdir(path)
  }

  /// The id of the process that has written itself into the lock file.
  private static func process(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int(String(decoding: bytes[..<count].prefix { $0 >= UInt8(ascii: "0") }, as: UTF8.self))
  }
}
