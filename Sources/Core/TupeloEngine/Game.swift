public import TupeloBase

/// A game in progress: a board, its score, and the random stream that deals its tiles.
public struct Game: Sendable {
  public let rules: Rules
  public private(set) var board: Board
  /// The sum of all merged tiles, in score points.
  public private(set) var score = 0
  /// The number of moves played. In a search, a ply is a step of its depth instead.
  public private(set) var plies = 0
  public private(set) var random: RandomStream
  private let table: MoveTable
  private let chance: ChanceModel

  /// The result of one move in a game.
  public struct Turn: Hashable, Sendable {
    public let move: Move
    public let afterstate: Afterstate
    /// Score points.
    public let reward: Int
    public let appeared: ChanceOutcome
  }

  /// A new game. Games with the same rules, seed and number are equal as long as their moves are equal.
  public init(rules: Rules = .standard, seed: UInt64, number: UInt64 = 0) {
    var random = RandomStream(seed: seed, stream: number)
    let board = rules.startBoard(using: &random)
    self.init(rules: rules, board: board, random: random)
  }

  /// A game that starts on `board`.
  public init(rules: Rules = .standard, board: Board, random: RandomStream) {
    self.rules = rules
    self.board = board
    self.random = random
    table = MoveTable(rules.shape)
    chance = ChanceModel(rules)
  }

  public var legalMoves: MoveSet { table.legalMoves(on: board) }
  public var isOver: Bool { legalMoves.isEmpty }

  /// Plays a move and lets a tile appear. An illegal move returns `nil` and changes nothing.
  @discardableResult
  public mutating func play(_ move: Move) -> Turn? {
    guard let outcome = table.afterstate(of: move, on: board) else { return nil }
    let tile = chance.sample(of: outcome.afterstate, using: &random)
    board = outcome.afterstate.board(after: tile)
    score += outcome.reward
    plies += 1
    return Turn(move: move, afterstate: outcome.afterstate, reward: outcome.reward, appeared: tile)
  }
}
