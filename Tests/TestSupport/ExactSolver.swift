public import TupeloEngine

/// The exact expected scores of small boards, by recursion over all positions: the reference for searches and learners.
///
/// Values are expected points still to come. `V*(board)` is the largest over the legal moves of reward +
/// `V*(afterstate)`, and `V*(afterstate)` the mean of `V*(board)` over the tiles that may appear. Values of boards are
/// remembered up to symmetry, so one solver is made per set of rules and asked many times. The recursion takes moves
/// from `ReferenceBoard`, one line of tiles at a time, and shares no code with the engine.
///
/// Costs in a release build: 2x3 (21,752 positions) about 0.1 s, 2x4 (4,980,767) about 20 s and 220 MB.
public final class ExactSolver {
  public let rules: Rules

  /// The exponents of a board in reading order, five bits each.
  private typealias Key = UInt64

  private let cellCount: Int
  /// The lines that slide, by move number. Each line is a list of places in a key, the one at the wall first.
  private let lines: [[[Int]]]
  /// Every symmetry but the identity: `image[i]` is the place that goes to place i.
  private let images: [[Int]]
  /// Lines of tiles slid to their first place, and the points of that slide.
  private var slid: [Key: (line: Key, reward: Int)] = [:]
  private var best: [Key: Double] = [:]

  /// - Precondition: at most twelve cells.
  public init(rules: Rules) {
    let (rows, columns) = (rules.shape.rows, rules.shape.columns)
    precondition(rows * columns <= 12, "keys hold twelve cells")
    self.rules = rules
    cellCount = rows * columns
    let places = ReferenceBoard((0..<rows).map { row in (0..<columns).map { row * columns + $0 } })
    let (across, along) = (places.tiles, places.transposed.tiles)
    lines = [along, across.map { $0.reversed() }, along.map { $0.reversed() }, across]
    images = places.images.dropFirst().map { $0.tiles.flatMap { $0 } }
  }

  /// V* of a board.
  public func value(of board: Board) -> Double { value(of: key(ReferenceBoard(board, shape: rules.shape))) }

  /// V* of an afterstate.
  ///
  /// - Precondition: a cell is empty, as after every legal move.
  public func value(of afterstate: Afterstate) -> Double {
    expectation(after: key(ReferenceBoard(afterstate, shape: rules.shape))) { value(of: $0) }
  }

  /// The reward of a move plus V* of its afterstate; `nil` when it is illegal.
  public func value(of move: Move, on board: Board) -> Double? {
    moved(key(ReferenceBoard(board, shape: rules.shape)), move)
      .map { next in Double(next.reward) + expectation(after: next.key) { value(of: $0) } }
  }

  /// A move of score-maximising play, the one with the lowest number among equals; `nil` when none is legal.
  public func move(on board: Board) -> Move? {
    var best: (move: Move, value: Double)?
    for move in Move.allCases {
      guard let value = value(of: move, on: board), value > best?.value ?? -1 else { continue }
      best = (move, value)
    }
    return best?.move
  }

  /// The expected score of score-maximising play of a whole game.
  public var startValue: Double {
    start(fourProbability: rules.fourProbability) { value(of: $0) }
  }

  /// The expected score, given that all start tiles are 2.
  public var startValueFromTwos: Double {
    start(fourProbability: 0) { value(of: $0) }
  }

  /// The expected score of a whole game under a policy that depends on the board alone, computed exactly without
  /// playing a game.
  ///
  /// The policy is asked once for every board that it can reach; it need not treat symmetric boards alike. A game ends
  /// where it answers `nil` or an illegal move.
  public func startValue(of policy: (Board) throws -> Move?) rethrows -> Double {
    var known: [Key: Double] = [:]
    return try start(fourProbability: rules.fourProbability) { try value(of: $0, under: policy, known: &known) }
  }

  /// The expected points still to come on `board` under a policy, as above.
  public func value(of board: Board, under policy: (Board) throws -> Move?) rethrows -> Double {
    var known: [Key: Double] = [:]
    return try value(of: key(ReferenceBoard(board, shape: rules.shape)), under: policy, known: &known)
  }

