import DurableFiles
import TestSupport
import Testing

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

  @Test func missingFolder() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("missing")
    #expect(throws: SystemError.cannotLock(path: missing, errno: ENOENT)) { try FolderLock(folder: missing) }
  }
}
