internal import Foundation
internal import TupeloTraining

/// The result of a player in an arena.
struct Standing {
  let player: String
  let game: GameKind
  let games: Int
  let score: MeanEstimate
  /// The mean difference to the first player, over the games that both finished; `nil` when there is none.
  let difference: MeanEstimate?
  /// The share of games that reached the game's milestone, in 0...1.
  let milestoneRate: Double
  let movesPerSecond: Double

  /// The result from a player's games; `nil` without results.
  init?(
    player: String, game: GameKind, results: [Int: GameResult], first: [Int: GameResult], seconds: Double
  ) {
    let numbers = results.keys.sorted()
    guard let score = MeanEstimate(of: numbers.compactMap { results[$0].map { Double($0.score) } }) else { return nil }
    (self.player, self.game) = (player, game)
    self.score = score
    games = numbers.count
    difference = MeanEstimate(
      of: numbers.compactMap { number in
        guard let mine = results[number], let other = first[number] else { return nil }
        return Double(mine.score - other.score)
      })
    milestoneRate = Double(results.values.count { game.hasMilestone($0) }) / Double(games)
    let moves = results.values.reduce(0) { $0 + $1.moves }
    movesPerSecond = seconds > 0 ? Double(moves) / seconds : 0
  }

  /// The standings for people, as wide as a terminal: a name that leaves no room for its numbers has a line of its own.
  static func table(_ standings: [Standing], seed: UInt64, width: Int = Terminal.columns) -> String {
    let milestone = standings.first?.game.milestone ?? ""
    let isEven = Set(standings.map(\.games)).count == 1
    let games = standings.first.map { Format.counted($0.games, "game") } ?? ""
    let title = "\(isEven ? "\(games) each, " : "")seed \(seed); differences to the first player"
    let head = ["player"] + (isEven ? [] : ["games"]) + ["average (95%)", milestone, "moves/s", "difference (95%)"]
    let rows = standings.enumerated().map { index, standing in
      [standing.player] + (isEven ? [] : [Format.grouped(standing.games)]) + [
        standing.text(standing.score), Format.percent(standing.milestoneRate),
        Format.grouped(standing.movesPerSecond),
        index == 0 ? "" : standing.difference.map { standing.text($0) } ?? "?",
      ]
    }
    var widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
    let room = max(width - widths.dropFirst().reduce(0) { $0 + $1 + 2 }, head[0].count)
    widths[0] = min(widths[0], room)
    return ([title] + ([head] + rows).flatMap { lines($0, widths) }).joined(separator: "\n")
  }

  /// A row of the table, with the first cell above the others where it does not fit beside them.
  private static func lines(_ cells: [String], _ widths: [Int]) -> [String] {
    let isLong = cells[0].count > widths[0]
    let first = Format.padded(isLong ? "" : cells[0], to: widths[0])
    let numbers = zip(cells, widths).dropFirst().map { cell, width in
      String(repeating: " ", count: width - cell.count) + cell
    }
    let line = ([first] + numbers).joined(separator: "  ")
    let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
    return (isLong ? [cells[0]] : []) + [String(line[..<end])]
  }

  private func text(_ estimate: MeanEstimate) -> String {
    "\(game.text(ofMean: estimate.mean)) ± \(estimate.margin.isFinite ? game.text(ofMean: estimate.margin) : "?")"
  }

  static func json(_ standings: [Standing], seed: UInt64) throws -> String {
    func fields(_ estimate: MeanEstimate?) -> Any {
      guard let estimate else { return NSNull() }
      return ["mean": estimate.mean, "margin_95": estimate.margin.isFinite ? estimate.margin as Any : NSNull()]
    }
    let players = standings.map { standing -> [String: Any] in
      [
        "player": standing.player, "games": standing.games, "score": fields(standing.score),
        "difference_to_first": fields(standing.difference), standing.game.milestoneKey: standing.milestoneRate,
        "moves_per_second": standing.movesPerSecond,
      ]
    }
    let object: [String: Any] = ["seed": seed, "players": players]
    let data = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
    return String(decoding: data, as: UTF8.self)
  }
}

extension GameKind {
  /// The outcome whose rate an arena shows: the tile 2048, or a game of Set that leaves no card.
  fileprivate var milestone: String {
    switch self {
    case .twentyFortyEight: "2048"
    case .set: "perfect"
    }
  }

  fileprivate var milestoneKey: String {
    switch self {
    case .twentyFortyEight: "reached_2048"
    case .set: "perfect"
    }
  }

  fileprivate func hasMilestone(_ result: GameResult) -> Bool {
    switch self {
    case .twentyFortyEight: result.outcome >= 11
    case .set: result.outcome == 0
    }
  }
}