  /// The number of boards, up to symmetry, that have been solved so far.
  public var positions: Int { best.count }

  private func value(of key: Key) -> Double {
    let key = canonical(key)
    if let known = best[key] { return known }
    var value = 0.0
    for move in Move.allCases {
      guard let next = moved(key, move) else { continue }
      value = max(value, Double(next.reward) + expectation(after: next.key) { self.value(of: $0) })
    }
    best[key] = value
    return value
  }

  private func value(
    of key: Key, under policy: (Board) throws -> Move?, known: inout [Key: Double]
  ) rethrows -> Double {
    if let value = known[key] { return value }
    var value = 0.0
    if let move = try policy(board(key)), let next = moved(key, move) {
      value =
        try Double(next.reward)
        + expectation(after: next.key) { try self.value(of: $0, under: policy, known: &known) }
    }
    known[key] = value
    return value
  }

  private func start(fourProbability: Double, _ value: (Key) throws -> Double) rethrows -> Double {
    func start(_ key: Key, tiles: Int) throws -> Double {
      if tiles == 0 { return try value(key) }
      return try expectation(after: key, fourProbability: fourProbability) { try start($0, tiles: tiles - 1) }
    }
    return try start(0, tiles: rules.startTiles)
  }

  private func expectation(
    after key: Key, fourProbability: Double? = nil, _ value: (Key) throws -> Double
  ) rethrows -> Double {
    let four = fourProbability ?? rules.fourProbability
    var (sum, count) = (0.0, 0)
    for place in 0..<cellCount where exponent(key, place) == 0 {
      if four < 1 { sum += try (1 - four) * value(key | 1 << Key(place * 5)) }
      if four > 0 { sum += try four * value(key | 2 << Key(place * 5)) }
      count += 1
    }
    return count == 0 ? 0 : sum / Double(count)
  }

  private func moved(_ key: Key, _ move: Move) -> (key: Key, reward: Int)? {
    var (result, reward) = (Key(0), 0)
    for places in lines[move.rawValue] {
      var line: Key = 0
      for (index, place) in places.enumerated() { line |= exponent(key, place) << Key(index * 5) }
      let after = slidLine(line, length: places.count)
      for (index, place) in places.enumerated() { result |= exponent(after.line, index) << Key(place * 5) }
      reward += after.reward
    }
    return result == key ? nil : (result, reward)
  }

  private func slidLine(_ line: Key, length: Int) -> (line: Key, reward: Int) {
    // A line of the other length may have the same digits, but then its other cells are empty, and it slides alike.
    if let known = slid[line] { return known }
    let tiles = (0..<length).map { exponent(line, $0) == 0 ? 0 : 1 << Int(exponent(line, $0)) }
    let after = ReferenceBoard([tiles]).moved(.left)
    let result = (after.map { self.key($0.board) } ?? line, after?.reward ?? 0)
    slid[line] = result
    return result
  }

  private func canonical(_ key: Key) -> Key {
    var least = key
    for image in images {
      var turned: Key = 0
      for (place, source) in image.enumerated() { turned |= exponent(key, source) << Key(place * 5) }
      least = min(least, turned)
    }
    return least
  }

  private func exponent(_ key: Key, _ place: Int) -> Key { key >> Key(place * 5) & 31 }

  private func key(_ board: ReferenceBoard) -> Key {
    board.tiles.joined().reversed().reduce(0) { $0 << 5 | ($1 == 0 ? 0 : Key($1.trailingZeroBitCount)) }
  }

  private func board(_ key: Key) -> Board {
    let columns = rules.shape.columns
    let tiles = (0..<rules.shape.rows).map { row in
      (0..<columns).map { column in
        let exponent = exponent(key, row * columns + column)
        return exponent == 0 ? 0 : 1 << Int(exponent)
      }
    }
    return ReferenceBoard(tiles).engineBoard
  }
}
