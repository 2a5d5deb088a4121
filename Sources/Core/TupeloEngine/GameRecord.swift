/// A record of a whole game: its start and all moves and tiles. It replays bit for bit without a random generator.
public struct GameRecord: Hashable, Sendable {
  /// Facts about the game other than its moves.
  public struct Header: Hashable, Sendable {
    public var rules: Rules
    /// The seed of the game's random stream, and below it the game's number; `nil` if a person or another program chose
    /// the tiles.
    public var seed: UInt64?
    public var gameNumber: UInt64?
    /// The agent's specification, or "person".
    public var agent: String
    /// The identity of the model that played, if there was one: a hash of its weights.
    public var model: String?
    public var start: Board

    public init(
      rules: Rules, start: Board, agent: String, model: String? = nil, seed: UInt64? = nil, gameNumber: UInt64? = nil
    ) {
      self.rules = rules
      self.start = start
      self.agent = agent
      self.model = model
      self.seed = seed
      self.gameNumber = gameNumber
    }
  }

  /// A move and the tile that appeared after it.
  public struct Step: Hashable, Sendable {
    public let move: Move
    /// row * 4 + column
    public let cell: Int
    /// 1 for a 2, 2 for a 4
    public let exponent: Int

    /// - Precondition: the exponent is 1 or 2.
    public init(move: Move, cell: Int, exponent: Int) {
      precondition(exponent == 1 || exponent == 2, "a tile that appears is a 2 or a 4")
      self.move = move
      self.cell = cell
      self.exponent = exponent
    }
  }

  public let header: Header
  public private(set) var steps: [Step]

  public init(_ header: Header, steps: [Step] = []) {
    self.header = header
    self.steps = steps
  }

  public mutating func append(_ turn: Game.Turn) {
    steps.append(Step(move: turn.move, cell: turn.appeared.cell, exponent: turn.appeared.exponent))
  }

  /// Removes the last `count` steps.
  public mutating func removeLast(_ count: Int = 1) {
    steps.removeLast(min(count, steps.count))
  }

  /// A position of a replayed game.
  public struct Position: Hashable, Sendable {
    public let board: Board
    /// The score so far, in score points.
    public let score: Int
  }

  /// Replays the game and returns every position from the start to the end, one more than there are steps.
  ///
  /// - Throws: `GameRecordError.illegalMove` or `.cellTaken`, with the number of the step (from 1).
  public func replay() throws(GameRecordError) -> [Position] {
    let table = MoveTable(header.rules.shape)
    let cells = header.rules.shape.cells
    var board = header.start
    var score = 0
    var positions = [Position(board: board, score: score)]
    for (index, step) in steps.enumerated() {
      guard let outcome = table.afterstate(of: step.move, on: board) else {
        throw .illegalMove(step.move, step: index + 1)
      }
      guard cells.contains(step.cell), outcome.afterstate.exponent(at: step.cell) == 0 else {
        throw .cellTaken(step.cell, step: index + 1)
      }
      board = outcome.afterstate.board(
        after: ChanceOutcome(cell: step.cell, exponent: step.exponent, probability: 1))
      score += outcome.reward
      positions.append(Position(board: board, score: score))
    }
    return positions
  }
}

/// Why a text is not a game record, or a record is not a valid game.
public enum GameRecordError: Error, Hashable, Sendable {
  case badHeader(String)
  case newerFormat(Int, supported: Int)
  case badStep(String, step: Int)
  case illegalMove(Move, step: Int)
  case cellTaken(Int, step: Int)
}

extension GameRecordError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badHeader(let reason):
      "the first line is not a record header: \(reason)"
    case .newerFormat(let found, let supported):
      "the record has format \(found), this program reads up to \(supported): use a newer tupelo"
    case .badStep(let text, let step):
      "step \(step) is '\(text)': a step is a move (u r d l), a cell (0 to f) and a tile (2 or 4), such as l52"
    case .illegalMove(let move, let step):
      "step \(step) moves \(move), which changes nothing: the record is damaged or of other rules"
    case .cellTaken(let cell, let step):
      "step \(step) puts a tile on cell \(cell), which is taken or off the board: the record is damaged"
    }
  }
}
