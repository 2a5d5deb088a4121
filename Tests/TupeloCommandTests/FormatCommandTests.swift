import Foundation
import TestSupport
import Testing
import Tupelo

/// `import` and `export`, and every command that takes a model with the files they write.
@Suite(.serialized) final class FormatCommandTests {
  private let folder: String
  private var weightFile: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/tdl/plain.w").path
  }

  init() throws {
    folder = TemporaryFile.path("formats")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  /// Runs the program and expects it to succeed.
  private func output(_ arguments: String...) throws -> String {
    let result = try Program.run(arguments)
    #expect(result.status == 0, "\(result)")
    return result.output
  }

  private func score(_ model: String) throws -> Double {
    let json =
      try JSONSerialization.jsonObject(
        with: Data(output("evaluate", model, "--games", "200", "--json").utf8)) as? [String: Any]
    return try #require(json?["score_mean"] as? Double)
  }

  @Test func everyFormatPlays() throws {
    let model = folder + "/model.safetensors"
    #expect(
      try output("import", weightFile, "-o", model)
        == "saved \(model): 4x4 shared 012 145 94a 05a\n")
    let whole = try score(model)
    let board = ["analyze", model, "1234000012340000", "--json"]
    let analysis = try Program.run(board).output
    for (format, words) in [
      (["f32"], "single precision"), (["f16"], "half precision"),
      (["compact", "--step", "0.5"], "weights in steps of 0.5 points\n"),
      (["compact", "--step", "2", "--drop", "5"], "in steps of 2 points, smaller than 5 dropped"),
    ] {
      let small = folder + "/small.safetensors"
      let saved = try Program.run(["export", model, "-o", small, "--format"] + format)
      #expect(saved.status == 0 && saved.output.hasPrefix("saved \(small), "), "\(saved)")
      let inspection = try output("inspect", small)
      #expect(inspection.contains(words), "\(inspection)")
      #expect(inspection.contains("kind         model (weights only)\n"))
      #expect(abs(try score(small) / whole - 1) < 0.1)
      #expect(try output("autoplay", small, "--until", "64").contains("\nreached 64: score "))
      let average = folder + "/average.safetensors"
      _ = try output("average", model, small, "-o", average)
      #expect(abs(try score(average) / whole - 1) < 0.1)
      if format == ["f32"] {
        #expect(try data(small) == data(model))
        #expect(try Program.run(["analyze", small, "1234000012340000", "--json"]).output == analysis)
      }
    }
    let back = folder + "/back.w"
    _ = try output("export", model, "-o", back)
    #expect(try data(back) == data(weightFile))
  }

  @Test(arguments: [
    (["import", "missing.w", "-o", "OUT"], "missing.w: cannot be opened"),
    (["import", "TEXT", "-o", "OUT"], "TEXT: not a TDL2048+ weight file"),
    (["export", "TEXT", "-o", "OUT"], "TEXT: "),
    (["export", "MODEL", "-o", "OUT.w", "--format", "f16"], "--output is"),
    (["export", "MODEL", "-o", "OUT", "--format", "w"], "--output is"),
    (["export", "MODEL", "-o", "OUT", "--step", "3"], "--step and --drop are for --format compact"),
    (["export", "MODEL", "-o", "OUT", "--format", "compact", "--step", "0"], "--step is 0.0"),
    (["export", "MODEL", "-o", "OUT", "--format", "compact", "--drop", "nan"], "--drop is nan"),
    (["export", "MODEL", "-o", "OUT", "--format", "compact", "--step", "1e-9"], "is too many steps of 1e-09"),
    (["export", "MODEL", "-o", "FOLDER/none/x.safetensors"], "no temporary file can be made"),
    (["train", "--resume", "MODEL"], "without training state"),
  ]) func refusesBadInput(_ arguments: [String], _ fact: String) throws {
    let (model, text) = (folder + "/model.safetensors", folder + "/text")
    _ = try output("import", weightFile, "-o", model)
    try Data("no model at all, but longer than a header".utf8).write(to: URL(fileURLWithPath: text))
    func resolved(_ word: String) -> String {
      word.replacingOccurrences(of: "OUT", with: folder + "/out").replacingOccurrences(of: "TEXT", with: text)
        .replacingOccurrences(of: "MODEL", with: model).replacingOccurrences(of: "FOLDER", with: folder)
    }
    let result = try Program.run(arguments.map(resolved))
    #expect(result.status != 0)
    #expect(result.errors.split(separator: "\n").first?.contains(resolved(fact)) == true, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["model.safetensors", "text"])
  }
}

/// `tupelo models`.
@Suite(.serialized) final class ModelsCommandTests {
  private let folder = TemporaryFile.path("models")

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  /// From a run to a folder with a small model, its checksum and its card, as the help says.
  @Test func fromRunToCard() throws {
    let (run, model) = (folder + "/run", folder + "/small.safetensors")
    let training = try Program.run([
      "train", "--set", "network.patterns=0123 0145", "--set", "evaluation.games=0", "--games", "300", "--output", run,
    ])
    #expect(training.status == 0, "\(training)")
    #expect(try Program.run(["export", run, "-o", model, "--format", "compact", "--step", "2"]).status == 0)
    let list = try Program.run(["models", "list", folder])
    #expect(list.status == 0 && list.output.contains("small.safetensors  "), "\(list)")
    #expect(list.output.contains("  4x4 shared 0123 0145  model, compact, "))
    let unlisted = try Program.run(["models", "verify", folder])
    #expect(unlisted.status != 0 && unlisted.errors.contains("SHA256SUMS: cannot be read"))
    _ = try Program.shell(
      "cd \(Program.quoted(folder)) && (sha256sum *.safetensors || shasum -a 256 *.safetensors) > SHA256SUMS")
    let verified = try Program.run(["models", "verify", folder])
    #expect(verified.status == 0 && verified.output == "small.safetensors  ok\n", "\(verified)")
    let evaluation = try Program.run(["evaluate", model, "--games", "20", "--json"])
    let file = folder + "/evaluation.json"
    try Data(evaluation.output.utf8).write(to: URL(fileURLWithPath: file))
    let card = try Program.run(["models", "card", model, "--evaluation", file, "--license", "mit"])
    #expect(card.status == 0 && card.output.contains("| trained on | 300 games, "), "\(card)")
    #expect(
      card.output.contains(
        "    tupelo evaluate small.safetensors --agent 'expectimax(plies: 1)' --games 20 --seed 1000003\n"))
    #expect(card.output.contains("      patterns: "))
    // A byte that changes is noticed.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: model))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: URL(fileURLWithPath: model))
    let changed = try Program.run(["models", "verify", folder])
    #expect(changed.status != 0 && changed.output == "small.safetensors  DIFFERS\n")
  }
}
