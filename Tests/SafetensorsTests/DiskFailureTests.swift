import Safetensors
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The disk says no, at every step at which it can: the old file survives and no temporary file does.
@Suite struct DiskFailureTests {
  private let folder: TemporaryFolder
  private let old: [UInt8] = [1, 2, 3]
  private let tensor = TensorDescription(name: "a", type: .u32, shape: [1 << 20])
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    try write(old, toFile: path)
  }

  /// Writes four mebibytes in pieces of one sixteenth of that.
  private func writeLarge(_ calls: FileCalls) throws {
    try SafetensorsWriter.write(to: path, tensors: [tensor], calls: calls) { tensor, sink in
      for piece in 0..<16 {
        let values = [UInt32](repeating: UInt32(piece), count: tensor.elementCount / 16)
        try sink.write(values.span)
      }
    }
  }

  private func check(
    _ calls: FileCalls, _ expected: SafetensorsError, location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(throws: expected, sourceLocation: location) { try writeLarge(calls) }
    #expect(try bytes(ofFile: path) == old, sourceLocation: location)
    #expect(try folder.names == ["test.safetensors"], sourceLocation: location)
  }

  @Test func fullDisk() throws {
    for room in [0, 1, 100, 1 << 20, (4 << 20) - 1] {
      let left = Mutex(room)
      var calls = FileCalls.system
      calls.write = { descriptor, bytes throws(SystemError) in
        let allowed = left.withLock { left in
          defer { left -= min(left, bytes.byteCount) }
          return min(left, bytes.byteCount)
        }
        guard allowed > 0 else { throw SystemError(code: ENOSPC) }
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
    let count = Mutex(0)
    var calls = FileCalls.system
    calls.write = { descriptor, bytes throws(SystemError) in
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
    let result = try SystemError.checking {
      attempts += 1
      errno = EINTR
      return attempts < 5 ? -1 : 7
    }
    #expect(result == 7 && attempts == 5)
    #expect(throws: SystemError(code: EIO)) {
      try SystemError.checking {
        errno = EIO
        return -1
      }
    }
  }

  @Test func fileIsNotSynchronised() throws {
    var calls = FileCalls.system
    calls.synchronize = { _ throws(SystemError) in throw SystemError(code: EIO) }
    try check(calls, .cannotWrite(path: path, errno: EIO))
  }

  @Test func fileIsNotRenamed() throws {
    var calls = FileCalls.system
    calls.rename = { _, _ throws(SystemError) in throw SystemError(code: EACCES) }
    try check(calls, .cannotReplace(path: path, errno: EACCES))
  }

  @Test(arguments: [EIO, EINVAL, ENOTSUP]) func folderIsNotSynchronised(code: Int32) throws {
    let count = Mutex(0)
    var calls = FileCalls.system
    calls.synchronize = { _ throws(SystemError) in
      let isFolder = count.withLock { count in
        count += 1
        return count == 2
      }
      if isFolder { throw SystemError(code: code) }
    }
    if code != EIO {
      // What a file system says that cannot.
      try writeLarge(calls)
    } else {
      #expect(throws: SafetensorsError.notDurable(path: path, errno: code)) { try writeLarge(calls) }
    }
    #expect(try SafetensorsFile(path: path).tensors == [tensor])
    #expect(try folder.names == ["test.safetensors"])
  }

  /// All bytes on the disk, then the name, then the folder.
  @Test func order() throws {
    let log = Mutex<[String]>([])
    var calls = FileCalls.system
    calls.write = { descriptor, bytes throws(SystemError) in
      log.withLock { if $0.last != "write" { $0.append("write") } }
      return try FileCalls.system.write(descriptor, bytes)
    }
    calls.synchronize = { descriptor throws(SystemError) in
      log.withLock { $0.append("synchronize") }
      try FileCalls.system.synchronize(descriptor)
    }
    calls.rename = { from, to throws(SystemError) in
      log.withLock { $0.append("rename") }
      try FileCalls.system.rename(from, to)
    }
    try writeLarge(calls)
    #expect(log.withLock { $0 } == ["write", "synchronize", "rename", "synchronize"])
  }

  /// While a file is written, its temporary file is in the same folder, named after it, and the old file is whole.
  @Test func temporaryFile() throws {
    try SafetensorsWriter.write(to: path, tensors: [tensor]) { tensor, sink in
      let names = try folder.names
      #expect(names.count == 2 && names[0] == "test.safetensors")
      #expect(names[1].hasPrefix("test.safetensors.\(getpid()).") && names[1].hasSuffix(".partial"))
      #expect(try bytes(ofFile: path) == old)
      let values = [UInt32](repeating: 0, count: tensor.elementCount)
      try sink.write(values.span)
    }
    #expect(try folder.names == ["test.safetensors"])
  }
}
