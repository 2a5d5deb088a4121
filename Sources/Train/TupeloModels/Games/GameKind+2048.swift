public import TupeloEngine

extension GameKind {
  public static let twentyFortyEight = GameKind(
    name: "2048", title: "2048", rules: Rules.self, tables: TupleKind(),
    results: ResultTexts(
      ratesKey: "reach_rates", label: { "reached \($0)" }, milestone: reached(11), milestoneKey: "reached_2048",
      recorded: (11...15).map(reached),
      metric: { rate in
        (
          "share of training games since the last record that reached \(rate.name)",
          rate == reached(11)
            ? "an S from 0 to nearly 1" : "an S that starts when \(rate.value / 2) has become common"
        )
      }),
    card: CardTexts(
      tag: "2048", kindTags: ["n-tuple-network", "temporal-difference-learning"],
      introduction: "An n-tuple network that plays 2048, trained by temporal differences in self-play.",
      legend: "Average score in points with its 95% interval, and the share of games that reached each tile.",
      leastOutcome: 2048))

  /// Games that reached a tile, by its exponent.
  package static func reached(_ exponent: Int) -> OutcomeRange {
    OutcomeRange("\(1 << exponent)", value: 1 << exponent, exponent...Int.max)
  }
}

extension GameRules {
  /// The game 2048 with the given rules.
  public static func board(_ rules: Rules) -> GameRules { GameRules(rules) }
}

extension Rules: PlayedRules {
  public var game: GameKind { .twentyFortyEight }
  public var playground: String { "boards of \(shape)" }

  public var reportFields: [String: any Sendable] {
    ["board": "\(shape)", "four_probability": fourProbability, "start_tiles": startTiles]
  }

  public var shardFields: [String: Double] {
    [
      "rows": Double(shape.rows), "columns": Double(shape.columns), "four_probability": fourProbability,
      "start_tiles": Double(startTiles),
    ]
  }

  /// - Throws: `RulesError`.
  public init?(shard field: (String) throws -> Double?) throws {
    func whole(_ key: String) throws -> Int? { try field(key).flatMap { Int(exactly: $0) } }
    guard let rows = try whole("rows"), let columns = try whole("columns"),
      let fourProbability = try field("four_probability"), let startTiles = try whole("start_tiles")
    else { return nil }
    try self.init(
      shape: BoardShape(rows: rows, columns: columns), fourProbability: fourProbability, startTiles: startTiles)
  }

  public var outcomes: ClosedRange<Int> { 0...largestExponent }

  /// Tiles from 256 on; on smaller boards, the largest possible tiles.
  public var reported: [OutcomeRange] { reportedExponents.map(GameKind.reached) }

  public var milestones: [OutcomeRange] {
    // The tiles 2048 and 8192, or the two largest tiles of a small board.
    [min(11, largestExponent - 1), min(13, largestExponent)].map(GameKind.reached)
  }

  /// The exponent of the largest tile that a game can make. On n cells it is n, or n + 1 if 4s appear, because the last
  /// two tiles before a merge need a cell each: 17 (131072) on 4x4, 7 (128) on 2x3.
  package var largestExponent: Int { shape.cellCount + (fourProbability > 0 ? 1 : 0) }

  /// The exponents of the tiles whose rates an evaluation reports: from 256, or the second largest of a small board, to
  /// 65536.
  private var reportedExponents: ClosedRange<Int> { min(8, largestExponent - 1)...min(16, largestExponent) }
}
