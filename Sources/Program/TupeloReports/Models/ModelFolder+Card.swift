internal import Foundation
internal import TupeloBase
internal import TupeloTraining

extension ModelFolder {
  /// A line of the table of scores that a card has.
  public struct CardScore: Hashable, Sendable {
    public let agent: String
    public let games: Int
    /// The average score with its interval.
    public let score: String
  }

  /// The scores that the folder's card has, and the SHA-256 of the file whose they are.
  ///
  /// - Returns: `nil` without a card that `models card` has written
  /// - Throws: `ModelFolderError.unreadable`.
  public func cardScores() throws(ModelFolderError) -> (checksum: String, scores: [CardScore])? {
    let card = path + "/" + ModelCard.cardName
    guard FileManager.default.fileExists(atPath: card) else { return nil }
    let text: String
    do {
      text = try String(contentsOfFile: card, encoding: .utf8)
    } catch {
      throw .unreadable(path: card, reason: FailedCall.reason(error))
    }
    let lines = text.lines
    guard lines.contains(ModelCard.libraryLine[...]) else { return nil }
    let rows = lines.filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    }
    guard let checksum = rows.first(where: { $0[0] == ModelCard.checksumTitle })?.last else { return nil }
    let table = rows.drop { Array($0.prefix(ModelCard.scoreColumns.count)) != ModelCard.scoreColumns }
    let scores = table.dropFirst().compactMap { row in
      guard row.count > 3, let games = Int(row[1].replacing(",", with: "")) else { return nil as CardScore? }
      return CardScore(agent: row[0], games: games, score: row[3])
    }
    return (checksum.replacing("`", with: ""), scores)
  }
}
