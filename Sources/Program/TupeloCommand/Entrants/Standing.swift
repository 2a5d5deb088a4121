internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The result of a player in an arena.
struct Standing {
  let player: String
  let game: GameKind
  let games: Int
  let score: MeanEstimate
  /// The difference to the first player's mean score; `nil` for the first player.
  let difference: MeanDifference?
  /// The share of games that reached the game's milestone, in 0...1.
  let milestoneRate: Double
  let movesPerSecond: Double

  /// The result from a player's games; `nil` without results.
  ///
  /// Scores are compared as independent numbers: players with the same seeds get the same luck only until the first
  /// move that differs.
  ///
  /// - Parameter first: the first player's result; `nil` for the first player
  init?(player: String, game: GameKind, results: [Int: GameResult], first: Standing?, seconds: Double) {
    guard let score = MeanEstimate(of: results.sorted { $0.key < $1.key }.map { Double($0.value.score) }) else {
      return nil
    }
    (self.player, self.game) = (player, game)
    self.score = score
    games = results.count
    difference = first.map { MeanDifference(from: $0.score, to: score) }
    let milestone = game.results.milestone.outcomes
    milestoneRate = Double(results.values.count { milestone.contains($0.outcome) }) / Double(games)
    let moves = results.values.reduce(0) { $0 + $1.moves }
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }

  /// The standings for people, as wide as a terminal: a name that leaves no room for its numbers has a line of its own.
  static func table(_ standings: [Standing], seed: UInt64, width: Int = Terminal.columns) -> String {
    let milestone = standings.first?.game.results.milestone.name ?? ""
    let isEven = Set(standings.map(\.games)).count == 1
    let games = standings.first.map { Format.counted($0.games, "game") } ?? ""
    let title = "\(isEven ? "\(games) each, " : "")seed \(seed); differences to the first player"
    let others = standings.count > 1
    let head =
      ["player"] + (isEven ? [] : ["games"]) + ["average (95%)", milestone, "moves/s"]
      + (others ? ["difference (95%)", "verdict"] : [])
    let rows = standings.map { standing in
      [standing.player] + (isEven ? [] : [Format.grouped(standing.games)]) + [
        standing.text(standing.score.mean, standing.score.margin), Format.percent(standing.milestoneRate),
        Format.grouped(standing.movesPerSecond),
      ]
        + (others
          ? [
            standing.difference.map { standing.text($0.mean, $0.margin) } ?? "",
            standing.difference?.verdict.rawValue ?? "",
          ] : [])
    }
    return ([title] + lines([head] + rows, width: width) + resolution(standings)).joined(separator: "\n")
  }

  /// A line with the minimum detectable differences, in the order of the players.
  private static func resolution(_ standings: [Standing]) -> [String] {
    let smallest = standings.compactMap { standing in
      standing.difference.map { standing.game.text(ofMargin: $0.smallest) }
    }
    guard !smallest.isEmpty else { return [] }
    let noun = smallest.count == 1 ? "a difference" : "differences"
    return [Format.wrapped("can detect \(noun) of \(smallest.joined(separator: "; ")) (95%, 80% power)")]
  }

  /// The rows of the table, with the first cell above the others where it does not fit beside them.
  private static func lines(_ rows: [[String]], width: Int) -> [String] {
    let widths = TextTable(rows).widths
    let room = max(width - widths.dropFirst().reduce(0) { $0 + $1 + 2 }, rows[0][0].count)
    let first = min(widths[0], room)
    let besides = rows.map { cells -> [String] in cells[0].count > first ? [""] + cells.dropFirst() : cells }
    return zip(rows, TextTable(besides, atLeast: [first]).lines).flatMap { cells, line in
      cells[0].count > first ? [cells[0], line] : [line]
    }
  }

  private func text(_ mean: Double, _ margin: Double) -> String {
    game.text(ofMean: mean, margin: margin)
  }

  static func json(_ standings: [Standing], seed: UInt64) throws -> String {
    func finite(_ value: Double) -> Any { value.isFinite ? value as Any : NSNull() }
    func fields(_ difference: MeanDifference?) -> Any {
      guard let difference else { return NSNull() }
      return [
        "mean": difference.mean, "margin_95": finite(difference.margin), "smallest": finite(difference.smallest),
        "verdict": difference.verdict.rawValue,
      ]
    }
    let players = standings.map { standing -> [String: Any] in
      [
        "player": standing.player, "games": standing.games,
        "score": ["mean": standing.score.mean, "margin_95": finite(standing.score.margin)],
        "difference_to_first": fields(standing.difference), standing.game.results.milestoneKey: standing.milestoneRate,
        "moves_per_second": standing.movesPerSecond,
      ]
    }
    let object: [String: Any] = ["seed": seed, "players": players]
    return try JSONText.pretty(object)
  }
}
