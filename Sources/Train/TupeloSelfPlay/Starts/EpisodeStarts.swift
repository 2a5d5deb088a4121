public import TupeloEngine
internal import TupeloNetwork

/// Gives the first boards of consecutive episodes, and keeps the boards that it needs for this.
public struct EpisodeStarts: EpisodeStarting {
  private let start: EpisodeStart
  private let stages: StagePartition
  private let rules: Rules
  /// The pools by stage; for `.pool`, without and with the tile.
  private var pools: [BoardPool]
  /// The boards of the running episode, for `.restart`.
  private var path: [Board] = []
  private var episodes: UInt64 = 0
  /// The stage of the last board seen; for `.pool`, whether it had the tile.
  private var lastStage = 0

  /// - Parameter stages: the stages that the carousel rotates through.
  init(_ start: EpisodeStart, stages: StagePartition, rules: Rules) {
    self.start = start
    self.rules = rules
    switch start.kind {
    case .fresh, .restart:
      self.stages = .single
      pools = []
    case .carousel:
      self.stages = stages
      pools = Array(repeating: BoardPool(capacity: start.poolSize), count: stages.count)
    case .pool:
      self.stages = .reaching(tile: start.tile)
      pools = Array(repeating: BoardPool(capacity: start.poolSize), count: 2)
    }
  }

  public var remembers: Bool { start != .fresh }

  /// The first board of the next episode.
  public mutating func next(using random: inout RandomStream) -> EpisodeStartPosition<Board> {
    defer { episodes += 1 }
    let drawn: Board? =
      switch start.kind {
      case .fresh: nil
      case .restart: path.count < max(start.restartMoves, 2) ? nil : path[path.count / 2]
      case .carousel:
        pools[Int(episodes / UInt64(start.batch) % UInt64(pools.count))].draw(using: &random)
      case .pool:
        random.next(below: 1 << 24) < Int(start.share * 0x1p24) ? pools[1].draw(using: &random) : nil
      }
    path.removeAll(keepingCapacity: true)
    let board = drawn ?? rules.startBoard(using: &random)
    lastStage = stage(of: board)
    return EpisodeStartPosition(position: board, isFresh: drawn == nil)
  }

  /// The carousel rotates through the stages that a network has weights for. A pool is of the boards themselves.
  private func stage(of board: Board) -> Int {
    start.kind == .carousel
      ? stages.stage(ofLowered: Afterstate(bits: board.bits, overflow: board.overflow)) : stages.stage(of: board.bits)
  }

  /// Records a board of the running episode, before its move. This is not needed if all episodes start from new boards.
  public mutating func visit(_ board: Board) {
    if start.kind == .restart {
      path.append(board)
      return
    }
    let stage = stage(of: board)
    guard stage != lastStage else { return }
    if stage > lastStage { pools[stage].append(board) }
    lastStage = stage
  }
}

extension EpisodeStarts {
  /// All boards that it keeps between episodes, as words for a checkpoint.
  public var words: [UInt64] {
    [episodes] + path.words + pools.flatMap { $0.words }
  }

  /// Restores its memory from the front of `words` and removes it there.
  ///
  /// - Returns: false if the words do not come from such starts.
  public mutating func restore(from words: inout ArraySlice<UInt64>) -> Bool {
    // No run has this many episodes, and a much larger count would overflow.
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
