import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder has one owner at a time, and the refusal names it.
@Suite struct FolderLockTests {
  @Test func oneOwnerAtATime() throws {
    let folder = try TemporaryFolder()
    var first: FolderLock? = try FolderLock(folder: folder.path)
    #expect(throws: SystemError.locked(path: folder.path, process: Int(getpid()))) {
      try FolderLock(folder: folder.path)
    }
    _ = first
    first = nil
    _ = try FolderLock(folder: folder.path)
  }

  /// File systems without locks have many errors: ENOSYS on Lustre, 524 on some network disks. Only EWOULDBLOCK says
  /// that there is another owner.
  @Test func aFileSystemWithoutLocksHasManyErrors() throws {
    let folder = try TemporaryFolder()
    for code in Array(Int32(1)...133) + [524] {
      var calls = FileCalls.system
      calls.lock = { _ throws(FailedCall) in throw FailedCall(code: code) }
      if code == EWOULDBLOCK || code == EAGAIN {
        #expect(throws: SystemError.self) { try FolderLock(folder: folder.path, calls: calls) }
      } else {
        let lock = try FolderLock(folder: folder.path, calls: calls)
        #expect(!lock.isLocked && lock.isHeld(at: folder.path), "\(code)")
        #expect(try FolderLock(folder: folder.path).isLocked)
      }
    }
  }

  @Test func missingFolder() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("missing")
    #expect(throws: SystemError.cannotLock(path: missing, errno: ENOENT)) { try FolderLock(folder: missing) }
  }

  /// A lock is a file of its own. The file that a link leads to is not written, and not made.
  @Test func onlyAFileIsALock() throws {
    let folder = try TemporaryFolder()
    let (lock, victim) = (folder.file(".lock"), folder.file("victim"))
    for isThere in [false, true] {
      if isThere { try write([1, 2, 3], toFile: victim) }
      #expect(unsafe symlink("victim", lock) == 0)
      #expect(throws: SystemError.linked(path: lock)) { try FolderLock(folder: folder.path) }
      #expect(unsafe unlink(lock) == 0)
      #expect(try folder.names == (isThere ? ["victim"] : []))
    }
    #expect(try bytes(ofFile: victim) == [1, 2, 3])
    #expect(unsafe mkfifo(lock, 0o600) == 0)
    #expect(throws: SystemError.notARegularFile(path: lock)) { try FolderLock(folder: folder.path) }
    #expect(unsafe unlink(lock) == 0 && mkdir(lock, 0o700) == 0)
    #expect(throws: SystemError.notARegularFile(path: lock)) { try FolderLock(folder: folder.path) }
  }
}
