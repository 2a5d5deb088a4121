import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloNetwork
import TupeloReports
import TupeloRuns
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
  @Test(
    arguments: [
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
          + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ] as [(String, String)]) func standardExamples(_ text: String, _ expected: String)
  {
    #expect(Self.digest(Array(text.utf8)) == expected)
    #expect(Self.digest(Array(text.utf8), pieces: 7) == expected)
  }

  @Test func aMillionLetters() {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    #expect(Self.digest(letters) == expected && Self.digest(letters, pieces: 1001) == expected)
  }

  #if os(macOS) || os(Linux)
  /// Lengths around the size of a block, compared with Python's result.
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
    let entries = try ModelFolder(path: folder + "/").entries()
    #expect(entries.map(\.name) == ["a.safetensors", "b.safetensors", "c.safetensors"])
    #expect(entries.map(\.isModel) == [true, true, false])
    #expect(entries[0].network == "4x4 shared 0123 5" && entries[0].storage == "model, single precision")
    #expect(entries[0].title == "4x4 shared 0123 5" && entries[2].title.isEmpty)
    let size = try FileManager.default.attributesOfItem(atPath: folder + "/a.safetensors")[.size] as? Int
    #expect(entries[0].byteCount == size && (size ?? 0) > (65536 + 16) * 4)
    #expect(entries[1].storage == "model, compact, 1 weight in steps of 16")
    #expect(!entries[2].network.isEmpty && !entries[2].network.contains("c.safetensors"))
    #expect(throws: ModelFolderError.self) { try ModelFolder(path: self.folder + "/none").entries() }
  }

  /// Folders of models are found: the folder itself, and those in it that contain a model or checksums.
  @Test func findsFolders() throws {
    for name in ["x", "y", "empty", ".hidden"] {
      try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: false)
    }
    try write("", to: "x/m.safetensors")
    try write("", to: "y/SHA256SUMS")
    try write("", to: ".hidden/m.safetensors")
    #expect(try ModelFolder.all(under: folder + "/").map(\.path) == [folder, folder + "/x", folder + "/y"])
    #expect(try ModelFolder.all(under: folder + "/empty").map(\.path) == [folder + "/empty"])
    #expect(try ModelFolder.model(at: folder + "/x/") == folder + "/x/m.safetensors")
    #expect(try ModelFolder.model(at: "any.safetensors") == "any.safetensors")
    #expect(throws: ModelFolderError.notOneModel(path: folder, count: 2)) { try ModelFolder.model(at: self.folder) }
    #expect(throws: ModelFolderError.notOneModel(path: folder + "/y", count: 0)) {
      try ModelFolder.model(at: self.folder + "/y")
    }
    try write("", to: "model.safetensors")
    #expect(try ModelFolder.model(at: folder) == folder + "/model.safetensors")
  }

  @Test func verifies() throws {
    let models = ModelFolder(path: folder)
    #expect(try models.verify().map(\.verdict) == [.unlisted, .unlisted])
    let sums = try ["a", "b"].map { try ModelFolder.checksum(ofFile: folder + "/\($0).safetensors") }
    try write("\(sums[0])  a.safetensors\n\(sums[1].uppercased()) *b.safetensors\n", to: "SHA256SUMS")
    #expect(try models.verify().map(\.verdict) == [.intact, .intact])
    try write("\(sums[0])  b.safetensors\n\(sums[0])  gone.safetensors\n", to: "SHA256SUMS")
    let verdicts = try models.verify()
    #expect(verdicts.map(\.name) == ["b.safetensors", "gone.safetensors", "a.safetensors"])
    #expect(verdicts.map(\.verdict) == [.changed, .missing, .unlisted])
    for line in [
      "x", "\(sums[0]) a", "\(sums[0])  ", "\(sums[0])  ../a", "\(sums[0])  ..", "\(sums[0].dropLast())g  a",
      "\(sums[0])  a\r.safetensors",
    ] {
      try write("\(sums[0])  a.safetensors\n\(line)\n", to: "SHA256SUMS")
      let error = #expect(throws: ModelFolderError.self) { try models.verify() }
      #expect("\(String(describing: error))".contains("SHA256SUMS"), "\(line)")
    }
  }

  /// A list from Windows is read as `sha256sum` reads it, and models are listed with line feeds again.
  @Test func linesMayEndAsOnWindows() throws {
    let models = ModelFolder(path: folder)
    let sums = try ["a", "b"].map { try ModelFolder.checksum(ofFile: folder + "/\($0).safetensors") }
    try write("\(sums[0])  a.safetensors\r\n\r\n\(sums[0])  b.safetensors\r\n", to: "SHA256SUMS")
    #expect(try models.verify().map(\.verdict) == [.intact, .changed])
    #expect(try models.lists("b.safetensors"))
    try models.writeChecksums()
    #expect(try models.verify().map(\.verdict) == [.intact, .intact])
  }

  /// Models are listed with their current checksums; the lines of other files do not change.
  @Test func writesChecksums() throws {
    let other = String(repeating: "0", count: 64) + "  notes.txt\n"
    try write(String(repeating: "1", count: 64) + "  a.safetensors\n" + other, to: "SHA256SUMS")
    try ModelFolder(path: folder).writeChecksums()
    let text = try String(contentsOfFile: folder + "/SHA256SUMS", encoding: .utf8)
    let sums = try ["a", "b"].map {
      "\(try ModelFolder.checksum(ofFile: folder + "/\($0).safetensors"))  \($0).safetensors\n"
    }
    #expect(text == sums.joined() + other)
  }
}

