internal import Foundation
internal import PlainText
internal import TupeloNetwork
internal import TupeloTraining

extension ModelCard {
  static let libraryLine = "library_name: tupelo"

  /// The card as Markdown, with front matter for Hugging Face and a newline at the end.
  public var markdown: String {
    [frontMatter, introduction, evaluationTable, reproduction].compactMap { $0 }.joined(separator: "\n\n") + "\n"
  }

  /// The model's title: the name of its folder, unless its file has another name than the standard one.
  private var title: String {
    guard fileName == ModelFolder.modelName else { return (fileName as NSString).deletingPathExtension }
    return URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
  }

  // MARK: Front matter

  private var frontMatter: String {
    var lines =
      [
        "---", "license: \(license)", Self.libraryLine, "pipeline_tag: reinforcement-learning", "tags:",
        "- reinforcement-learning", "- \(YAMLText.quoted(game.tag))",
      ] + game.kindTags.map { "- \($0)" }
    if !evaluations.isEmpty { lines += ["model-index:", "- name: \(YAMLText.quoted(title))", "  results:"] }
    for evaluation in evaluations {
      lines += [
        "  - task:", "      type: reinforcement-learning", "      name: reinforcement-learning", "    dataset:",
        "      name: \(YAMLText.quoted(game.tag))", "      type: \(YAMLText.quoted(game.tag))", "    metrics:",
      ]
      let games = CountText.text(evaluation.games, "game")
      lines += Self.metric(
        "mean_reward", "average score of \(evaluation.agent) in \(games): \(evaluation.score) (95%)",
        game.plainText(ofMean: evaluation.scoreMean))
      for outcome in game.outcomes(of: [evaluation]) {
        let metric = game.metric(ofOutcome: outcome, agent: evaluation.agent)
        lines += Self.metric(
          metric.type, metric.name, String(format: "%.4f", evaluation.rates[outcome, default: 0]))
      }
    }
    return (lines + ["---"]).joined(separator: "\n")
  }

  private static func metric(_ type: String, _ name: String, _ value: String) -> [String] {
    ["    - type: \(type)", "      name: \(YAMLText.quoted(name))", "      value: \(value)"]
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
      ("file", "\(fileName), \(Self.grouped(byteCount)) bytes, \(storage)"), ("SHA-256", "`\(checksum)`"),
    ]
    if let configuration { rows.append(("learner", configuration.learnerText)) }
    if let games = metadata[Key.games].flatMap({ Int($0) }), let moves = metadata[Key.moves].flatMap({ Int($0) }) {
      rows.append(("trained on", "\(NumberText.counted(games, "game")), \(NumberText.counted(moves, "move"))"))
    }
    let table = ["| | |", "|---|---|"] + rows.map { "| \($0) | \($1.replacing("|", with: "")) |" }
    return "# \(title)\n\n\(game.introduction)\n\n" + table.joined(separator: "\n")
  }

  private var evaluationTable: String? {
    guard !evaluations.isEmpty else { return nil }
    let outcomes = game.outcomes(of: evaluations)
    let head = ["agent", "games", "seed", "average score", "best"] + outcomes.map(game.title)
    let rows = evaluations.map { evaluation in
      [
        evaluation.agent, Self.grouped(evaluation.games), "\(evaluation.seed)", evaluation.score,
        Self.grouped(evaluation.scoreMax),
      ] + outcomes.map { NumberText.percent(evaluation.rates[$0, default: 0]) }
    }
    return
      ([
        "## Evaluation", "", game.legend, "",
      ]
      + ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" })
      .joined(separator: "\n")
  }

  // MARK: Commands

  /// The commands that reproduce the model and its figures, for use in its folder.
  private var reproduction: String? {
    let commands = (training + evaluations.map(evaluate) + [card]).map { "    " + $0 }
    guard configuration != nil || !evaluations.isEmpty else { return nil }
    return (["## Make it again", "", "In this folder:", ""] + commands + ["", exactness]).joined(separator: "\n")
  }

  private var training: [String] {
    guard configuration != nil else { return [] }
    let train = ["tupelo", "train", "--config", Self.configurationName, "--output", "run"]
    var export = ["tupelo", "export", "run", "-o", fileName, "--format"]
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
    return [ShellText.command(train), ShellText.command(export)]
  }

  private func evaluate(_ evaluation: ModelEvaluation) -> String {
    var words = [
      "tupelo", "evaluate", fileName, "--agent", evaluation.agent, "--games", "\(evaluation.games)", "--seed",
      "\(evaluation.seed)",
    ]
    if evaluation.fourProbability != 0.1 { words += ["--four-probability", "\(evaluation.fourProbability)"] }
    if evaluation.startTiles != 2 { words += ["--start-tiles", "\(evaluation.startTiles)"] }
    return ShellText.command(words + ["--json"]) + " > " + ShellText.word(evaluation.name)
  }

  private var card: String {
    let model = fileName == ModelFolder.modelName ? "." : fileName
    return ShellText.command(
      ["tupelo", "models", "card", model] + (license == "unknown" ? [] : ["--license", license]))
  }

  private var exactness: String {
    let games = "The same weights play the same games, on any number of threads."
    guard let training = configuration?.training else { return games }
    let (threads, replicas) = (training.threads, training.replicas)
    let learners = replicas > 1 ? "\(replicas) replicas" : "one thread"
    return threads == 1
      ? "Trained on \(learners): with these settings from the first game on, the weights are the same bit for bit. "
        + games
      : "Trained on \(threads) threads, whose timing decides which updates are lost: the weights are others, as strong "
        + "within chance. "
        + games
  }

  private static func grouped(_ value: Int) -> String { NumberText.grouped(Double(value)) }
}
