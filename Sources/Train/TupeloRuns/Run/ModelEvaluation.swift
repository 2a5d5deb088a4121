internal import Foundation
public import TupeloTraining

/// An evaluation of a model, read from a file that `tupelo evaluate --json` has written.
public struct ModelEvaluation: Hashable, Sendable, Decodable {
  /// The file's name, without its folder.
  public private(set) var name = ""
  public private(set) var game = GameKind.twentyFortyEight
  /// The share of games, in 0...1, that reached a tile, by tile; in Set, the share that left a number of cards, by that
  /// number.
  public private(set) var rates: [Int: Double] = [:]
  /// The agent, such as `expectimax(plies: 2)`.
  public let agent: String
  public let games: Int
  public let seed: UInt64
  /// The average score, in score points or Sets.
  public let scoreMean: Double
  /// Half the width of the mean's 95% confidence interval; `nil` for a single game.
  public let scoreMargin: Double?
  public let scoreMax: Int
  /// The rules of 2048; `nil` in another game.
  package let fourProbability: Double?
  package let startTiles: Int?
  /// The identity of the model (see `TrainedModel.identity`) and the SHA-256 of the model file; `nil` if the evaluation
  /// does not name it.
  public let model: String?
  public let checksum: String?
  private let ownFingerprint: String?
  /// The fingerprint under the name that earlier versions gave it.
  private let formerFingerprint: String?

  /// The fingerprint of the network; `nil` if the evaluation does not name it.
  public var fingerprint: String? { ownFingerprint ?? formerFingerprint }

  private enum CodingKeys: String, CodingKey {
    case agent, games, seed, model
    case scoreMean = "score_mean"
    case scoreMargin = "score_margin_95"
    case scoreMax = "score_max"
    case fourProbability = "four_probability"
    case startTiles = "start_tiles"
    case ownFingerprint = "network_fingerprint"
    case formerFingerprint = "model_fingerprint"
    case checksum = "model_sha256"
  }

  /// The limit on a file's size; an evaluation has less than a thousand bytes.
  private static let largestBytes = 1 << 20

  /// Reads the file.
  ///
  /// - Parameter catalogue: the games that it may be of
  /// - Throws: `ModelEvaluationError` for anything that `evaluate --json` does not print.
  public init(path: String, of catalogue: GameCatalogue = .standard) throws(ModelEvaluationError) {
    let outcomes: OutcomeFields
    do {
      let file = try FileHandle(forReadingFrom: fileURL(path))
      let data = try file.read(upToCount: Self.largestBytes + 1) ?? Data()
      try file.close()
      guard data.count <= Self.largestBytes else {
        throw ModelEvaluationError(path: path, reason: "it is too large for an evaluation")
      }
      self = try JSONDecoder().decode(Self.self, from: data)
      outcomes = try JSONDecoder().decode(OutcomeFields.self, from: data)
    } catch let error as ModelEvaluationError {
      throw error
    } catch {
      throw ModelEvaluationError(path: path, reason: Self.reason(error))
    }
    let found = catalogue.games.compactMap { game in
      outcomes.rates[game.results.ratesKey].map { (game: game, rates: $0) }
    }
    guard let (game, rates) = found.first, found.count == 1 else {
      let keys = catalogue.games.enumerated().map { number, game in
        "'\(game.results.ratesKey)'" + (number == 0 ? "" : " for \(game.title)")
      }
      throw ModelEvaluationError(path: path, reason: "it needs " + keys.joined(separator: ", or "))
    }
    guard isPlausible, rates.values.allSatisfy({ (0...1).contains($0) }) else {
      throw ModelEvaluationError(path: path, reason: "its values are not possible")
    }
    name = (path as NSString).lastPathComponent
    self.game = game
    for (outcome, rate) in rates { if let outcome = Int(outcome) { self.rates[outcome] = rate } }
  }

  /// The evaluation.json in a run's folder; `nil` where there is none.
  ///
  /// - Parameter catalogue: the games that it may be of
  /// - Throws: `ModelEvaluationError` for a file that is not an evaluation
  package init?(ofRun folder: String, of catalogue: GameCatalogue) throws(ModelEvaluationError) {
    let path = (folder as NSString).appendingPathComponent(RunDirectory.Name.evaluation)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    try self.init(path: path, of: catalogue)
  }

  /// Whether all numbers are possible and the agent's name is valid. Other values would not fit a table or a command.
  private var isPlausible: Bool {
    let hasScores = (0...1e12).contains(scoreMean) && (0...1e12).contains(scoreMargin ?? 0) && scoreMax >= 0
    let hasRules = (0...1).contains(fourProbability ?? 0) && (1...15).contains(startTiles ?? 1)
    return games > 0 && hasScores && hasRules && Self.isAgent(agent)
  }

  /// Whether a text can be the agent of an evaluation.
  static func isAgent(_ text: String) -> Bool {
    text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || " ():,.-_=".contains($0)) }
  }

  /// Whether the evaluation is of the model in a file, by its weights: equal networks are not enough. An evaluation
  /// that names neither the file nor the model is of none.
  ///
  /// - Parameters:
  ///   - checksum: the SHA-256 of the file
  ///   - identity: the identity of the model in it, which takes a second for a large one
  public func isOf(checksum: String?, identity: @autoclosure () throws -> String) rethrows -> Bool {
    if let own = self.checksum { return own == checksum }
    return try model == identity()
  }

  /// The search depth, if the agent searches to a fixed one.
  package var plies: Int? { agent.firstMatch(of: /\bplies: ([0-9]+)/).flatMap { Int($0.output.1) } }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return error.localizedDescription }
    return switch error {
    case .keyNotFound(let key, _): "'\(key.stringValue)' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' is not of its type"
    default: "it is not JSON"
    }
  }

  /// The average score with its margin, such as `119,633 ± 1,001`.
  public var score: String {
    game.text(ofMean: scoreMean, margin: scoreMargin)
  }
}

/// The rates of outcomes in the JSON object, by their keys. Each game has a key of its own, which ends with `_rates`.
private struct OutcomeFields: Decodable {
  private(set) var rates: [String: [String: Double]] = [:]

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: AnyKey.self)
    for key in fields.allKeys where key.stringValue.hasSuffix("_rates") {
      rates[key.stringValue] = try fields.decodeIfPresent([String: Double].self, forKey: key)
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// Why a file is not an evaluation.
public struct ModelEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  public let path: String
  public let reason: String

  package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

  public var description: String {
    "\(path): is not an evaluation: \(reason): make it with tupelo evaluate --json"
  }
}
