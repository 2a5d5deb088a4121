internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloTraining

@Suite struct SearchTests {
  private func makeSearcher(_ model: Int64, threads: Int32 = 1) throws -> Int64 {
    var settings = tupelo_search_settings()
    settings.size = UInt64(MemoryLayout<tupelo_search_settings>.size)
    (settings.four_probability, settings.threads, settings.table_mebibytes) = (0.1, threads, -1)
    var searcher: Int64 = 0
    try #require(tupelo_searcher_create(model, &settings, &searcher) == 0, "\(lastError)")
    return searcher
  }

  private func limits(plies: Int32 = 0, milliseconds: Double = 0, nodes: Int64 = 0) -> tupelo_search_limits {
    tupelo_search_limits(
      size: UInt64(MemoryLayout<tupelo_search_limits>.size), plies: plies, extend_empty_cells: -1,
      milliseconds: milliseconds, nodes: nodes, cutoff: 0)
  }

  private func result() -> tupelo_search_result {
    var result = tupelo_search_result()
    result.size = UInt64(MemoryLayout<tupelo_search_result>.size)
    return result
  }

  @Test func aSearchIsThatOfExpectimax() throws {
    let searcher = try makeSearcher(0)
    defer { _ = tupelo_release(searcher) }
    var positions = RandomPositions(seed: 5)
    for plies in [1, 2, 3] as [Int32] {
      var search = Expectimax(HeuristicEvaluator(shape: .standard), plies: Int(plies))
      for _ in 0..<5 {
        let board = try Board(exponents: positions.matrix(largest: 11).flatMap { $0 })
        let analysis = search.analyze(board)
        var (limits, result) = (self.limits(plies: plies), self.result())
        #expect(tupelo_searcher_search(searcher, board.bits, board.overflow, &limits, 0, &result) == 0)
        #expect(Int(result.move) == analysis.best?.move.rawValue ?? -1)
        let values = [result.values.0, result.values.1, result.values.2, result.values.3]
        for move in Move.allCases {
          let value = values[move.rawValue]
          #expect(analysis[move].map { $0.value == value } ?? value.isNaN)
        }
        #expect(result.plies == plies)
      }
    }
  }

  @Test func searchesByNodesAreRepeatable() throws {
    let searcher = try makeSearcher(0)
    defer { _ = tupelo_release(searcher) }
    let board = try Board(hex: "0123012301230000")
    let nodes = (0..<3).map { _ in
      var (limits, result) = (self.limits(nodes: 20_000), self.result())
      #expect(tupelo_searcher_search(searcher, board.bits, 0, &limits, 0, &result) == 0)
      return [Double(result.nodes), Double(result.plies), Double(result.move), result.values.3]
    }
    #expect(nodes[0] == nodes[1] && nodes[0] == nodes[2])
  }

  @Test func aControlEndsASearchFromAnotherThread() throws {
    let searcher = try makeSearcher(0)
    defer { _ = tupelo_release(searcher) }
    var control: Int64 = 0
    #expect(tupelo_control_create(&control) == 0)
    let used = control
    let board = try Board(hex: "0123012301230000")
    let (limits, result) = (self.limits(plies: 8), self.result())
    let search = Background {
      var (limits, result) = (limits, result)
      // The short searches below may run first.
      while true {
        let status = Int(tupelo_searcher_search(searcher, board.bits, 0, &limits, used, &result))
        if status != TUPELO_BUSY { return status }
      }
    }
    // A call from another thread is refused as soon as the search has begun, and does not disturb it.
    while true {
      var (limits, result) = (self.limits(plies: 1), self.result())
      let second = Int(tupelo_searcher_search(searcher, board.bits, 0, &limits, 0, &result))
      if second == TUPELO_BUSY { break }
      try #require(second == TUPELO_OK)
    }
    #expect(lastError.hasPrefix("handle \(searcher) is in use by another thread"))
    #expect(tupelo_release(searcher) == TUPELO_BUSY)
    #expect(tupelo_control_cancel(control) == 0)
    #expect(search.wait() == TUPELO_CANCELLED)
    #expect(tupelo_release(control) == 0)
  }

  @Test func badSearchesAreRefused() throws {
    let searcher = try makeSearcher(0)
    defer { _ = tupelo_release(searcher) }
    func text(_ limits: tupelo_search_limits, board: UInt64 = 0x11, overflow: UInt32 = 0) -> String {
      var (limits, result) = (limits, self.result())
      #expect(tupelo_searcher_search(searcher, board, overflow, &limits, 0, &result) == TUPELO_INVALID_ARGUMENT)
      return lastError
    }
    #expect(text(limits()) == "limits has no limit: give plies, milliseconds or nodes")
    #expect(text(limits(plies: 16)).hasPrefix("plies is 16: give 1 to 8, or up to 15 with a limit on "))
    #expect(text(limits(milliseconds: -1)).hasPrefix("limits.milliseconds is -1.0"))
    #expect(text(limits(milliseconds: .nan)).hasPrefix("limits.milliseconds is nan"))
    #expect(text(limits(nodes: -1)).hasPrefix("limits.nodes is -1"))
    #expect(text(limits(plies: 1), overflow: 1).hasPrefix("board is not a board"))
    var settings = tupelo_search_settings()
    settings.size = UInt64(MemoryLayout<tupelo_search_settings>.size)
    (settings.four_probability, settings.threads, settings.table_mebibytes) = (0.1, 1, -1)
    var handle: Int64 = 0
    for mebibytes in [-2, 65_537] as [Int32] {
      settings.table_mebibytes = mebibytes
      #expect(tupelo_searcher_create(0, &settings, &handle) == TUPELO_INVALID_ARGUMENT)
    }
    // A board without a legal move does not have a best move.
    var (limits, result) = (self.limits(plies: 2), self.result())
    #expect(tupelo_searcher_search(searcher, 0, 0, &limits, 0, &result) == 0)
    #expect(result.move == -1 && result.values.0.isNaN)
  }
}
