import Foundation
import Safetensors
import TestSupport
import Testing
import Tupelo
import TupeloBase
import TupeloNetwork
import TupeloTraining

/// The program itself, run as a process.
@Suite(.serialized) final class CommandTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("command")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private func write(_ text: String, to name: String) throws -> String {
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// A short run, in `folder`/run.
  private func trainedRun(games: Int = 300) throws -> String {
    let config = try write(
      """
      network:
        patterns: "0123 4567 0145"
      training:
        games: \(games)
        report_games: 100
      evaluation:
        games: 20
        threads: 2
      """, to: "small.yaml")
    let result = try Program.run(["train", "--config", config, "--output", folder + "/run"])
    #expect(result.status == 0, "\(result)")
    return folder + "/run"
  }

  @Test func versionNamesTheCommitOfTheBuild() throws {
    let version = try Program.run(["--version"])
    #expect(version.status == 0)
    #expect(try /[0-9]+\.[0-9]+\.[0-9]+( \([0-9a-f]{12}\+?\))?\n/.wholeMatch(in: version.output) != nil, "\(version)")
    guard try Program.shell("git rev-parse HEAD").status == 0 else { return }
    #expect(version.output.contains("("), "built in a repository: \(version)")
  }

  @Test func trainsEvaluatesAndShows() throws {
    let run = try trainedRun()
    for name in ["checkpoint.safetensors", "config.yaml", "evaluation.json"] {
      #expect(FileManager.default.fileExists(atPath: run + "/" + name))
    }
    let evaluation = try Program.run(["evaluate", run, "--games", "30", "--json"])
    let json = try JSONSerialization.jsonObject(with: Data(evaluation.output.utf8)) as? [String: Any]
    #expect(json?["games"] as? Int == 30)
    let again = try Program.run(["evaluate", run, "--games", "30", "--json", "--threads", "1"])
    let other = try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any]
    #expect(json?["score_mean"] as? Double == other?["score_mean"] as? Double)
    let table = try Program.run(["evaluate", run, "--games", "5"])
    #expect(table.output.hasPrefix("run, expectimax(plies: 1), seed 1000003\ngames           5\naverage score   "))
    #expect(!table.output.contains("\u{1b}"))
    let inspect = try Program.run(["inspect", run])
    #expect(inspect.output.contains("network      4x4 shared 0123 4567 0145\n"))
    #expect(inspect.output.contains("trained      300 games, "))
    #expect(inspect.output.contains(" visited, mean step size 0."))
  }

  @Test func printsPlainLinesInAPipe() throws {
    let config = try write("network:\n  patterns: [\"0123\"]\n", to: "lines.yaml")
    let result = try Program.run([
      "train", "--config", config, "--output", folder + "/lines", "--games", "250", "--set",
      "training.report_games=100",
      "--set", "evaluation.games=0",
    ])
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("games=") }
    #expect(lines.count == 3 && lines[2].hasPrefix("games=250 average="))
    #expect(try lines.prefix(2).allSatisfy { try #/ goal=250 eta=0:[0-9]{2}$/#.firstMatch(in: $0) != nil }, "\(lines)")
    #expect(lines[2].hasSuffix(" goal=250") && result.output.contains("\ntrained 250 games in 0:"), "\(result)")
    #expect(!result.output.contains("\r") && !result.output.contains("\u{1b}"))
    // The time that a long run needs has hours, minutes and seconds.
    let long = try Program.run([
      "train", "--config", config, "--output", folder + "/hours", "--games", "1000M", "--set",
      "training.report_games=50", "--set", "output.checkpoint_games=100", "--set", "output.on_checkpoint=exit 77",
    ])
    let time = try #/ goal=1000000000 eta=[0-9]+:[0-5][0-9]:[0-5][0-9]\n/#.firstMatch(in: long.output)
    #expect(long.status == 0 && time != nil, "\(long)")
  }

  /// The shipped model is found from any folder in which the program is started; a variable names another model, or
  /// none.
  @Test(.slow) func theShippedModelPlaysWhereNoneIsNamed() throws {
    let run = try trainedRun()
    func analyze(_ setting: String) throws -> String {
      let line =
        "cd \(Program.quoted(folder)) && env \(setting) \(Program.quoted(Program.path)) analyze 1200000000000000"
      let result = try Program.shell(line)
      #expect(result.status == 0, "\(result)")
      return result.output
    }
    #expect(try analyze("-u TUPELO_MODEL").hasPrefix("no model given: using models/medium, expectimax(plies: 1)\n"))
    #expect(try analyze("TUPELO_MODEL=\(run)").hasPrefix("no model given: using run, expectimax(plies: 1)\n"))
    #expect(try analyze("TUPELO_MODEL=none").hasPrefix("no model given: using the hand-written heuristic, expecti"))
  }

  /// Two runs of the same second, also after the clock was set back, get different folders.
  @Test func aNewRunTakesAFreeFolder() throws {
    let config = try write("network:\n  patterns: [\"0123\"]\nevaluation:\n  games: 0\n", to: "free.yaml")
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd_HH-mm-ss"
    // The program may start much later on a busy machine.
    for second in 0..<1000 {
      let name = "free__1__" + format.string(from: Date() + Double(second))
      try FileManager.default.createDirectory(atPath: folder + "/runs/" + name, withIntermediateDirectories: true)
    }
    let command = [Program.path, "train", "--config", config, "--games", "20"].map(Program.quoted)
    let result = try Program.shell("cd \(Program.quoted(folder)) && " + command.joined(separator: " "))
    #expect(result.status == 0 && result.output.contains("-2/checkpoint.safetensors\n"), "\(result)")
  }

  /// Training of 200 games, resumed for 100, equals training of 300 games.
  @Test func resumesWhereItStopped() throws {
    let whole = try trainedRun()
    let parts = folder + "/parts"
    let config = folder + "/small.yaml"
    let quiet = ["--set", "evaluation.games=0"]
    _ = try Program.run(["train", "--config", config, "--output", parts, "--games", "200"] + quiet)
    let resumed = try Program.run(["train", "--resume", parts, "--games", "300"] + quiet)
    #expect(resumed.status == 0 && resumed.output.contains("resuming after 200 games"))
    let files = try [whole, parts].map { try SafetensorsFile(path: $0 + "/checkpoint.safetensors") }
    for name in ["weights.0", "weights.2", "coherence.error.1"] {
      #expect(try files[0].array(of: name, as: Float.self) == files[1].array(of: name, as: Float.self))
    }
  }

  /// Variables count for a run that is resumed as for a new one, and a plus adds to the games of the run.
  @Test func aResumedRunTakesVariables() throws {
    let run = try trainedRun()
    let words = [Program.path, "train", "--resume", run, "--set", "evaluation.games=0"].map(Program.quoted)
    let result = try Program.shell("TUPELO_TRAINING_GAMES=+50 \(words.joined(separator: " "))")
    #expect(result.status == 0 && result.output.contains("\ntrained 50 games in "), "\(result)")
    #expect(try Checkpoint(path: run + "/checkpoint.safetensors").games == 350)
    let metadata = try String(contentsOfFile: run + "/meta.json", encoding: .utf8)
    #expect(metadata.contains("\"TUPELO_TRAINING_GAMES\" : \"+50\""), "\(metadata)")
  }

  /// Common settings have short options.
  @Test func commonKeysHaveOptions() throws {
    let result = try Program.run([
      "train", "--layout", "17x4", "--alpha", "0.25", "--name", "mine", "--games", "20", "--minutes", "5", "--set",
      "evaluation.games=0", "--output", folder + "/mine",
    ])
    #expect(result.status == 0, "\(result)")
    let configuration = try String(contentsOfFile: folder + "/mine/config.yaml", encoding: .utf8)
    for line in ["name: \"mine\"", "  alpha: 0.25", "  minutes: 5.0"] {
      #expect(configuration.contains(line + "\n"), "\(line)")
    }
    #expect(configuration.contains("  # the patterns of 17x4\n"))
    let keys = try Program.run(["train", "--help-config", "averaging"])
    #expect(
      keys.output.split(separator: "\n").filter { !$0.hasPrefix(" ") } == ["averaging.every_games", "averaging.window"])
  }

  /// A run that reaches its time limit saves, prints the command that continues it, and is evaluated, as a finished
  /// run is.
  @Test(.slow) func minutesStopAndSave() throws {
    let run = folder + "/limited"
    let result = try Program.run([
      "train", "--set", "network.patterns=0123", "--games", "100M", "--minutes", "0.02", "--output", run, "--set",
      "evaluation.games=20",
    ])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.contains("\nstopped by training.minutes after "), "\(result)")
    let advice = " of 100,000,000 games; resume with: tupelo train --resume \(run)\n\nevaluation at 1-ply, seed "
    #expect(result.output.contains(advice), "\(result)")
    #expect(FileManager.default.fileExists(atPath: run + "/evaluation.json"))
    let games = try Checkpoint(path: run + "/checkpoint.safetensors").games
    let more = try Program.run(["train", "--resume", run, "--minutes", "0.01"])
    #expect(more.status == 0 && more.output.contains("\nstopped by training.minutes after "), "\(more)")
    #expect(more.output.contains("\nevaluation at 1-ply"), "\(more)")
    #expect(try Checkpoint(path: run + "/checkpoint.safetensors").games > games)
  }

  @Test func interruptSavesAndExitsWith130() throws {
    let config = try write("network:\n  patterns: [\"0123\"]\ntraining:\n  games: 100M\n", to: "long.yaml")
    let process = try Program.start(["train", "--config", config, "--output", folder + "/long"])
    try Program.wait(forFile: folder + "/long/metrics.jsonl")
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let inspect = try Program.run(["inspect", folder + "/long"])
    #expect(inspect.status == 0 && inspect.output.contains("trained      "))
  }

  @Test(.slow) func autoplayPipesCleanly() throws {
    let run = try trainedRun()
    let record = folder + "/game.txt"
    let result = try Program.run(["autoplay", run, "--plies", "1", "--seed", "5", "--record", record])
    let lines = result.output.split(separator: "\n")
    #expect(lines.count > 50 && lines[0].hasPrefix("ply=1 move="))
    #expect(lines.last?.hasPrefix("game over: score ") == true)
    let positions = try GameRecord(text: String(contentsOfFile: record, encoding: .utf8)).replay()
    #expect(positions.count == lines.count)
    #expect(lines[lines.count - 2].hasSuffix("board=" + (positions.last?.board.hex() ?? "")))
    let early = try Program.run(["autoplay", run, "--plies", "1", "--until", "64"])
    #expect(early.output.contains("\nreached 64: score "))
    // Without an agent's name, a model has a time for each move.
    let instant = folder + "/instant.txt"
    #expect(try Program.run(["autoplay", run, "--until", "32", "--record", instant]).status == 0)
    #expect(
      try String(contentsOfFile: instant, encoding: .utf8).contains(#""agent":"expectimax(milliseconds: 20)""#))
    let cut = try Program.shell("\(Program.quoted(Program.path)) autoplay \(Program.quoted(run)) | head -n 2")
    #expect(cut.status == 0 && cut.output.split(separator: "\n").count == 2 && cut.errors.isEmpty)
    // With a record, the program plays the game to its end, although nobody reads any more.
    let (whole, other) = (folder + "/whole.txt", folder + "/cut.txt")
    #expect(try Program.run(["autoplay", run, "--plies", "1", "--record", whole]).status == 0)
    let line = [Program.path, "autoplay", run, "--plies", "1", "--record", other].map(Program.quoted)
    // The reader has left when a write to it fails.
    let readerLeaves = "trap '' PIPE; while echo 2>/dev/null; do :; done; trap - PIPE"
    let recorded = try Program.shell("{ \(readerLeaves); \(line.joined(separator: " ")); } | true")
    #expect(recorded.errors.isEmpty, "\(recorded)")
    #expect(try String(contentsOfFile: other, encoding: .utf8) == String(contentsOfFile: whole, encoding: .utf8))
  }

  /// The program reports that output cannot be written, and ends.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "a device that is always full is Linux's"))
  func outputThatCannotBeWrittenIsTold() throws {
    let result = try Program.shell("\(Program.quoted(Program.path)) bench --signature > /dev/full")
    #expect(result.status == 1 && result.errors.hasPrefix("Error: standard output: cannot be written: "), "\(result)")
    for words in ["--help", "help train", "evaluate --help", "--version", "help agents"] {
      let help = try Program.shell("\(Program.quoted(Program.path)) \(words) > /dev/full")
      #expect(help.status == 1 && help.errors.hasPrefix("Error: standard output: cannot be written: "), "\(help)")
    }
  }

  @Test func playTakesKeysFromAPipe() throws {
    let run = try trainedRun()
    let result = try Program.run(["play", run, "--seed", "3"], input: "adwsu?x\u{1b}[Aq")
    #expect(result.status == 0)
    #expect(result.output.contains("\nhint: ") && result.output.contains("unknown key 'x'"))
    // The search is as deep as the time allows; a depth that is given is kept.
    #expect(try /, by run at [1-9][0-9]?-ply\n/.firstMatch(in: result.output) != nil, "\(result)")
    #expect(try Program.run(["play", run, "--plies", "2"], input: "?q").output.contains(", by run at 2-ply\n"))
    #expect(result.output.contains("undone"))
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count < 80 } && !result.output.contains("\u{1b}"))
    let plain = try Program.run(["play", "--seed", "3", "--plies", "1"], input: "?")
    let hint = try #require(plain.output.split(separator: "\n").first { $0.hasPrefix("hint: ") })
    #expect(hint.hasSuffix(", by heuristic at 1-ply"))
    // The hint is the heuristic's own move.
    var search = Expectimax(HeuristicEvaluator(), plies: 1)
    let best = search.move(on: Game(seed: 3).board)
    #expect(hint.hasPrefix("hint: \(best.map { "\($0)" } ?? "none")"))
  }

  /// The boards in the output, one after the other.
  private static func drawings(_ output: String) -> [[Substring]] {
    let lines = output.split(separator: "\n").filter { $0.hasPrefix("|") }
    return stride(from: 0, to: lines.count, by: 4).map { Array(lines[$0..<min($0 + 4, lines.count)]) }
  }

  @Test func redoBringsBackWhatWasUndone() throws {
    let file = folder + "/redone.txt"
    func play(_ keys: String) throws -> (boards: [[Substring]], record: GameRecord, output: String) {
      TemporaryFile.remove(file)
      let result = try Program.run(["play", "--seed", "8", "--record", file], input: keys)
      #expect(result.status == 0)
      return (
        Self.drawings(result.output), try GameRecord(text: String(contentsOfFile: file, encoding: .utf8)), result.output
      )
    }
    // On any board, one of two such moves is legal. The moves are undone and redone.
    let (plain, record, _) = try play("asdw")
    #expect(record.header.agent == "person" && record.steps.count >= 2)
    let (boards, redone, output) = try play("asdwuurrr")
    #expect(boards.count == 10)
    let end = try #require(plain.last)
    #expect(boards[4] == end && boards[5] != end && boards[6] != boards[5])
    #expect(boards[7] == boards[5] && boards[8] == end && boards[9] == end)
    #expect(output.contains("\nredone\n") && output.contains("\nnothing to redo\n"))
    #expect(redone.header.agent == "person, 2 undone" && redone.steps == record.steps)
    // A new move discards the undone ones.
    let (_, other, text) = try play("asdwuuswr")
    #expect(text.contains("\nnothing to redo\n") && other.header.agent == "person, 2 undone")
    #expect(try other.replay().count == other.steps.count + 1)
  }

  @Test func analyzesBothNotations() throws {
    let run = try trainedRun()
    let hex = try Program.run(["analyze", run, "1200000000000000", "--json"])
    let numbers = try Program.run(
      ["analyze", run, "--json", "2", "4"] + [String](repeating: "0", count: 14))
    #expect(hex.status == 0 && hex.output == numbers.output)
    let json = try JSONSerialization.jsonObject(with: Data(hex.output.utf8)) as? [String: Any]
    let moves = json?["moves"] as? [[String: Any]] ?? []
    #expect(moves.map { $0["legal"] as? Bool } == [false, true, true, false])
    #expect(json?["board"] as? String == "1200000000000000")
    let text = try Program.run(["analyze", run, "1200000000000000"])
    #expect(text.output.contains("up            -            -      illegal"))
  }

  /// The program prints one clear line on standard error, its status is not zero, and nothing is lost.
  @Test(
    .slow,
    arguments: [
      (["evaluate", "missing.safetensors"], "missing.safetensors"),
      (["analyze", "RUN", "12"], "a board has 16 hex digits, this has 2"),
      (["analyze", "RUN", "120000000000000x"], "'x' at position 16 is not a tile"),
      (["analyze", "RUN", "2", "3", "0"], "a board has 16 numbers, this has 3"),
      (["train", "--set", "learner.alpa=1"], "learner.alpa"),
      (["train", "--set", "learner.alpha=-1"], "learner.alpha"),
      (["train", "--set", "network.patterns=0120"], "names cell 0 twice"),
      (["train", "--set", "network.patterns=0123,1g"], "is not a hex digit"),
      (["train", "--config", "missing.yaml"], "missing.yaml"),
      (
        ["train", "--set", "network.patterns=01234567 12345678 23456789 3456789a 456789ab 56789abc"],
        "weights are too many"
      ),
      (["train", "--output", "RUN"], "already holds a checkpoint"),
      (["train", "--output", "RUN/config.yaml/x"], "cannot write there"),
      (["evaluate", "RUN/config.yaml"], "config.yaml"),
      (["evaluate", "RUN", "--plies", "0"], "--plies is 0"),
      (["autoplay", "RUN", "--until", "100"], "--until is 100"),
      (["bench", "--layouts", "9x9"], "no network is called '9x9'"),
    ] as [([String], String)]) func refusesBadInput(_ arguments: [String], _ fact: String) throws
  {
    let run = try trainedRun()
    let before = try Data(contentsOf: URL(fileURLWithPath: run + "/checkpoint.safetensors"))
    let result = try Program.run(arguments.map { $0.replacingOccurrences(of: "RUN", with: run) })
    #expect(result.status != 0)
    #expect(result.errors.contains(fact), "\(result.errors)")
    #expect(result.errors.split(separator: "\n")[0].contains(fact))
    #expect(try Data(contentsOf: URL(fileURLWithPath: run + "/checkpoint.safetensors")) == before)
  }

  @Test func reportsAllProblemsOfAConfigurationAtOnce() throws {
    let config = try write("learner:\n  alpa: 1\n  alpha: -2\ntraining:\n  games: 0\n", to: "bad.yaml")
    let result = try Program.run(["train", "--config", config])
    #expect(result.status != 0)
    for fact in ["bad.yaml:2", "bad.yaml:3", "bad.yaml:5", "did you mean", "learner.alpha", "training.games"] {
      #expect(result.errors.contains(fact), "\(result.errors)")
    }
  }

  @Test func aFullDiskLosesNothing() throws {
    let run = try trainedRun()
    let checkpoint = run + "/checkpoint.safetensors"
    let before = try Data(contentsOf: URL(fileURLWithPath: checkpoint))
    // The shell's limit on file sizes (in blocks of 512 or 1024 bytes) stands in for a full disk.
    let train = "\(Program.quoted(Program.path)) train --resume \(Program.quoted(run)) --games 400"
    let result = try Program.shell("trap '' XFSZ; ulimit -f 200; exec \(train)")
    #expect(result.status != 0 && result.errors.contains("checkpoint.safetensors"), "\(result)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: checkpoint)) == before)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: run).contains { $0.hasSuffix(".partial") })
  }

  /// Errors beyond all bounds end in one line that names the remedy.
  @Test(arguments: [("0145", "0.4", "1000"), ("0123", "1", "10")])
  func aTrainingThatDivergesSaysSo(_ pattern: String, _ alpha: String, _ report: String) throws {
    let result = try Program.run([
      "train", "--games", "3000", "--output", folder + "/diverged", "--set", "network.patterns=\(pattern)", "--set",
      "learner.step_size=constant", "--set", "learner.alpha=\(alpha)", "--set", "training.report_games=\(report)",
      "--set", "evaluation.games=0",
    ])
    #expect(result.status == 1 && result.errors.contains("lower learner.alpha"), "\(result)")
  }

  /// A model with weights that no training finds can be inspected, but not used otherwise.
  @Test func hugeWeightsAreShownAndRefused() throws {
    let model = folder + "/huge.safetensors"
    try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01")])).save(to: model)
    let file = try SafetensorsFile(path: model)
    for weight in [1e19, 3e38] as [Float] {
      // `save` refuses such weights.
      let weights = [Float](repeating: weight, count: 256)
      try SafetensorsWriter.write(to: model, metadata: file.metadata, tensors: file.tensors) { _, sink in
        try sink.write(weights.span)
      }
      let inspection = try Program.run(["inspect", model])
      #expect(inspection.status == 1 && inspection.output.contains("norm "), "\(inspection)")
      let analysis = try Program.run(["analyze", model, "1200000000000000"])
      #expect(analysis.status != 0 && analysis.errors.contains("weights.0"), "\(analysis)")
    }
  }

  /// Names come from the file: characters that a terminal would obey are printed as text.
  @Test func inspectShowsNamesAsText() throws {
    let model = folder + "/names.safetensors"
    let network = try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01")]))
    try network.save(to: model)
    let file = try SafetensorsFile(path: model)
    let weights = try file.array(of: "weights.0", as: Float.self)
    let named = folder + "/named.safetensors"
    let tensors = [
      TensorDescription(name: "weights.0", type: .f32, shape: [16, 16]),
      TensorDescription(name: "\u{1b}[2Jx", type: .u8, shape: [0]),
    ]
    try SafetensorsWriter.write(to: named, metadata: file.metadata, tensors: tensors) { tensor, sink in
      if tensor.name == "weights.0" { try sink.write(weights.span) }
    }
    let inspection = try Program.run(["inspect", named])
    #expect(inspection.status == 0 && !inspection.output.contains("\u{1b}"), "\(inspection)")
    #expect(inspection.output.contains("[2Jx"))
  }

  /// A refusal is all that the program prints, so that nobody overlooks it. Nothing is lost.
  @Test(
    arguments: [
      (["train", "--resume", "RUN", "--alpha", "0.5"], "add --allow-changes"),
      (["train", "--resume", "RUN", "--threads", "9"], "add --allow-changes"),
      (["train", "--resume", "RUN", "--games", "10"], "300 games have been played: give 300 or more"),
      (["train", "--resume", "RUN", "--set", "network.layout=4x5"], "start a new run"),
      (["train", "--layout", "4x5", "--threads", "9", "--output", "RUN"], "already holds a checkpoint"),
      (["train", "--set", "network.initial_model=RUN/config.yaml"], "config.yaml"),
      (["train", "--resume", "RUN", "--output", "RUN/config.yaml/x", "--threads", "1"], "cannot write there"),
      (["train", "--set", "learner.lambda=0.5", "--set", "learner.steps=1", "--output", "RUN"], "already holds"),
      (
        ["sweep", "--set", "learner.lambda=0.5", "--set", "learner.steps=1", "--output", "RUN/config.yaml"],
        "config.yaml"
      ),
    ]) func aRefusalIsAllThatIsPrinted(_ arguments: [String], _ fact: String) throws
  {
    let run = try trainedRun()
    let before = try Data(contentsOf: URL(fileURLWithPath: run + "/checkpoint.safetensors"))
    let result = try Program.run(arguments.map { $0.replacingOccurrences(of: "RUN", with: run) })
    #expect(result.status != 0 && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("Error: ") && result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(result.errors.contains(fact), "\(result)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: run + "/checkpoint.safetensors")) == before)
  }

  /// If one replica fits, the remedy is fewer replicas.
  @Test func replicasThatDoNotFitAreCalledSo() throws {
    let result = try Program.run(["train", "--layout", "4x6", "--set", "training.replicas=64"])
    #expect(result.status == 1 && result.errors.hasPrefix("Error: training.replicas is 64, which needs "), "\(result)")
    #expect(result.output.isEmpty, "\(result)")
    #expect(result.errors.hasSuffix(" of memory: use fewer replicas\n"), "\(result)")
  }

  /// A refusal by the system is not called too little memory when the machine has that memory.
  @Test(.enabled(if: Program.limitsAddresses, "the system does not limit addresses: not tried"))
  func refusalsOfTheSystemAreCalledSo() throws {
    let words = [
      Program.path, "train", "--games", "10", "--output", folder + "/refused", "--set", "network.patterns=0123456",
      "--set", "learner.step_size=constant", "--set", "averaging.every_games=0",
    ]
    let result = try Program.shell("ulimit -v 1000000; " + words.map(Program.quoted).joined(separator: " "))
    #expect(result.status == 1 && result.errors.contains("the system refuses 1.1 GB of memory"), "\(result)")
    #expect(!result.errors.contains("this process may use"))
  }
}
