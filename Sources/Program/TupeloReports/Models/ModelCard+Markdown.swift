internal import Foundation
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloTraining

extension ModelCard {
  static let libraryLine = "library_name: tupelo"
  static let checksumTitle = "SHA-256"
  /// The first columns of the table of scores, which `ModelFolder.cardScores` reads.
  static let scoreColumns = ["agent", "games", "seed", "average score"]

  /// The card as Markdown, with front matter for Hugging Face and a newline at the end.
  public var markdown: String {
    [frontMatter, introduction, evaluationTable, reproduction].compactMap { $0 }.joined(separator: "\n\n") + "\n"
  }

  /// The model's title: the name of its folder, unless its file has another name than the standard one.
  private var title: String {
    guard fileName == ModelFolder.modelName else { return (fileName as NSString).deletingPathExtension }
    return fileURL(folder).standardizedFileURL.lastPathComponent
  }

  // MARK: Front matter

  private var frontMatter: String {
    var lines =
      [
        "---", "license: \(license)", Self.libraryLine, "pipeline_tag: reinforcement-learning", "tags:",
        "- reinforcement-learning", "- \(YAMLText.quoted(game.card.tag))",
      ] + game.card.kindTags.map { "- \($0)" }
    if !evaluations.isEmpty {
      lines += [
        "model-index:", "- name: \(YAMLText.quoted(title))", "  results:", "  - task:",
        "      type: reinforcement-learning", "    dataset:", "      name: \(YAMLText.quoted(game.card.tag))",
        "      type: \(YAMLText.quoted(game.card.tag))", "    metrics:",
      ]
    }
    for evaluation in evaluations {
      let games = CountText.text(evaluation.games, "game")
      let name = "average score of \(evaluation.agent) in \(games): \(evaluation.score) (95%)"
      lines += [
        "    - type: mean_reward", "      name: \(YAMLText.quoted(name))",
        "      value: \(NumberText.decimals(evaluation.scoreMean, game.card.digits))",
      ]
    }
    return (lines + ["---"]).joined(separator: "\n")
  }

  // MARK: Tables

  private var introduction: String {
    var rows = [
      ("network", "`\(description.canonicalText)`"), ("network fingerprint", "`\(description.fingerprint)`"),
      ("model (hash of its weights)", "`\(identity)`"),
      (
        "weights",
        "\(Self.grouped(description.weightCount)), \(Self.grouped(description.weightCount * 4)) bytes of memory to play"
      ),
      ("file", "\(fileName), \(Self.grouped(byteCount)) bytes, \(storage)"), (Self.checksumTitle, "`\(checksum)`"),
    ]
    if let source {
      let name = parent == nil ? "another model of this run" : "the model `\(source.name)`"
      rows.append(("made from", "\(name), `\(source.identity)`"))
    }
    if let games = metadata[ModelOrigin.Key.games].flatMap({ Int($0) }),
      let moves = metadata[ModelOrigin.Key.moves].flatMap({ Int($0) })
    {
      rows.append(("trained on", "\(NumberText.counted(games, "game")), \(NumberText.counted(moves, "move"))"))
    }
    if let games = metadata[ModelOrigin.Key.rounded] {
      let times = games.split(separator: " ").compactMap { Int($0) }.map { NumberText.counted($0, "game") }
      rows.append(("continued from a rounded state", "after " + times.joined(separator: " and after ")))
    }
    let table = ["| | |", "|---|---|"] + rows.map { "| \($0) | \($1.replacing("|", with: "")) |" }
    return "# \(title)\n\n\(game.card.introduction)\n\n" + table.joined(separator: "\n")
  }

  /// The outcomes that at least one evaluation saw: tiles of 2048 and above, or numbers of cards left over.
  private var outcomes: [Int] {
    let seen = Set(evaluations.flatMap { $0.rates.filter { $0.value > 0 }.map(\.key) })
    return seen.filter { $0 >= game.card.leastOutcome }.sorted()
  }

