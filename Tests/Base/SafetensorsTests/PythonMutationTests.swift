#if os(macOS) || os(Linux)
import Foundation
import Safetensors
import TestSupport
import Testing

/// Damaged files, also read by the reference reader. It accepts every file that we accept, with the same tensors. Where
/// we are stricter, the reason is one that we name.
@Suite(.enabled(if: Python.hasSafetensors, "\(Python.isMissing)"))
struct PythonMutationTests {
  private static let mutations =
    Mutations.originals + Mutations.originals.flatMap(Mutations.flips(of:))
    + Mutations.random(count: 10_000, seed: 4096)

  /// Reads files packed into one, and prints one line for each: `-`, or its tensors.
  private static let script = """
    import sys, struct, safetensors
    packed, end = open(sys.argv[1], "rb").read(), 0
    while end < len(packed):
      start = end + 8
      end = start + struct.unpack_from("<Q", packed, end)[0]
      try:
        tensors = safetensors.deserialize(packed[start:end])
      except safetensors.SafetensorError:
        print("-")
      else:
        print(*sorted(f"{n.encode().hex()}:{t['dtype']}:{t['shape']}:{bytes(t['data']).hex()}" for n, t in tensors), \
        sep=";")
    """

  @Test func sameVerdicts() throws {
    let folder = try TemporaryFolder()
    let packed = folder.file("packed")
    try write(Self.mutations.flatMap { lengthBytes(UInt64($0.count)) + $0 }, toFile: packed)
    let verdicts = try Python.run(Self.script, packed).split(separator: "\n", omittingEmptySubsequences: false)
    try #require(verdicts.count == Self.mutations.count + 1)
    var accepted = 0
    for (mutation, verdict) in zip(Self.mutations, verdicts) {
      try write(mutation, toFile: folder.file())
      let shown = Comment(rawValue: String(decoding: mutation, as: UTF8.self))
      do {
        let file = try SafetensorsFile(path: folder.file())
        #expect(try Self.line(of: file) == verdict, shown)
        accepted += 1
      } catch let error as SafetensorsError {
        #expect(verdict == "-" || Self.isStrictness(error), "\(error): \(shown)")
      }
    }
    #expect(accepted > 200)
  }

  /// The tensors of a file in the form that the script prints.
  private static func line(of file: SafetensorsFile) throws -> String {
    try file.tensors.map { tensor in
      let data = try file.withBytes(of: tensor.name) { span in (0..<span.byteCount).map { span.byte(at: $0) } }
      return "\(hex(tensor.name.utf8)):\(tensor.type.rawValue):\(tensor.shape):\(hex(data))"
    }.sorted().joined(separator: ";")
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Whether we refuse the file on purpose, although the reference reader accepts it.
  private static func isStrictness(_ error: SafetensorsError) -> Bool {
    switch error {
    case .duplicateKey, .unexpectedField, .unknownType: true
    default: false
    }
  }
}
#endif
