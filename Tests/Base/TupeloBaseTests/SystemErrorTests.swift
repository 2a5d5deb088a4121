import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The text of an error is one line with the file, the fact and the remedy.
@Suite struct SystemErrorTests {
  private static let texts: [(SystemError, String)] = [
    (.cannotOpen(path: "m.st", errno: ENOENT), "m.st: cannot be opened: No such file or directory: check the path"),
    (.cannotMap(path: "m.st", errno: ENOMEM), "m.st: cannot be mapped into memory: Cannot allocate memory: copy it"),
    (.notARegularFile(path: "m.st"), "m.st: is a folder, a pipe or a device: name a regular file"),
    (.cannotCreate(path: "m.st", errno: EACCES), "m.st: no temporary file can be made beside it: Permission denied:"),
    (.cannotWrite(path: "m.st", errno: ENOSPC), "m.st: cannot be written: No space left on device: free space or"),
    (.cannotReplace(path: "m.st", errno: EPERM), "m.st: cannot be replaced: Operation not permitted: check its"),
    (.writtenInPart(path: "m.st", copy: "m.st.1.2.whole", errno: EIO), "m.st: is written only in part: Input/output"),
    (.linked(path: ".lock"), ".lock: is a symbolic link, which is not followed here: remove it, or put the file"),
    (.cannotCreate(path: "m.st", errno: ENAMETOOLONG), "m.st: no temporary file can be made beside it: File name too"),
    (.notDurable(path: "m.st", errno: EIO), "m.st: is written, but its folder cannot be synchronised: Input/output"),
    (.cannotAppend(path: "m.log", errno: EACCES), "m.log: cannot be opened for writing: Permission denied: check its"),
    (.cannotLock(path: "run", errno: ENOENT), "run: cannot be locked: No such file or directory: check that the"),
    (.locked(path: "run", process: nil), "run: is locked by another owner: wait until it is free"),
    (.locked(path: "run", process: 17), "run: is locked by another owner (process 17): wait until it is free"),
  ]

  @Test func everyText() {
    for (error, text) in Self.texts { #expect(matches("\(error)", text)) }
  }

  /// A path must not fake a second line.
  @Test func hostilePath() {
    let text = "\(SystemError.notARegularFile(path: "m\n.st"))"
    #expect(text == "m\\u{a}.st: is a folder, a pipe or a device: name a regular file")
  }
}
