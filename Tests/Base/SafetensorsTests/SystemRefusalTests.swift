import Safetensors
import TestSupport
import Testing
import TupeloBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A refusal of the system reaches the caller unchanged: the old file survives and no temporary file does.
@Suite struct SystemRefusalTests {
  private let folder: TemporaryFolder
  private let old: [UInt8] = [1, 2, 3]
  private let tensor = TensorDescription(name: "a", type: .u32, shape: [1 << 20])
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    try write(old, toFile: path)
  }

  /// Writes four mebibytes in pieces of one sixteenth of that.
  private func writeLarge(to path: String, _ calls: FileCalls = .system) throws {
    try SafetensorsWriter.write(to: path, tensors: [tensor], calls: calls) { tensor, sink in
      for piece in 0..<16 {
        let values = [UInt32](repeating: UInt32(piece), count: tensor.elementCount / 16)
        try sink.write(values.span)
      }
    }
  }

  @Test func reading() throws {
    let missing = folder.file("missing")
    #expect(throws: SystemError.cannotOpen(path: missing, errno: ENOENT)) { try SafetensorsFile(path: missing) }
    #expect(throws: SystemError.notARegularFile(path: folder.path)) { try SafetensorsFile(path: folder.path) }
  }

  @Test func writingWhereNothingCanBe() throws {
    let missing = folder.file("missing/x")
    #expect(throws: SystemError.cannotCreate(path: missing, errno: ENOENT)) { try writeLarge(to: missing) }
    #expect(throws: SystemError.notARegularFile(path: folder.path)) { try writeLarge(to: folder.path) }
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
      #expect(throws: SystemError.cannotWrite(path: path, errno: ENOSPC)) { try writeLarge(to: path, calls) }
      #expect(try bytes(ofFile: path) == old)
      #expect(try folder.names == ["test.bin"])
    }
  }

  /// After `notDurable` alone the new file is in place.
  @Test func folderIsNotSynchronised() throws {
    let count = Locked(0)
    var calls = FileCalls.system
    calls.synchronize = { _ throws(FailedCall) in
      let isFolder = count.withLock { count in
        count += 1
        return count == 2
      }
      if isFolder { throw FailedCall(code: EIO) }
    }
    #expect(throws: SystemError.notDurable(path: path, errno: EIO)) { try writeLarge(to: path, calls) }
    #expect(try SafetensorsFile(path: path).tensors == [tensor])
    #expect(try folder.names == ["test.bin"])
  }

  /// While a file is written, its temporary file is in the same folder, and the old file is whole.
  @Test func temporaryFile() throws {
    try SafetensorsWriter.write(to: path, tensors: [tensor]) { tensor, sink in
      let names = try folder.names
      #expect(names.count == 2 && names[0] == "test.bin" && names[1].hasSuffix(".partial"))
      #expect(try bytes(ofFile: path) == old)
      let values = [UInt32](repeating: 0, count: tensor.elementCount)
      try sink.write(values.span)
    }
    #expect(try folder.names == ["test.bin"])
  }
}
