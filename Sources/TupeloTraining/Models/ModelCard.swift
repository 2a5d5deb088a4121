internal import Foundation
public import Safetensors
internal import TupeloNetwork

/// What a model is, how it plays and how to make it again, in Markdown with the front matter that Hugging Face reads.
///
/// All facts come from the model's file and from what `tupelo evaluate --json` printed about it.
public struct ModelCard: Sendable {
  /// Metadata that a model keeps of the run it came from.
  public enum Key {
    /// The run's configuration, as YAML.
    public static let configuration = "tupelo.configuration"
    /// Games it had learned from.
    public static let games = "tupelo.games"
    /// Moves it had learned from.
    public static let moves = "tupelo.moves"
  }

  private let name: String
  private let metadata: [String: String]
  private let specification: NetworkSpecification
  private let storage: String
  private let checksum: String
  private let license: String
  private let evaluations: [Evaluation]

  /// What `tupelo evaluate --json` says, as far as a card needs it.
  struct Evaluation: Decodable, Sendable {
    let games: Int
    /// Such as `expectimax(plies: 2)`.
    let agent: String
    let seed: UInt64
    let scoreMean: Double
    let scoreMargin: Double?
    let scoreMax: Int
    let reachRates: [String: Double]

    private enum CodingKeys: String, CodingKey {
      case games, agent, seed
      case scoreMean = "score_mean"
      case scoreMargin = "score_margin_95"
      case scoreMax = "score_max"
      case reachRates = "reach_rates"
    }

