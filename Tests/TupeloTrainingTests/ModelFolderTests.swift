import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloNetwork
import TupeloTraining

@Suite struct SHA256Tests {
  private static func digest(_ bytes: [UInt8], pieces: Int = .max) -> String {
    var hash = SHA256()
    for start in stride(from: 0, to: bytes.count, by: min(pieces, max(bytes.count, 1))) {
      let piece = Array(bytes[start..<min(start + min(pieces, bytes.count), bytes.count)])
      hash.update(piece.span.bytes)
    }
    return hash.finish()
  }

  /// The examples of FIPS 180-4 (as published by NIST for the algorithm).
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]) func standardExamples(_ text: String, _ expected: String) {
    #expect(Self.digest(Array(text.utf8)) == expected)
    #expect(Self.digest(Array(text.utf8), pieces: 7) == expected)
  }

  @Test func aMillionLetters() {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    #expect(Self.digest(letters) == expected && Self.digest(letters, pieces: 1001) == expected)
  }

  #if os(macOS) || os(Linux)
    /// All lengths around the edges of a block, against Python's.
    @Test(.enabled(if: Python.hasSafetensors, "\(Python.isMissing)")) func everyLength() throws {
      let script = """
        import hashlib
        print("\\n".join(hashlib.sha256(bytes(i * 7 % 256 for i in range(n))).hexdigest() for n in range(200)))
        """
      let expected = try Python.run(script).split(separator: "\n").map { String($0) }
      let found = (0..<200).map { count in Self.digest((0..<count).map { UInt8($0 * 7 % 256) }, pieces: 13) }
      #expect(found == expected)
    }
  #endif
}

@Suite final class ModelFolderTests {
  private let folder = TemporaryFile.path("models")

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 0123 5"))
    network[pattern: 1, standardIndex: 3] = 40
    try network.save(to: folder + "/a.safetensors")
    try network.save(to: folder + "/b.safetensors", format: .compact(step: 16, drop: 0))
  }

  deinit { TemporaryFile.remove(folder) }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  @Test func lists() throws {
    try write("not a model", to: "c.safetensors")
    try write("nor this", to: "README.md")
    let entries = try ModelFolder(path: folder).entries()
    #expect(entries.map(\.name) == ["a.safetensors", "b.safetensors", "c.safetensors"])
    #expect(entries.map(\.isModel) == [true, true, false])
    #expect(entries[0].network == "4x4 shared 0123 5" && entries[0].storage == "model, single precision")
    #expect(entries[0].byteCount == (65536 + 16) * 4 && entries[1].byteCount < 300)
    #expect(entries[1].storage == "model, compact, 1 weights in steps of 16 points")
    #expect(entries[2].network.hasPrefix(folder + "/c.safetensors: "))
    #expect(throws: ModelFolderError.self) { try ModelFolder(path: self.folder + "/none").entries() }
  }

  @Test func verifies() throws {
    let models = ModelFolder(path: folder)
    #expect(throws: ModelFolderError.self) { try models.verify() }
    let sums = try ["a", "b"].map { try ModelFolder.checksum(ofFile: folder + "/\($0).safetensors") }
    try write("\(sums[0])  a.safetensors\n\(sums[1].uppercased()) *b.safetensors\n", to: "SHA256SUMS")
    #expect(try models.verify().map(\.verdict) == [.intact, .intact])
    try write("\(sums[0])  b.safetensors\n\(sums[0])  gone.safetensors\n", to: "SHA256SUMS")
    let verdicts = try models.verify()
    #expect(verdicts.map(\.name) == ["b.safetensors", "gone.safetensors", "a.safetensors"])
    #expect(verdicts.map(\.verdict) == [.changed, .missing, .unlisted])
    for line in [
      "x", "\(sums[0]) a", "\(sums[0])  ", "\(sums[0])  ../a", "\(sums[0])  ..", "\(sums[0].dropLast())g  a",
    ] {
      try write("\(sums[0])  a.safetensors\n\(line)\n", to: "SHA256SUMS")
      #expect(throws: ModelFolderError.badLine(path: folder + "/SHA256SUMS", line: 2)) { try models.verify() }
    }
  }

  private static let evaluation = """
    {"agent": "expectimax(plies: 2)", "games": 1000, "seed": 7, "score_mean": 12345.6, "score_margin_95": 78.9,
     "score_max": 45678, "reach_rates": {"2048": 0.5, "4096": 0.125, "8192": 0}}
    """

  @Test func cards() throws {
    try write(Self.evaluation, to: "e.json")
    let metadata = [
      ModelCard.Key.configuration: "training:\n  games: 5\n", "tupelo.games": "1234", "tupelo.moves": "567890",
    ]
    let network = try NTupleNetwork(path: folder + "/a.safetensors")
    try network.save(to: folder + "/m.safetensors", format: .compact(step: 8, drop: 20), metadata: metadata)
    let card = try ModelCard(
      model: folder + "/m.safetensors", evaluations: [folder + "/e.json"], license: "mit"
    ).markdown
    #expect(card.hasPrefix("---\nlicense: mit\nlibrary_name: tupelo\n"))
    for line in [
      "      value: \"12,346 ± 79\"", "| expectimax(plies: 2) | 1,000 | 7 | 12,346 ± 79 | 45,678 | 50.0% | 12.5% |",
      "| trained on | 1,234 games, 567,890 moves |", "| network | `4x4 shared 0123 5` |",
      "| SHA-256 | `\(try ModelFolder.checksum(ofFile: folder + "/m.safetensors"))` |",
      "    tupelo evaluate m.safetensors --agent 'expectimax(plies: 2)' --games 1000 --seed 7",
      "    tupelo export run -o m.safetensors --format compact --step 8.0 --drop 20.0", "      games: 5",
    ] {
      #expect(card.contains("\n" + line + "\n"), "\(line)\n\(card)")
    }
    // Without evaluations and origin, what is known.
    let plain = try ModelCard(model: folder + "/a.safetensors", evaluations: [], license: "other").markdown
    #expect(!plain.contains("model-index") && !plain.contains("## "))
  }

  @Test(arguments: [
    ("", "it is not JSON"), ("{}", "is missing"), (#"{"agent": 5}"#, "is not of its type"),
    (evaluation.replacingOccurrences(of: "12345.6", with: "1e300"), "cannot be"),
    (evaluation.replacingOccurrences(of: "0.125", with: "-1"), "cannot be"),
    (evaluation.replacingOccurrences(of: "plies: 2", with: "`rm`"), "cannot be"),
  ]) func refusesWhatIsNoEvaluation(_ text: String, _ fact: String) throws {
    try write(text, to: "e.json")
    let error = #expect(throws: ModelCardError.self) {
      try ModelCard(model: self.folder + "/a.safetensors", evaluations: [self.folder + "/e.json"], license: "mit")
    }
    #expect(
      error?.description.hasPrefix(folder + "/e.json: ") == true && error?.description.contains(fact) == true,
      "\(String(describing: error))")
    #expect(throws: ModelCardError.badLicense("a\nb")) {
      try ModelCard(model: self.folder + "/a.safetensors", evaluations: [], license: "a\nb")
    }
  }
}