  private var evaluationTable: String? {
    guard !evaluations.isEmpty else { return nil }
    let outcomes = self.outcomes
    let head = Self.scoreColumns + ["best"] + outcomes.map(game.card.title)
    let rows = evaluations.map { evaluation in
      [
        evaluation.agent, Self.grouped(evaluation.games), "\(evaluation.seed)", evaluation.score,
        Self.grouped(evaluation.scoreMax),
      ] + outcomes.map { NumberText.percent(evaluation.rates[$0, default: 0]) }
    }
    var lines = ([head] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    lines.insert("|" + String(repeating: "---|", count: head.count), at: 1)
    return "## Evaluation\n\n\(game.card.legend)\n\n" + lines.joined(separator: "\n")
  }

  // MARK: Commands

  /// The commands that reproduce the model and its figures, for use in its folder.
  private var reproduction: String? {
    let commands = (making + evaluations.map(evaluate) + [card]).map { "    " + $0 }
    guard configuration != nil || source != nil || !evaluations.isEmpty else { return nil }
    let place =
      if let parent {
        "In an empty folder beside the folder of `\(parent.name)`:"
      } else if let configuration {
        "In an empty folder with a copy of this folder's \(Self.configurationName)"
          + (configuration.initialModel.map { " and `\(Self.quotable($0))`, from which the run starts:" } ?? ":")
      } else {
        "In this folder:"
      }
    let lines = ["## Make it again", "", place, ""] + commands
    return lines.joined(separator: "\n") + (exactness.map { "\n\n" + $0 } ?? "")
  }

  /// The model that this one was made from; `nil` where it is from a run, or where the file does not say.
  private var source: (name: String, identity: String)? {
    guard let name = metadata[ModelOrigin.Key.source], let identity = metadata[ModelOrigin.Key.sourceIdentity] else {
      return nil
    }
    return (Self.quotable(name), Self.quotable(identity))
  }

  /// The model from which the commands make this one: the model that this one was made from. `nil` where the commands
  /// start from the run, because there is no such model, or because it is not beside this one.
  private var parent: (name: String, identity: String)? {
    guard let source else { return nil }
    // The name comes from a file. With ".." or without a name, the path would lead elsewhere than beside this folder.
    let parts = source.name.split(separator: "/")
    let isName = !parts.isEmpty && !parts.contains { $0 == "." || $0 == ".." }
    let isBeside = isName && FileManager.default.fileExists(atPath: folder + "/../" + source.name)
    return isBeside || configuration == nil ? source : nil
  }

  /// A text from a file, as it may stand between backquotes.
  private static func quotable(_ text: String) -> String { Spelling.printable(text.replacing("`", with: "")) }

  /// The commands that make the model: from another model, or by training.
  private var making: [String] {
    if let parent { return [export("../" + parent.name)] }
    guard configuration != nil else { return [] }
    return [
      ShellText.command(["tupelo", "train", "--config", Self.configurationName, "--output", "run"]), export("run"),
    ]
  }

  /// The command that writes the model.
  ///
  /// - Parameter path: a run, or another model
  private func export(_ path: String) -> String {
    var export = ["tupelo", "export", path, "-o", fileName, "--format"]
    switch metadata[ModelFile.Key.encoding] {
    case "compact":
      export.append("compact")
      let isPruned = metadata[ModelFile.Key.megabytes] != nil
      let limits =
        isPruned
        ? [("--megabytes", ModelFile.Key.megabytes), ("--games", ModelFile.Key.usageGames)]
        : [("--drop", ModelFile.Key.drop), ("--loss", ModelFile.Key.loss)]
      for (option, key) in [("--step", ModelFile.Key.step)] + limits {
        if let value = metadata[key], Float(value) != nil { export += [option, value] }
      }
    case "f16": export.append("f16")
    default: export.append("f32")
    }
    return ShellText.command(export)
  }

  private func evaluate(_ evaluation: ModelEvaluation) -> String {
    var words = [
      "tupelo", "evaluate", fileName, "--agent", evaluation.agent, "--games", "\(evaluation.games)", "--seed",
      "\(evaluation.seed)",
    ]
    if let share = evaluation.fourProbability, share != 0.1 { words += ["--four-probability", "\(share)"] }
    if let tiles = evaluation.startTiles, tiles != 2 { words += ["--start-tiles", "\(tiles)"] }
    return ShellText.command(words + ["--json"]) + " > " + ShellText.word(evaluation.name)
  }

  private var card: String {
    let model = fileName == ModelFolder.modelName ? "." : fileName
    return ShellText.command(
      ["tupelo", "models", "card", model] + (license == "unknown" ? [] : ["--license", license]))
  }

  /// How far the commands make the same weights; `nil` where none of them makes the model.
  private var exactness: String? {
    if let parent {
      return "Made from `\(parent.name)`, without training. \(Self.configurationName) describes the run of "
        + "`\(parent.name)`."
    }
    if source != nil {
      return "Made from another model of this run, without training. These commands make a similar model from the run."
    }
    guard let training = configuration?.training else { return nil }
    if metadata[ModelOrigin.Key.rounded] != nil {
      return "Continued from a rounded state: training again gives different weights of about equal strength."
    }
    let (threads, replicas) = (training.threads, training.replicas)
    let learners = replicas > 1 ? "\(replicas) replicas" : "one thread"
    return threads == 1
      ? "Trained on \(learners). With the same version of the program, a run that has these settings from its first "
        + "game on makes the same weights."
      : "Trained on \(threads) threads, which race: training again gives different weights of about equal strength."
  }

  private static func grouped(_ value: Int) -> String { NumberText.grouped(Double(value)) }
}