@Suite final class ModelCardTests {
  private let parent = TemporaryFile.path("cards")
  private let folder: String
  private let fingerprint: String
  private let identity: String

  init() throws {
    folder = parent + "/small"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let network = try NTupleNetwork(NetworkSpecification(canonicalText: "4x4 shared 0123 5"))
    fingerprint = network.specification.fingerprint
    network[pattern: 1, standardIndex: 3] = 40
    let metadata = [
      ModelOrigin.Key.configuration: "network:\n  patterns: 0123 5\ntraining:\n  games: 5\n  threads: 2\n",
      "tupelo.games": "1234", "tupelo.moves": "567890",
    ]
    try network.save(to: folder + "/model.safetensors", format: .compact(step: 8, drop: 20), metadata: metadata)
    identity = try TrainedModel(path: folder + "/model.safetensors").identity
  }

  deinit { TemporaryFile.remove(parent) }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }

  private var evaluation: String {
    """
    {"agent": "expectimax(plies: 2)", "games": 1000, "seed": 7, "score_mean": 12345.6, "score_margin_95": 78.9,
     "score_max": 45678, "reach_rates": {"2048": 0.5, "4096": 0.125, "8192": 0}, "four_probability": 0.2, \
     "start_tiles": 2,
     "model": "\(identity)", "model_fingerprint": "\(fingerprint)"}
    """
  }

  @Test func saysWhatIsKnown() throws {
    try write(evaluation, to: "evaluation-2-ply.json")
    let card = try ModelCard(model: folder, license: "mit").markdown
    #expect(card.hasPrefix("---\nlicense: mit\nlibrary_name: tupelo\n"))
    for line in [
      "      value: 12345.6", "- name: \"small\"", "# small",
      "| expectimax(plies: 2) | 1,000 | 7 | 12,346 ± 79 | 45,678 | 50.0% | 12.5% |",
      "| trained on | 1,234 games, 567,890 moves |", "| network | `4x4 shared 0123 5` |",
      "| SHA-256 | `\(try ModelFolder.checksum(ofFile: folder + "/model.safetensors"))` |",
      "    tupelo train --config config.yaml --output run",
      "    tupelo export run -o model.safetensors --format compact --step 8.0 --drop 20.0",
      "    tupelo evaluate model.safetensors --agent 'expectimax(plies: 2)' --games 1000 --seed 7 --four-probability "
        + "0.2 --json > evaluation-2-ply.json",
      "    tupelo models card . --license mit",
    ] {
      #expect(card.contains("\n" + line + "\n"), "\(line)\n\(card)")
    }
    #expect(card.contains("Trained on 2 threads"))
    // Without evaluations and origin, the card has the known facts; a file with a name of its own names the model.
    let network = try NTupleNetwork(path: folder + "/model.safetensors")
    try network.save(to: parent + "/plain.safetensors")
    let plain = try ModelCard(model: parent + "/plain.safetensors", license: "unknown").markdown
    #expect(!plain.contains("model-index") && !plain.contains("## ") && plain.contains("\n# plain\n"))
  }

  /// A source beside the model's folder is one that the commands start from. A path that leads elsewhere is not.
  @Test(arguments: [("small", true)] + ["gone", "small/../small", ".", "..", ""].map { ($0, false) })
  func sourcesAreBesideTheFolder(_ name: String, _ isBeside: Bool) throws {
    let known = try SafetensorsFile(path: folder + "/model.safetensors").metadata
    let metadata = [
      ModelOrigin.Key.configuration: try #require(known[ModelOrigin.Key.configuration]), ModelOrigin.Key.source: name,
      ModelOrigin.Key.sourceIdentity: "1234",
    ]
    let network = try NTupleNetwork(path: folder + "/model.safetensors")
    try network.save(to: folder + "/model.safetensors", metadata: metadata)
    let card = try ModelCard(model: folder, license: "unknown").markdown
    #expect(card.contains("made from | the model") == isBeside && card.contains("tupelo train") != isBeside, "\(card)")
  }

  /// Front matter is read by Python's YAML reader.
  @Test(.enabled(if: Python.hasYAML, "\(Python.isMissingYAML)")) func frontMatterIsYAML() throws {
    try write(evaluation, to: "evaluation-2-ply.json")
    try write(evaluation.replacingOccurrences(of: "plies: 2", with: "plies: 1"), to: "evaluation-1-ply.json")
    _ = try ModelCard(model: folder, license: "apache-2.0").write()
    let script = """
      import sys, yaml, json
      text = open(sys.argv[1]).read()
      head = yaml.safe_load(text.split("---\\n")[1])
      index = head["model-index"]
      assert len(index) == 1 and len(index[0]["results"]) == 1
      result = index[0]["results"][0]
      assert result["task"]["type"] == "reinforcement-learning" and result["dataset"]["type"] == "2048"
      assert all(set(metric) == {"type", "name", "value"} for metric in result["metrics"])
      config = yaml.safe_load(open(sys.argv[2]))
      print(json.dumps([head["license"], head["library_name"], head["tags"][1], index[0]["name"],
        [[m["type"], m["value"]] for m in result["metrics"]], result["metrics"][1]["name"],
        config["training"]["games"]]))
      """
    let found = try Python.run(script, folder + "/README.md", folder + "/config.yaml")
    #expect(
      found == """
        ["apache-2.0", "tupelo", "2048", "small", [["mean_reward", 12345.6], ["mean_reward", 12345.6]], \
        "average score of expectimax(plies: 2) in 1000 games: 12,346 \\u00b1 79 (95%)", 5]

        """)
  }

  /// A card is written over a card, but over no other file.
  @Test func replacesOnlyItsOwn() throws {
    let card = try ModelCard(model: folder, license: "unknown")
    #expect(try card.write() == ["README.md", "config.yaml", "SHA256SUMS"])
    #expect(try read("README.md") == card.markdown)
    #expect(try RunConfiguration.parse(yaml: read("config.yaml"), sourceName: "").training.games == 5)
    #expect(try ModelFolder(path: folder).verify().map(\.verdict) == [.intact])
    _ = try ModelCard(model: folder, license: "mit").write()
    #expect(try read("README.md").hasPrefix("---\nlicense: mit\n"))
    for (name, text) in [("README.md", "# My project\n"), ("config.yaml", "seed: 5\n")] {
      let before = try read(name)
      try write(text, to: name)
      #expect(throws: ModelCardError.taken(path: folder + "/" + name)) { try card.write() }
      #expect(try read(name) == text)
      try write(before, to: name)
    }
  }

  /// A card that an editor of Windows has saved is still a card, and its configuration is still the model's own.
  @Test func replacesItsOwnWithLineEndsOfWindows() throws {
    let card = try ModelCard(model: folder, license: "unknown")
    for name in try card.write() { try write(read(name).replacing("\n", with: "\r\n"), to: name) }
    #expect(try card.write() == ["README.md", "config.yaml", "SHA256SUMS"])
    #expect(try read("README.md") == card.markdown)
  }

  /// Version 0.1.0 wrote keys that have ended. Its configuration stays, because the model's file has the same text.
  @Test func keepsAConfigurationWithKeysThatHaveEnded() throws {
    let card = try ModelCard(model: folder, license: "unknown")
    _ = try card.write()
    let text = try read("config.yaml").replacing("learner:\n", with: "learner:\n  visit_bonus: 0.0\n")
    try write(text, to: "config.yaml")
    _ = try card.write()
    #expect(try text.contains("visit_bonus") && read("config.yaml") == text)
  }

  @Test(
    arguments: [
      ("", "it is not JSON"), ("{}", "is missing"), (#"{"agent": 5}"#, "is not of its type"),
      ("12345.6|1e300", "not possible"),
      ("0.125|-1", "not possible"), ("plies: 2|`rm`", "not possible"),
      ("\"start_tiles\": 2|\"start_tiles\": 0", "not possible"),
      ("model_fingerprint|other", "of another model"),
      ("\"seed\": 7|\"seed\": 7, \"model_sha256\": \"00\"", "of another model"),
    ] as [(String, String)]) func refusesWhatIsNoEvaluation(_ change: String, _ fact: String) throws
  {
    let parts = change.components(separatedBy: "|")
    let text = parts.count == 2 ? evaluation.replacingOccurrences(of: parts[0], with: parts[1]) : change
    #expect(text != evaluation)
    try write(text, to: "evaluation.json")
    let error = #expect(throws: (any Error).self) { try ModelCard(model: self.folder, license: "mit") }
    let line = error.map { "\($0)" } ?? ""
    #expect(line.hasPrefix(folder + "/evaluation.json: ") && line.contains(fact), "\(line)")
  }

  @Test func refusesACheckpoint() throws {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(canonicalText: "4x4 shared 0123")
    let path = parent + "/checkpoint.safetensors"
    try Trainer(configuration).save(to: path)
    #expect(throws: ModelCardError.checkpoint(path: path)) { try ModelCard(model: path, license: "mit") }
  }

  @Test func refusesALicenseThatIsNone() throws {
    #expect(throws: ModelCardError.badLicense("a\nb")) { try ModelCard(model: self.folder, license: "a\nb") }
  }
}
