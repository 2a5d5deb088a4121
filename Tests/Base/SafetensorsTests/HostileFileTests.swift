import Safetensors
import TestSupport
import Testing

/// Damaged files are refused with an error that names them, or are sound after all; nothing crashes.
@Suite struct HostileFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Opens bytes as a file. If that works, checks that the tensors are the bytes after the header, all of them, in
  /// order.
  ///
  /// - Returns: whether it worked.
  private func checkIsSoundOrRefused(_ bytes: [UInt8]) throws -> Bool {
    try write(bytes, toFile: path)
    let file: SafetensorsFile
    do {
      file = try SafetensorsFile(path: path)
    } catch {
      // The error is one line that begins with the file's name.
      let text = "\(error)"
      #expect(error is SafetensorsError && text.hasPrefix(path + ": ") && !text.contains { $0.isNewline })
      let same = #expect(throws: SafetensorsError.self) { try SafetensorsFile(bytes: bytes, name: path) }
      #expect(same == error as? SafetensorsError)
      return false
    }
    let inMemory = try SafetensorsFile(bytes: bytes, name: path)
    #expect(inMemory.tensors == file.tensors && inMemory.metadata == file.metadata)
    let headerLength: Int = (0..<8).reduce(0) { sum, place in sum + Int(bytes[place]) << (8 * place) }
    var offset = 8 + headerLength
    for tensor in file.tensors {
      let size = tensor.shape.reduce(tensor.type.byteWidth, *)
      #expect(tensor.byteCount == size && file.tensor(named: tensor.name) == tensor)
      let found = try file.withBytes(of: tensor.name) { span in (0..<span.byteCount).map { span.byte(at: $0) } }
      #expect(found == Array(bytes[offset..<offset + size]))
      let same = try inMemory.withBytes(of: tensor.name) { span in (0..<span.byteCount).map { span.byte(at: $0) } }
      #expect(same == found)
      offset += size
    }
    #expect(offset == bytes.count)
    #expect(Set(file.tensors.map(\.name)).subtracting(["__metadata__"]).count == file.tensors.count)
    return true
  }

  @Test func originalsAreSound() throws {
    for original in Mutations.originals {
      #expect(try checkIsSoundOrRefused(original))
    }
  }

  @Test func everyTruncation() throws {
    for original in Mutations.originals {
      for count in original.indices {
        #expect(try !checkIsSoundOrRefused(Array(original[..<count])), "\(count) of \(original.count) bytes")
      }
      #expect(try !checkIsSoundOrRefused(original + [0]))
    }
  }

  @Test(.slow) func everyBitOfEveryHeader() throws {
    for original in Mutations.originals {
      for mutation in Mutations.flips(of: original) { _ = try checkIsSoundOrRefused(mutation) }
    }
  }

  @Test(.slow) func tenThousandRandomMutations() throws {
    var sound = 0
    let mutations = Mutations.random(count: 10_000, seed: 2048)
    for mutation in mutations where try checkIsSoundOrRefused(mutation) { sound += 1 }
    // Both outcomes must be common: otherwise the test checks nothing.
    #expect((100...5000).contains(sound), "\(sound) of \(mutations.count) are sound")
  }
}