    /// Numbers as games have them and a name that is one; others would not fit a table.
    var isPlausible: Bool {
      games > 0 && (0...1e12).contains(scoreMean) && (0...1e12).contains(scoreMargin ?? 0)
        && reachRates.values.allSatisfy { (0...1).contains($0) }
        && agent.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " ():,.-_=".contains($0)) }
    }
  }

  /// Reads a model's header and checksum, and the evaluations.
  ///
  /// - Parameter license: an identifier of Hugging Face's, such as `mit`.
  /// - Throws: `SafetensorsError`, `ModelFileError`, `ModelCardError`.
  public init(model path: String, evaluations: [String], license: String) throws {
    let file = try SafetensorsFile(path: path)
    specification = try ModelFile.specification(in: file)
    storage = ModelFile.storage(of: file)
    metadata = file.metadata
    name = (path as NSString).lastPathComponent
    checksum = try ModelFolder.checksum(ofFile: path)
    guard !license.isEmpty, license.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) })
    else {
      throw ModelCardError.badLicense(license)
    }
    self.license = license
    self.evaluations = try evaluations.map { path in
      do {
        let evaluation = try JSONDecoder().decode(Evaluation.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        guard evaluation.isPlausible else {
          throw ModelCardError.badEvaluation(path: path, reason: "what it says cannot be")
        }
        return evaluation
      } catch let error as ModelCardError {
        throw error
      } catch {
        throw ModelCardError.badEvaluation(path: path, reason: Self.reason(error))
      }
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return error.localizedDescription }
    return switch error {
    case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is not of its type"
    default: "it is not JSON"
    }
  }

  /// What a file says about the run it came from, for the metadata of models made of it: configuration, games and moves of a
  /// checkpoint; of a model what it says itself.
  ///
  /// - Throws: `CheckpointError` for a damaged checkpoint.
  public static func origin(of file: SafetensorsFile) throws -> [String: String] {
    var origin = file.metadata.filter { [Key.configuration, Key.games, Key.moves].contains($0.key) }
    if file.tensors.contains(where: { $0.name.hasPrefix("training.") }) {
      let checkpoint = try Checkpoint(file: file)
      origin[Key.games] = String(checkpoint.games)
      origin[Key.moves] = String(checkpoint.moves)
    }
    return origin
  }

  /// The card, with a newline at the end.
  public var markdown: String {
    ([frontMatter, introduction] + [evaluationTable, reproduction].compactMap { $0 }).joined(separator: "\n\n") + "\n"
  }

  private var frontMatter: String {
    var lines = [
      "---", "license: \(license)", "library_name: tupelo", "pipeline_tag: reinforcement-learning", "tags:",
      "- reinforcement-learning", "- \"2048\"", "- n-tuple-network", "- temporal-difference-learning",
    ]
    if !evaluations.isEmpty {
      lines += ["model-index:", "- name: \(Self.quoted(name))", "  results:"]
    }
    for evaluation in evaluations {
      lines += [
        "  - task:", "      type: reinforcement-learning", "      name: reinforcement-learning", "    dataset:",
        "      name: \"2048\"", "      type: \"2048\"", "    metrics:", "    - type: mean_reward",
        "      name: \"mean score of \(evaluation.agent), \(evaluation.games) games\"",
        "      value: \"\(Self.score(evaluation))\"",
      ]
    }
    return (lines + ["---"]).joined(separator: "\n")
  }

  private var introduction: String {
    var rows = [
      ("network", "`\(specification.canonicalText)`"), ("fingerprint", "`\(specification.fingerprint)`"),
      (
        "weights",
        "\(Self.grouped(specification.weightCount)), \(Self.grouped(specification.weightCount * 4)) bytes to play"
      ),
      ("stored as", storage), ("SHA-256", "`\(checksum)`"),
    ]
    if let games = metadata[Key.games].flatMap({ Int($0) }), let moves = metadata[Key.moves].flatMap({ Int($0) }) {
      rows.append(("trained on", "\(Self.grouped(games)) games, \(Self.grouped(moves)) moves"))
    }
    let table = ["| | |", "|---|---|"] + rows.map { "| \($0) | \($1.replacingOccurrences(of: "|", with: "")) |" }
    return
      "# \(name)\n\nAn n-tuple network that plays 2048: a value for every afterstate, learned by temporal differences from"
      + " games against itself.\n\n" + table.joined(separator: "\n")
  }

  private var evaluationTable: String? {
    guard !evaluations.isEmpty else { return nil }
    let tiles = [2048, 4096, 8192, 16384, 32768].filter { tile in
      evaluations.contains { $0.reachRates[String(tile), default: 0] > 0 }
    }
    let head = ["agent", "games", "seed", "average score", "best"] + tiles.map { "\($0)" }
    let rows = evaluations.map { evaluation in
      [
        evaluation.agent, Self.grouped(evaluation.games), "\(evaluation.seed)", Self.score(evaluation),
        Self.grouped(evaluation.scoreMax),
      ] + tiles.map { String(format: "%.1f%%", evaluation.reachRates[String($0), default: 0] * 100) }
    }
    return
      (["## Evaluation", "", "Scores in points, with the 95% interval of the average.", ""]
      + ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" })
      .joined(separator: "\n")
  }

  /// The commands that give the numbers again, and those that made the model where it is known.
  private var reproduction: String? {
    var lines = ["## Again", ""]
    lines += evaluations.map {
      "    tupelo evaluate \(name) --agent '\($0.agent)' --games \($0.games) --seed \($0.seed)"
    }
    if !evaluations.isEmpty { lines.append("") }
    if let configuration = metadata[Key.configuration] {
      lines += [
        "The run that trained it, with this as `config.yaml`:", "",
        "    tupelo train --config config.yaml --output run",
      ]
      if metadata["tupelo.encoding"] == "compact", let step = metadata["tupelo.compact.step"].flatMap({ Float($0) }),
        let drop = metadata["tupelo.compact.drop"].flatMap({ Float($0) })
      {
        lines.append("    tupelo export run -o \(name) --format compact --step \(step) --drop \(drop)")
      } else {
        lines.append(
          "    tupelo export run -o \(name) --format \(metadata["tupelo.encoding"] == "f16" ? "f16" : "f32")")
      }
      lines += [""] + configuration.split(separator: "\n").map { "    \($0)" }
    }
    return lines.count > 2 ? lines.joined(separator: "\n") : nil
  }

  /// 119,633 ± 1,001
  private static func score(_ evaluation: Evaluation) -> String {
    let margin = evaluation.scoreMargin.map { " ± " + EvaluationReport.grouped($0) } ?? ""
    return EvaluationReport.grouped(evaluation.scoreMean) + margin
  }

  private static func grouped(_ value: Int) -> String { EvaluationReport.grouped(Double(value)) }

  /// As a YAML string in double quotes.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
  }
}

/// Why there is no card.
public enum ModelCardError: Error, Hashable, Sendable {
  case badEvaluation(path: String, reason: String)
  case badLicense(String)
}

extension ModelCardError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badEvaluation(let path, let reason):
      "\(path): is no evaluation: \(reason): give what tupelo evaluate --json printed"
    case .badLicense(let text):
      "'\(text)' is no licence: give an identifier such as mit or apache-2.0"
    }
  }
}
