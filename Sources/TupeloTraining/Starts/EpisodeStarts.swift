package import TupeloEngine
internal import TupeloNetwork

/// Where the episodes start that are played one after the other, and what is remembered for it.
package struct EpisodeStarts: EpisodeStarting {
  private let start: EpisodeStart
  private let stages: StagePartition
  private let rules: Rules
  /// By stage; of the first tile for `.pool`.
  private var pools: [BoardPool]
  /// The boards of the running episode, for `.restart`.
  private var path: [Board] = []
  private var episodes: UInt64 = 0
  /// The stage of the last board seen, or whether it had the tile.
  private var lastStage = 0

  /// - Parameter stages: those that the carousel goes round.
  init(_ start: EpisodeStart, stages: StagePartition, rules: Rules) {
    self.start = start
    self.rules = rules
    switch start {
    case .fresh, .restart:
      self.stages = .single
      pools = []
    case .carousel(_, let pool):
      self.stages = stages
      pools = Array(repeating: BoardPool(capacity: pool), count: stages.count)
    case .pool(let tile, _, let pool):
      self.stages = .reaching(tile: tile)
      pools = Array(repeating: BoardPool(capacity: pool), count: 2)
    }
  }

  package var remembers: Bool { start != .fresh }

  /// The next episode's first board.
  package mutating func next(using random: inout RandomStream) -> EpisodeStartPosition<Board> {
    defer { episodes += 1 }
    let drawn: Board? =
      switch start {
      case .fresh: nil
      case .restart(let moves): path.count < max(moves, 2) ? nil : path[path.count / 2]
      case .carousel(let batch, _):
        pools[Int(episodes / UInt64(batch) % UInt64(pools.count))].draw(using: &random)
      case .pool(_, let share, _):
        random.next(below: 1 << 24) < Int(share * 0x1p24) ? pools[1].draw(using: &random) : nil
      }
    path.removeAll(keepingCapacity: true)
    let board = drawn ?? rules.startBoard(using: &random)
    lastStage = stages.stage(of: board.bits)
    return EpisodeStartPosition(position: board, isFresh: drawn == nil)
  }

  /// Sees a board of the running episode, before its move; where all episodes start from fresh boards that is not
  /// needed.
  package mutating func visit(_ board: Board) {
    if case .restart = start {
      path.append(board)
      return
    }
    let stage = stages.stage(of: board.bits)
    guard stage != lastStage else { return }
    if stage > lastStage { pools[stage].append(board) }
    lastStage = stage
  }
}

extension EpisodeStarts {
  /// All that it remembers between episodes.
  package var words: [UInt64] {
    [episodes] + path.words + pools.flatMap(\.words)
  }

  /// Takes `words` back from the front of `words`.
  ///
  /// - Returns: false when they are not of such starts.
  package mutating func restore(from words: inout ArraySlice<UInt64>) -> Bool {
    // No run has as many; much more, and the count would overflow.
    guard let episodes = words.popFirst(), episodes <= 1 << 53,
      let path = [Board](taking: &words, shape: rules.shape)
    else { return false }
    self.episodes = episodes
    self.path = path
    for index in pools.indices {
      guard pools[index].restore(from: &words, shape: rules.shape) else { return false }
    }
    return true
  }
}

extension StagePartition {
  /// Two stages: without and with a tile of that size or larger.
  ///
  /// - Precondition: a tile that can begin a stage.
  fileprivate static func reaching(tile: Int) -> Self {
    do {
      return try StagePartition(.largest, at: [tile])
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
