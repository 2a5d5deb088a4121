import Foundation
import Safetensors
import TestSupport
import Testing
import Tupelo

/// `import` and `export`, and every command that takes a model with the files they write.
@Suite(.serialized) final class FormatCommandTests {
  private let folder: String
  private let weightFile = Repository.file("Tests/Fixtures/tdl/plain.w")

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

  /// The hash of a model's weights.
  private func identity(_ model: String) throws -> String {
    let json = try JSONSerialization.jsonObject(with: Data(output("inspect", model, "--json").utf8)) as? [String: Any]
    return try #require(json?["model"] as? String)
  }

  private func score(_ model: String) throws -> Double {
    let json =
      try JSONSerialization.jsonObject(
        with: Data(output("evaluate", model, "--games", "200", "--json").utf8)) as? [String: Any]
    return try #require(json?["score_mean"] as? Double)
  }

  @Test(.slow) func everyFormatPlays() throws {
    let model = folder + "/model.safetensors"
    #expect(
      try output("import", weightFile, "-o", model)
        == "saved \(model): 4x4 shared 012 145 94a 05a\n")
    let whole = try score(model)
    let board = ["analyze", model, "1234000012340000", "--json"]
    let analysis = try Program.run(board).output
    for (format, words) in [
      (["f32"], "single precision"), (["f16"], "half precision"),
      (["compact", "--step", "0.5"], "weights in steps of 0.5\n"),
      (["compact", "--step", "2", "--drop", "5"], "in steps of 2, smaller than 5 dropped"),
    ] {
      let small = folder + "/small.safetensors"
      let saved = try Program.run(["export", model, "-o", small, "--format"] + format)
      #expect(saved.status == 0 && saved.output.hasPrefix("saved \(small), "), "\(saved)")
      let inspection = try output("inspect", small)
      #expect(inspection.contains(words), "\(inspection)")
      #expect(inspection.contains("kind         model (weights only)\n"))
      #expect(abs(try score(small) / whole - 1) < 0.1)
      #expect(try output("autoplay", small, "--plies", "1", "--until", "64").contains("\nreached 64: score "))
      let average = folder + "/average.safetensors"
      _ = try output("average", model, small, "-o", average)
      #expect(abs(try score(average) / whole - 1) < 0.1)
      if format == ["f32"] {
        // The file also says which model it was made from.
        #expect(try identity(small) == identity(model))
        #expect(try Program.run(["analyze", small, "1234000012340000", "--json"]).output == analysis)
      }
    }
    let back = folder + "/back.w"
    _ = try output("export", model, "-o", back)
    #expect(try data(back) == data(weightFile))
  }

  /// A run goes on elsewhere from its portable state. The new folder, its later model and the card say that it did.
  @Test func aRunTravels() throws {
    let (run, state) = (folder + "/run", folder + "/run.safetensors")
    let (there, models) = (folder + "/there", folder + "/models")
    _ = try output(
      "train", "--set", "network.patterns=0123 4567", "--set", "evaluation.games=0", "--games", "60", "--output", run)
    _ = try output("export", run, "-o", state, "--format", "state")
    // A state is made anew only by --force, and the folder of the first machine does not travel.
    #expect(try Program.run(["export", run, "-o", state, "--format", "state"]).errors.contains("add --force"))
    _ = try output("export", run, "-o", state, "--format", "state", "--force")
    #expect(try output("train", "--resume", state, "--games", "90", "--dry-run").contains("directory: null"))
    #expect(try output("inspect", state, "--json").contains("\"kind\" : \"state\""))
    let resumed = try Program.run(["train", "--resume", state, "--games", "90", "--output", there])
    #expect(resumed.status == 0 && "\(resumed)".contains("a portable state, whose weights are rounded"))
    let metadata = try JSONSerialization.jsonObject(with: data(there + "/meta.json")) as? [String: Any]
    let sessions = try #require(metadata?["sessions"] as? [[String: Any]])
    #expect(sessions.count == 1 && sessions[0]["games"] as? Int == 60 && sessions[0]["roundedAt"] as? [Int] == [60])

    try FileManager.default.createDirectory(atPath: models, withIntermediateDirectories: true)
    _ = try output("export", there, "-o", models + "/model.safetensors", "--format", "compact")
    _ = try output("models", "card", models)
    let card = try String(decoding: data(models + "/README.md"), as: UTF8.self)
    #expect(card.contains("\n| continued from a rounded state | after 60 games |\n"))
    #expect(card.contains("Continued from a rounded state: training again gives different weights"))
    #expect(try output("inspect", there).contains("\nrounded      after 60 games\n"))
    let first = try JSONSerialization.jsonObject(with: data(run + "/meta.json")) as? [String: Any]
    let whole = try #require(first?["sessions"] as? [[String: Any]])
    #expect(whole.count == 1 && whole[0]["games"] as? Int == 0 && whole[0]["roundedAt"] == nil)
  }

  /// The state of a damaged checkpoint is refused in one line.
  @Test(arguments: ["coherence.error.1", "coherence.absolute_error.1"]) func noStateOfADamagedRun(name: String) throws {
    let (run, state) = (folder + "/run", folder + "/run.safetensors")
    _ = try output(
      "train", "--set", "network.patterns=0123 4567", "--set", "evaluation.games=0", "--games", "20", "--output", run)
    let checkpoint = run + "/checkpoint.safetensors"
    var bytes = try data(checkpoint)
    let header = 8 + bytes.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    let tensors = try JSONSerialization.jsonObject(with: bytes[8..<header]) as? [String: [String: Any]]
    let place = header + (try #require((tensors?[name]?["data_offsets"] as? [Int])?.first)) + 4 * 7
    bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0xc0, 0x7f])
    try bytes.write(to: URL(fileURLWithPath: checkpoint))
    let result = try Program.run(["export", run, "-o", state, "--format", "state"])
    #expect(
      result.status == 1 && result.errors.hasPrefix("Error: \(checkpoint): the tensor \(name) has a number at index 7"))
    #expect(
      result.errors.split(separator: "\n").count == 1 && !FileManager.default.fileExists(atPath: state), "\(result)")
  }

  /// A model that is pruned to a size has at most that size, plays nearly as well, and its card shows the command.
  @Test(.slow) func prunesToASize() throws {
    let (run, folder) = (folder + "/run", folder + "/small")
    _ = try output(
      "train", "--layout", "4x5", "--set", "evaluation.games=0", "--games", "1000", "--output", run)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (whole, small) = (folder + "/whole.safetensors", folder + "/model.safetensors")
    _ = try output("export", run, "-o", whole, "--format", "compact", "--step", "1", "--loss", "0")
    let size = try data(whole).count
    let megabytes = "\(Double(size / 2 / 1000) / 1000)"
    _ = try output(
      "export", run, "-o", small, "--format", "compact", "--step", "1", "--megabytes", megabytes, "--games", "50")
    #expect(try data(small).count <= size / 2)
    #expect(try score(small) > 0.8 * score(whole))
    _ = try output("models", "card", folder)
    let card = try String(contentsOfFile: folder + "/README.md", encoding: .utf8)
    #expect(
      card.contains(
        "tupelo export run -o model.safetensors --format compact --step 1.0 --megabytes \(megabytes) --games 50\n"))
  }

  /// The card of a model that was made from another model gives the command that makes it from that model, and not the
  /// command of a training run.
  @Test(.slow) func aModelSaysFromWhichModelItIs() throws {
    let (run, first, second) = (folder + "/run", folder + "/first", folder + "/second")
    _ = try output(
      "train", "--layout", "4x5", "--set", "evaluation.games=0", "--games", "300", "--threads", "2", "--output", run)
    for path in [first, second] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    _ = try output("export", run, "-o", first + "/model.safetensors", "--format", "compact")
    let make = ["--format", "compact", "--step", "64.0", "--megabytes", "0.02", "--games", "20"]
    #expect(try Program.run(["export", first, "-o", second + "/model.safetensors"] + make).status == 0)
    _ = try output("models", "card", first)
    _ = try output("models", "card", second)
    let cards = try [first, second].map { try String(contentsOfFile: $0 + "/README.md", encoding: .utf8) }
    let row = try #require(cards[0].split(separator: "\n").first { $0.hasPrefix("| model (hash") })
    let hash = row.split(separator: "`")[1]
    #expect(cards[0].contains("\n    tupelo train --config config.yaml --output run\n"), "\(cards[0])")
    #expect(cards[0].contains("Trained on 2 threads") && !cards[0].contains("made from"))
    #expect(cards[1].contains("| made from | the model `first`, `\(hash)` |\n"), "\(cards[1])")
    #expect(cards[1].contains("Made from `first`, without training."), "\(cards[1])")
    #expect(!cards[1].contains("tupelo train"))
    for card in cards { #expect(!card.contains("bit for bit")) }
    // The command of the card makes the same model, in a folder beside the first one.
    let command = "tupelo export ../first -o model.safetensors \(make.joined(separator: " "))"
    #expect(cards[1].contains("\n    \(command)\n"), "\(cards[1])")
    let bin = (Program.path as NSString).deletingLastPathComponent
    let again = try Program.shell(
      "mkdir \(Program.quoted(folder + "/third")) && cd \(Program.quoted(folder + "/third")) && "
        + "PATH=\(Program.quoted(bin)):$PATH \(command)")
    #expect(again.status == 0, "\(again)")
    #expect(try data(folder + "/third/model.safetensors") == data(second + "/model.safetensors"))
    // A model with a checksum is not replaced.
    let before = try data(second + "/model.safetensors")
    for words in [["export", first], ["average", first], ["fold", first]] {
      let refused = try Program.run(words + ["-o", second + "/model.safetensors"])
      #expect(refused.status == 1, "\(refused)")
      #expect(refused.errors.contains("model.safetensors: is listed in SHA256SUMS"), "\(refused)")
    }
    #expect(try data(second + "/model.safetensors") == before)
    _ = try output("export", first, "-o", second + "/model.safetensors", "--force")
    #expect(try data(second + "/model.safetensors") != before)
    // Without the first model beside it, the card has the commands of the run.
    TemporaryFile.remove(first)
    _ = try output("models", "card", second)
    let alone = try String(contentsOfFile: second + "/README.md", encoding: .utf8)
    #expect(alone.contains("| made from | another model of this run, `\(hash)` |\n"), "\(alone)")
    #expect(alone.contains("\n    tupelo train --config config.yaml --output run\n    tupelo export run "), "\(alone)")
    #expect(!alone.contains("first"), "\(alone)")
    #expect(try !Program.run(["help", "models", "card"]).output.contains("models/small"))
  }

  /// Weights are dropped by |w| A, the least first, until their sum is the given loss times the sum of all A. The test
  /// reads the checkpoint's own numbers, one by one.
  @Test(.slow, arguments: [0.05, 0.5, 4]) func whatWasHardlyUsedIsLeftOut(_ loss: Double) throws {
    let (run, small) = (folder + "/run", folder + "/small.safetensors")
    _ = try output(
      "train", "--set", "network.patterns=0123 0145", "--games", "300", "--set", "evaluation.games=0", "--output", run)
    _ = try output(
      "export", run, "-o", small, "--format", "compact", "--step", "0.001", "--loss", "\(loss)")
    let checkpoint = try SafetensorsFile(path: run + "/checkpoint.safetensors")
    let isAveraged = checkpoint.tensor(named: "average.weights.0") != nil
    let network = try NTupleNetwork(path: small)
    var all: [(importance: Double, isKept: Bool)] = []
    var total = 0.0
    for table in 0..<2 {
      let weights = try checkpoint.array(of: (isAveraged ? "average." : "") + "weights.\(table)", as: Float.self)
      let uses = try checkpoint.array(of: "coherence.absolute_error.\(table)", as: Float.self)
      for index in weights.indices {
        total += Double(uses[index])
        let kept = network[pattern: table, standardIndex: index]
        #expect(kept == 0 || abs(kept - weights[index]) < 0.01)
        if abs(weights[index]) > 0.01 { all.append((Double(abs(weights[index]) * uses[index]), kept != 0)) }
      }
    }
    let (kept, dropped) = (all.filter(\.isKept), all.filter { !$0.isKept })
    #expect(kept.count > 100 && dropped.count > 100, "\(kept.count) \(dropped.count)")
    let (least, most) = (kept.map(\.importance).min() ?? 0, dropped.map(\.importance).max() ?? 0)
    #expect(least > most, "no weight that is kept matters less than one that is not")
    let sum = dropped.reduce(0) { $0 + $1.importance }
    // The next weights to be dropped form a class of 1/16 octave.
    let next = kept.filter { $0.importance < least * 1.07 }.reduce(0) { $0 + $1.importance }
    #expect(sum <= loss * total * 1.001 && sum + next >= loss * total * 0.999, "\(sum / total) \(next / total)")
    #expect(try output("inspect", small).contains("kind         model (weights only)\n"))
  }

  /// A checkpoint of temporal coherence loses two points; a checkpoint without sums, a model and `--drop` lose nothing.
  @Test(.slow) func theUsualLossIsOfCheckpointsThatKnowTheirUse() throws {
    let train = ["train", "--set", "network.patterns=0123", "--games", "200", "--set", "evaluation.games=0"]
    let (run, plain) = (folder + "/run", folder + "/plain")
    #expect(try Program.run(train + ["--output", run]).status == 0)
    let constant = ["--set", "learner.step_size=constant", "--alpha", "0.1", "--output", plain]
    #expect(try Program.run(train + constant).status == 0)
    func export(_ model: String, _ options: String...) throws -> Data {
      let path = folder + "/export.safetensors"
      #expect(try Program.run(["export", model, "-o", path, "--format", "compact"] + options).status == 0)
      return try data(path)
    }
    #expect(try export(run) == export(run, "--loss", "2"))
    #expect(try export(run, "--drop", "0") == export(run, "--loss", "0"))
    #expect(try export(run).count < export(run, "--drop", "0").count)
    #expect(try export(plain) == export(plain, "--loss", "0"))
    _ = try export(run)
    #expect(try output("inspect", folder + "/export.safetensors").contains(", hardly used ones dropped (loss 2)\n"))
    let result = try Program.run(["export", run, "-o", folder + "/none", "--format", "compact", "--loss", "1e9"])
    #expect(result.status == 1 && result.errors.contains("a loss of 1e+09 leaves no weight"), "\(result)")
  }

  @Test(
    .slow,
    arguments: [
      (["import", "missing.w", "-o", "OUT"], "missing.w: cannot be opened"),
      (["import", "TEXT", "-o", "OUT"], "TEXT: not a TDL2048+ weight file"),
      (["export", "TEXT", "-o", "OUT"], "TEXT: "),
      (["export", "MODEL", "-o", "OUT.w", "--format", "f16"], "--output is"),
      (["export", "MODEL", "-o", "OUT", "--format", "w"], "--output is"),
      (["export", "MODEL", "-o", "OUT", "--step", "3"], "--step, --drop and --loss are for --format compact"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--step", "0"], "--step is 0.0"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--drop", "nan"], "--drop is nan"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--loss", "-1"], "--loss is -1.0"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--loss", "1"], "does not say how much its weights"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--step", "1e-9"], "is too many steps of 1e-09"),
      (["export", "MODEL", "-o", "OUT", "--megabytes", "1"], "--megabytes is for --format compact"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--megabytes", "0"], "--megabytes is 0.0"),
      (
        ["export", "MODEL", "-o", "OUT", "--format", "compact", "--megabytes", "1", "--drop", "1"],
        "--megabytes decides what is dropped"
      ),
      (["export", "MODEL", "-o", "OUT", "--games", "1"], "--games is for --format compact with --megabytes"),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--megabytes", "0.001"], "no weight of this network"),
      (
        ["export", "MODEL", "-o", "OUT", "--format", "compact", "--megabytes", "1", "--games", "0"], "--games is 0"
      ),
      (
        ["export", "MODEL", "-o", "OUT", "--format", "compact", "--megabytes", "1", "--games", "-5"],
        "--games is -5: give 1 or more"
      ),
      (["export", "MODEL", "-o", "OUT", "--format", "compact", "--drop", "1e9"], "no weight would be left"),
      (["export", "MODEL", "-o", "FOLDER/none/x.safetensors"], "the folder FOLDER/none is not there"),
      (["train", "--resume", "MODEL"], "without training state"),
    ] as [([String], String)]) func refusesBadInput(_ arguments: [String], _ fact: String) throws
  {
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

  private func write(_ data: Data, to path: String) throws { try data.write(to: URL(fileURLWithPath: path)) }

  /// Makes a run, and a folder with a model of it and an evaluation.
  private func modelFolder() throws -> String {
    let (run, model) = (folder + "/run", folder + "/models/small")
    let training = try Program.run([
      "train", "--set", "network.patterns=0123 0145", "--set", "evaluation.games=0", "--games", "300", "--output", run,
    ])
    #expect(training.status == 0, "\(training)")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    let export = try Program.run([
      "export", run, "-o", model + "/model.safetensors", "--format", "compact", "--step", "2",
    ])
    #expect(export.status == 0, "\(export)")
    let evaluation = try Program.run(["evaluate", model + "/model.safetensors", "--games", "20", "--json"])
    try write(Data(evaluation.output.utf8), to: model + "/evaluation-1-ply.json")
    return model
  }

  /// The commands that the help shows lead from a run to a complete folder.
  @Test func fromRunToCard() throws {
    let model = try modelFolder()
    let card = try Program.run(["models", "card", model, "--license", "mit"])
    #expect(card.status == 0 && card.output == "wrote README.md, config.yaml, SHA256SUMS\n", "\(card)")
    let text = try String(contentsOfFile: model + "/README.md", encoding: .utf8)
    #expect(text.contains("| trained on | 300 games, "), "\(text)")
    #expect(
      text.contains(
        "    tupelo evaluate model.safetensors --agent 'expectimax(plies: 1)' --games 20 --seed 1000003 --json > "
          + "evaluation-1-ply.json\n"
      ))
    let list = try Program.run(["models", "list", folder + "/models"])
    let lines = list.output.split(separator: "\n")
    #expect(list.status == 0 && lines.count == 3, "\(list)")
    #expect(
      lines[0].hasPrefix("\(model)/model.safetensors  ") && lines[0].hasSuffix("  4x4 shared 0123 0145"))
    #expect(
      lines[1].hasPrefix("  model, compact, ")
        && lines[1].hasSuffix(" weights in steps of 2, hardly used ones dropped (loss 2)"))
    #expect(lines[2].hasPrefix("  expectimax(plies: 1), 20 games: "))
    // Without the evaluation, the card has the score.
    let moved = folder + "/evaluation.json"
    try FileManager.default.moveItem(atPath: model + "/evaluation-1-ply.json", toPath: moved)
    let fromCard = try Program.run(["models", "list", folder + "/models"])
    #expect(fromCard.status == 0 && fromCard.output == list.output, "\(fromCard)")
    let verified = try Program.run(["models", "verify", folder + "/models"])
    #expect(verified.status == 0 && verified.output == "\(model)/model.safetensors  ok\n", "\(verified)")
    let tool = try Program.shell(
      "cd \(Program.quoted(model)) && (sha256sum -c SHA256SUMS || shasum -a 256 -c SHA256SUMS)")
    #expect(tool.status == 0 && tool.output == "model.safetensors: OK\n", "\(tool)")
    // A changed byte is noticed.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: model + "/model.safetensors"))
    bytes[bytes.count - 1] ^= 1
    try write(bytes, to: model + "/model.safetensors")
    let changed = try Program.run(["models", "verify", folder + "/models"])
    #expect(changed.status != 0 && changed.output == "\(model)/model.safetensors  DIFFERS\n")
    #expect(changed.errors.hasPrefix("Error: \(model)/model.safetensors: not equal to SHA256SUMS"), "\(changed)")
    // A card and an evaluation of the file before the change are noticed, too.
    let otherCard = try Program.run(["models", "list", folder + "/models"])
    #expect(otherCard.status != 0 && otherCard.output.contains("  README.md belongs to other weights"), "\(otherCard)")
    try FileManager.default.moveItem(atPath: moved, toPath: model + "/evaluation-1-ply.json")
    let stale = try Program.run(["models", "card", model])
    #expect(
      stale.status != 0 && stale.errors.contains("evaluation-1-ply.json: is the evaluation of another model"),
      "\(stale)")
  }

  /// The commands on a card make the same folder again: with one thread, the same weights.
  @Test(.slow) func theCardsCommandsMakeItAgain() throws {
    let model = try modelFolder()
    #expect(try Program.run(["models", "card", model]).status == 0)
    let again = folder + "/again"
    try FileManager.default.createDirectory(atPath: again, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: model + "/config.yaml", toPath: again + "/config.yaml")
    let text = try String(contentsOfFile: model + "/README.md", encoding: .utf8)
    let commands = text.split(separator: "\n").filter { $0.hasPrefix("    tupelo ") }
    #expect(commands.count == 4)
    let bin = (Program.path as NSString).deletingLastPathComponent
    let script =
      "cd \(Program.quoted(again)) && PATH=\(Program.quoted(bin)):$PATH && set -e\n" + commands.joined(separator: "\n")
    let result = try Program.shell(script)
    #expect(result.status == 0, "\(result)")
    for name in ["model.safetensors", "SHA256SUMS", "config.yaml"] {
      #expect(FileManager.default.contentsEqual(atPath: model + "/" + name, andPath: again + "/" + name), "\(name)")
    }
    #expect(
      try String(contentsOfFile: again + "/README.md", encoding: .utf8)
        == text.replacingOccurrences(of: "small", with: "again"))
  }
}
