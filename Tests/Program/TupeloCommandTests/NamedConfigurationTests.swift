import Foundation
import TestSupport
import Testing

/// `tupelo train` and `sweep` with configurations by name, and options that say what happens before it happens.
@Suite(.serialized) final class NamedConfigurationTests {
  private let folder = TemporaryFile.path("named")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  /// Runs the program in the temporary folder, which is outside of the repository.
  private func tupelo(_ arguments: String...) throws -> Program.Result { try tupelo(arguments) }

  private func tupelo(_ arguments: [String]) throws -> Program.Result {
    let words = ([Program.path] + arguments).map(Program.quoted).joined(separator: " ")
    return try Program.shell("cd \(Program.quoted(folder)) && \(words)")
  }

  private func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: folder + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private var isEmpty: Bool { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty } }

  /// Without a word about what to train, nothing is trained: the program lists the configurations.
  @Test func aBareTrainListsTheConfigurations() throws {
    let result = try tupelo("train")
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
    #expect(try isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(lines[0].hasPrefix("Error: ") && lines[0].hasSuffix(": tupelo train quickstart"), "\(result)")
    #expect(lines[1] == "  quickstart          Trains a player that reaches 2048, in less than a minute")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(result)")
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.file("configs"))
    for file in files where file.hasSuffix(".yaml") {
      #expect(lines.contains { $0.hasPrefix("  \(file.dropLast(5)) ") }, "\(file): \(result)")
    }
    #expect(result.errors.contains("100,000 games") && result.errors.contains("1.07 GB"), "\(result)")
  }

  /// A name means the file in the program's `configs`, unless the working folder has one.
  @Test func aNameIsAConfiguration() throws {
    let shipped = try tupelo("train", "quickstart", "--dry-run")
    #expect(shipped.status == 0 && shipped.errors.isEmpty, "\(shipped)")
    #expect(shipped.output.hasPrefix("name: \"quickstart\"\nseed: 1\n"), "\(shipped)")
    #expect(shipped.output.contains("  # the patterns of 4x5\n") && shipped.output.contains("  games: 30000\n"))
    #expect(try isEmpty)
    #expect(try tupelo("train", "--config", "configs/quickstart.yaml", "--dry-run").output == shipped.output)
    let sweep = try tupelo("sweep", "--config", "17x4-td", "4x6-td", "--dry-run")
    #expect(sweep.status == 0 && sweep.output.contains("/configs/17x4-td.yaml"), "\(sweep)")
    try write("seed: 7\n", to: "configs/quickstart.yaml")
    #expect(try tupelo("train", "quickstart", "--dry-run").output.hasPrefix("name: \"quickstart\"\nseed: 7\n"))
    try write("seed: 8\n", to: "mine.yaml")
    #expect(try tupelo("train", "mine.yaml", "--dry-run").output.hasPrefix("name: \"mine\"\nseed: 8\n"))
    // A folder of this name, such as a run, is not a configuration.
    try FileManager.default.createDirectory(atPath: folder + "/4x6-td", withIntermediateDirectories: true)
    #expect(try tupelo("train", "4x6-td", "--dry-run").output.hasPrefix("name: \"4x6-td\"\n"))
  }

  /// The extension of a file may be left out, and a sweep takes configurations as `train` does.
  @Test func namesNeedNoExtension() throws {
    let shipped = try tupelo("train", "quickstart", "--dry-run").output
    #expect(try tupelo("train", "configs/quickstart", "--dry-run").output == shipped)
    try write("seed: 8\n", to: "own/mine.yaml")
    try write("seed: 9\n", to: "near.yml")
    #expect(try tupelo("train", "own/mine", "--dry-run").output.hasPrefix("name: \"mine\"\nseed: 8\n"))
    #expect(try tupelo("train", folder + "/own/mine", "--dry-run").output.hasPrefix("name: \"mine\"\nseed: 8\n"))
    #expect(try tupelo("train", "near", "--dry-run").output.hasPrefix("name: \"near\"\nseed: 9\n"))
    let sweep = try tupelo("sweep", "17x4-td", "--seeds", "1-3", "--output", "out", "--dry-run")
    let named = try tupelo("sweep", "--config", "17x4-td", "--seeds", "1-3", "--output", "out", "--dry-run")
    #expect(sweep.status == 0 && sweep.output.split(separator: "\n").count == 3, "\(sweep)")
    #expect(sweep.output == named.output)
  }

  /// A key is set by `--set` or by its own option. Both are refused in any order, because the user meant one of them.
  @Test(
    arguments: [
      ("--alpha", "learner.alpha", "0.5"), ("--games", "training.games", "1k"), ("--threads", "training.threads", "1"),
      ("--minutes", "training.minutes", "2"), ("--seed", "seed", "2"), ("--name", "name", "a"),
      ("--output", "output.directory", "a"), ("--layout", "network.layout", "4x5"),
    ]) func aKeyIsSetInOneWay(_ option: String, _ key: String, _ value: String) throws
  {
    let both = [[option, value], ["--set", "\(key)=\(value)"]]
    for words in [both[0] + both[1], both[1] + both[0]] {
      let result = try Program.run(["train", "--dry-run"] + words)
      #expect(result.status == 64 && result.output.isEmpty, "\(result)")
      #expect(
        result.errors == "Error: --set \(key): \(option) gives a value, too: leave one of them out\n", "\(result)")
    }
    let alone = try both.map { try Program.run(["train", "--dry-run"] + $0) }
    #expect(alone.allSatisfy { $0.status == 0 } && alone[0].output == alone[1].output, "\(alone)")
    guard key.contains(".") else { return }
    let unknown = try Program.run(["train", "--\(key)", value])
    #expect(unknown.errors.hasPrefix("Error: Unknown option '--\(key)': give \(option) VALUE"), "\(unknown)")
  }

  /// The last `--set` of a key wins, and the last of an option. An option of another key with an equal last word is
  /// not meant.
  @Test func theLastSettingWins() throws {
    let words = ["--set", "seed=3", "--alpha=0.3", "--set=seed:4", "--alpha", "0.4"]
    let result = try Program.run(["train", "--dry-run"] + words)
    #expect(result.output.contains("\nseed: 4\n") && result.output.contains("  alpha: 0.4\n"), "\(result)")
    let sweep = try Program.run(["sweep", "--games", "9", "--vary", "training.games=8,9", "--output", folder + "/out"])
    #expect(sweep.status == 64, "\(sweep)")
    #expect(sweep.errors.contains("--vary training.games: --games gives a value, too: leave one of them"), "\(sweep)")
    let other = try Program.run(["train", "--evaluation.games", "5"])
    #expect(other.errors.contains(": set it with --set evaluation.games=VALUE"), "\(other)")
  }

  /// Shipped models are found from any folder, as a start, too.
  @Test func aShippedModelIsAStart() throws {
    let settings = ["--set", "network.initial_model=models/tiny", "--alpha", "0.1"]
    let result = try tupelo(["train"] + settings + ["--dry-run"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.contains("/models/tiny\"\n") && !result.output.contains("\"models/tiny\""), "\(result)")
    let sweep = try tupelo(
      ["sweep"] + settings.dropLast(2) + ["--set", "learner.alpha=0.1", "--output", "out", "--dry-run"])
    #expect(sweep.status == 0 && sweep.errors.isEmpty, "\(sweep)")
  }

  /// The printed settings are the ones of the command line, and read back as they are.
  @Test func aDryRunPrintsTheSettings() throws {
    let first = try tupelo("train", "--alpha", "0.25", "--set", "network.patterns=0123", "--dry-run")
    #expect(first.status == 0 && first.output.contains("  alpha: 0.25\n"), "\(first)")
    try write(first.output, to: "settings.yaml")
    #expect(try tupelo("train", "settings.yaml", "--dry-run").output == first.output)
    #expect(try tupelo("train", "--alpha", "-1", "--dry-run").status == 64)
  }

  /// The name of a run keeps what can be read of its file's name.
  @Test(arguments: [
    ("rapide à moi", "rapide-a-moi"), ("Größe  2", "Große-2"), ("学习", "run"), ("été.v2", "ete.v2"),
  ])
  func namesOfFilesStayReadable(_ file: String, _ name: String) throws {
    try write("seed: 1\n", to: file + ".yaml")
    let result = try tupelo("train", file + ".yaml", "--dry-run")
    let expected = name.replacing("ß", with: "-")
    #expect(result.output.hasPrefix("name: \"\(expected)\"\n"), "\(result)")
  }

  @Test func quietPrintsResultsAlone() throws {
    let settings = ["--set", "network.patterns=0123", "--games", "40", "--set", "evaluation.games=5"]
    let words = ["train", "--quiet", "--output", folder + "/run"] + settings
    let result = try Program.run(words)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(result.output.hasPrefix("saved \(folder)/run/checkpoint.safetensors\n\nevaluation at 1-ply"), "\(result)")
    #expect(!result.output.contains("games=") && !result.output.contains("watch it play"))
    let resumed = try Program.run(["train", "--quiet", "--resume", folder + "/run", "--games", "50"])
    #expect(resumed.status == 0 && resumed.output.hasPrefix("saved "), "\(resumed)")
  }

  /// A run has its folder from the beginning, also if the program chooses its name: other commands read it meanwhile.
  @Test func theFolderOfARunIsThereFromTheStart() throws {
    let settings = ["--set", "network.patterns=0123", "--games", "100M", "--set", "training.report_games=100M"]
    let process = try Program.start(["train"] + settings, folder: folder)
    defer {
      process.interrupt()
      process.waitUntilExit()
    }
    var run = ""
    try Program.wait {
      let runs = folder + "/runs"
      guard FileManager.default.fileExists(atPath: runs) else { return false }
      run = try FileManager.default.contentsOfDirectory(atPath: runs).first ?? ""
      return !run.isEmpty && FileManager.default.fileExists(atPath: "\(runs)/\(run)/metrics.jsonl")
    }
    let list = try tupelo("runs")
    #expect(list.status == 0 && list.output.contains("\n\(run) "), "\(list)")
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/runs/\(run)/checkpoint.safetensors"))
  }

  /// The program says where its run is before the first game.
  @Test func theChosenFolderIsNamed() throws {
    let settings = ["--set", "network.patterns=0123", "--games", "20", "--set", "evaluation.games=0"]
    let words = ([Program.path, "train"] + settings).map(Program.quoted).joined(separator: " ")
    let result = try Program.shell("cd \(Program.quoted(folder)) && \(words)")
    let lines = result.output.split(separator: "\n")
    let run = try #require(lines.first { $0.hasPrefix("run folder: runs/run__1__") }).dropFirst("run folder: ".count)
    #expect(lines.firstIndex { $0.hasPrefix("run folder") } == 1, "\(result)")
    #expect(FileManager.default.fileExists(atPath: "\(folder)/\(run)/checkpoint.safetensors"))
  }
}
