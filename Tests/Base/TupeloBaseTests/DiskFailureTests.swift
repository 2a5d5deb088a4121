import Foundation
import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The disk refuses at every step at which it can: the old file survives and no temporary file does.
@Suite struct DiskFailureTests {
  private let folder: TemporaryFolder
  private let old: [UInt8] = [1, 2, 3]
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    try write(old, toFile: path)
  }

  /// The contents of a large file: four mebibytes, in pieces of one sixteenth of that.
  private let pieces = (0..<16).map { [UInt8](repeating: $0, count: 1 << 18) }
  private var large: [UInt8] { Array(pieces.joined()) }

  private func writeLarge(_ calls: FileCalls) throws {
    try replace(path, with: pieces, calls: calls)
  }

  private func check(
    _ calls: FileCalls, _ expected: SystemError, location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(throws: expected, sourceLocation: location) { try writeLarge(calls) }
    #expect(try bytes(ofFile: path) == old, sourceLocation: location)
    #expect(try folder.names == ["test.bin"], sourceLocation: location)
  }

  @Test func fullDisk() throws {
    for room in [0, 1, 100, 1 << 20, (4 << 20) - 1] {
      let left = Locked(room)
      var calls = FileCalls.system
      calls.write = { descriptor, bytes throws(FailedCall) in
        let allowed = left.withLock { left in
          defer { left -= min(left, bytes.byteCount) }
          return min(left, bytes.byteCount)
        }
        guard allowed > 0 else { throw FailedCall(code: ENOSPC) }
        return try FileCalls.system.write(descriptor, bytes.extracting(first: allowed))
      }
      try check(calls, .cannotWrite(path: path, errno: ENOSPC))
    }
  }

  @Test func writesThatDoNothing() throws {
    var calls = FileCalls.system
    calls.write = { _, _ in 0 }
    try check(calls, .cannotWrite(path: path, errno: EIO))
  }

  @Test func shortWrites() throws {
    try writeLarge(.system)
    let expected = try bytes(ofFile: path)
    #expect(expected == large)
    let count = Locked(0)
    var calls = FileCalls.system
    calls.write = { descriptor, bytes throws(FailedCall) in
      let step = count.withLock { count in
        count += 1
        return count * 997 % 70_000 + 1
      }
      return try FileCalls.system.write(descriptor, bytes.extracting(first: step))
    }
    try writeLarge(calls)
    #expect(try bytes(ofFile: path) == expected)
    #expect(count.withLock { $0 } > 100)
  }

  @Test func signalsInterrupt() throws {
    var attempts = 0
    let result = try FailedCall.checking {
      attempts += 1
      errno = EINTR
      return attempts < 5 ? -1 : 7
    }
    #expect(result == 7 && attempts == 5)
    #expect(throws: FailedCall(code: EIO)) {
      try FailedCall.checking {
        errno = EIO
        return -1
      }
    }
  }

  @Test func fileIsNotRenamed() throws {
    var calls = FileCalls.system
    calls.rename = { _, _ throws(FailedCall) in throw FailedCall(code: EACCES) }
    try check(calls, .cannotReplace(path: path, errno: EACCES))
  }

  /// Calls that fail to bring to the disk whatever has this number, counted from 1: the file is the first, its folder
  /// the second. Without a number, nothing can be brought to the disk.
  private func callsThatDoNotSynchronise(_ number: Int? = nil, code: Int32) -> FileCalls {
    let count = Locked(0)
    var calls = FileCalls.system
    calls.synchronize = { _ throws(FailedCall) in
      let present = count.withLock { count in
        count += 1
        return count
      }
      if number == nil || number == present { throw FailedCall(code: code) }
    }
    return calls
  }

  /// Some file systems cannot synchronise files, and others no folders. They say so by several errors.
  @Test(arguments: [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EROFS])
  func filesAreWrittenWhereNothingIsSynchronised(code: Int32) throws {
    let calls = callsThatDoNotSynchronise(code: code)
    try writeLarge(calls)
    #expect(try bytes(ofFile: path) == large)
    let log = try AppendFile(path: folder.file("log"), mustBeNew: true, calls: calls)
    try log.append(old)
    try log.synchronize()
    #expect(try bytes(ofFile: log.path) == old && folder.names == ["log", "test.bin"])
  }

  @Test(arguments: [EIO, ENOSPC, EDQUOT]) func failuresToSynchroniseAreErrors(code: Int32) throws {
    try check(callsThatDoNotSynchronise(1, code: code), .cannotWrite(path: path, errno: code))
    #expect(throws: SystemError.notDurable(path: path, errno: code)) {
      try writeLarge(callsThatDoNotSynchronise(2, code: code))
    }
    #expect(try bytes(ofFile: path) == large && folder.names == ["test.bin"])
    let log = try AppendFile(
      path: folder.file("log"), mustBeNew: true, calls: callsThatDoNotSynchronise(code: code))
    #expect(throws: SystemError.cannotWrite(path: log.path, errno: code)) { try log.synchronize() }
  }

  @Test(.enabled(if: geteuid() != 0, "root may list any folder"))
  func aFolderThatMayNotBeListedTakesFiles() throws {
    #expect(unsafe chmod(folder.path, 0o300) == 0)
    defer { #expect(unsafe chmod(folder.path, 0o700) == 0) }
    try writeLarge(.system)
    #expect(try bytes(ofFile: path) == large)
  }

  /// The bytes reach the disk first, then the name, then the folder.
  @Test func order() throws {
    let log = Locked<[String]>([])
    var calls = FileCalls.system
    calls.write = { descriptor, bytes throws(FailedCall) in
      log.withLock { if $0.last != "write" { $0.append("write") } }
      return try FileCalls.system.write(descriptor, bytes)
    }
    calls.synchronize = { descriptor throws(FailedCall) in
      log.withLock { $0.append("synchronize") }
      try FileCalls.system.synchronize(descriptor)
    }
    calls.rename = { from, to throws(FailedCall) in
      log.withLock { $0.append("rename") }
      try FileCalls.system.rename(from, to)
    }
    try writeLarge(calls)
    #expect(log.withLock { $0 } == ["write", "synchronize", "rename", "synchronize"])
  }

  /// While a file is written, its temporary file is in the same folder, named after it, and the old file is whole.
  @Test func temporaryFile() throws {
    let file = try ReplacementFile(path: path)
    let names = try folder.names
    #expect(names.count == 2 && names[0] == "test.bin")
    #expect(names[1].hasPrefix("test.bin.\(getpid()).") && names[1].hasSuffix(".partial"))
    #expect(ReplacementFile.isRemains(name: names[1]))
    #expect(try bytes(ofFile: path) == old)
    for piece in pieces { try file.append(piece.span.bytes) }
    #expect(try bytes(ofFile: path) == old)
    try file.commit()
    #expect(try bytes(ofFile: path) == large)
    #expect(try folder.names == ["test.bin"])
  }

  // MARK: A file that is mounted by itself

  /// No file can take the place of one that is mounted by itself.
  private var callsBesideAMount: FileCalls {
    var calls = FileCalls.system
    calls.rename = { [path] from, to throws(FailedCall) in
      guard to != path else { throw FailedCall(code: EBUSY) }
      try FileCalls.system.rename(from, to)
    }
    return calls
  }

  /// The new bytes are written over the old ones, also if there are fewer, and the file stays the same one.
  @Test func aMountedFileIsWrittenInPlace() throws {
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("other name"))
    for pieces in [pieces, [[9]], []] {
      try replace(path, with: pieces, calls: callsBesideAMount)
      #expect(try bytes(ofFile: path) == Array(pieces.joined()))
      #expect(try bytes(ofFile: folder.file("other name")) == Array(pieces.joined()))
      #expect(try folder.names == ["other name", "test.bin"])
    }
  }

  /// If only a part of a mounted file can be written, the whole new file stays beside it, and the error names it.
  @Test func theWholeFileStaysBesideAMountedOne() throws {
    let byteCount = Locked(0)
    var calls = callsBesideAMount
    calls.write = { [large] descriptor, bytes throws(FailedCall) in
      let written = byteCount.withLock { count in
        count += bytes.byteCount
        return count
      }
      guard written <= large.count else { throw FailedCall(code: EIO) }
      return try FileCalls.system.write(descriptor, bytes)
    }
    let error = #expect(throws: SystemError.self) { try writeLarge(calls) }
    guard case .writtenInPart(path, let copy, EIO) = error else { throw try #require(error) }
    #expect(try bytes(ofFile: copy) == large)
    #expect(!ReplacementFile.isRemains(name: copy) && !ReplacementFile.removeIfAbandoned(copy))
    #expect(try folder.names.count == 2)
  }
}
