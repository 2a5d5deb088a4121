import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloSearch

/// The search compared with expectimax in its plainest form.
@Suite struct ExpectimaxTests {
  static func boards(_ count: Int, rules: Rules = .standard, seed: UInt64, largest: Int = 9) throws -> [Board] {
    var positions = RandomPositions(seed: seed, shape: rules.shape)
    return try (0..<count).map { _ in
      try Board(exponents: positions.matrix(largest: largest).flatMap { $0 }, shape: rules.shape)
    }
  }

  /// A small network with random weights.
  static func network() throws -> NTupleNetwork {
    let network = try NTupleNetwork(
      NetworkSpecification(patterns: ["0123", "4567", "0145"].map { try TuplePattern(text: $0) }))
    var positions = RandomPositions(seed: 4)
    for pattern in 0..<3 {
      for index in 0..<(1 << 16) {
        network[pattern: pattern, standardIndex: index] = Float(positions.number(in: 0...100))
      }
    }
    return network
  }

  /// Searches with and without a table, on one thread and on three: all values equal the plain ones, and each other bit
  /// for bit.
  static func check(_ evaluator: some Evaluator, rules: Rules = .standard, seed: UInt64) throws {
    let naive = NaiveExpectimax(evaluator, rules: rules)
    for plies in 1...3 {
      let limits = SearchLimits.plies(plies)
      var searches = [
        Expectimax(evaluator, plies: plies, rules: rules),
        try Expectimax(evaluator, limits: limits, rules: rules, tableBytes: 0),
        try Expectimax(evaluator, limits: limits, rules: rules, tableBytes: 1 << 10),
        try Expectimax(evaluator, limits: limits, rules: rules, tableBytes: 1 << 20, threads: 3),
        try Expectimax(evaluator, limits: limits, rules: rules, tableBytes: 0, threads: 2),
      ]
      for board in try boards(plies == 3 ? 5 : 25, rules: rules, seed: seed) {
        let first = searches[0].analyze(board)
        for move in Move.allCases {
          guard let expected = naive.value(of: move, on: board, plies: plies) else {
            #expect(first[move] == nil)
            continue
          }
          let (value, tolerance): (Double, Double) = (first[move]?.value ?? .nan, 0.01 + abs(expected) * 1e-5)
          #expect(abs(value - expected) < tolerance)
          #expect(first[move]?.reward == board.afterstate(of: move, in: rules.shape)?.reward)
        }
        #expect((first.best?.value ?? 0) == (first.candidates.map(\.value).max() ?? 0))
        for index in searches.indices {
          // The second search finds the answers in the table.
          for _ in 0..<2 {
            #expect(searches[index].analyze(board).candidates == first.candidates)
            #expect(searches[index].move(on: board) == first.best?.move)
          }
        }
      }
    }
  }

  @Test func equalsPlainExpectimaxWithStub() throws {
    try Self.check(HashEvaluator(), seed: 1)
    try Self.check(HashEvaluator(), rules: Rules(shape: BoardShape(rows: 2, columns: 3), fourProbability: 0.5), seed: 2)
    for probability in [0, 1e-300] {
      try Self.check(HashEvaluator(), rules: Rules(fourProbability: probability), seed: 3)
    }
    try Self.check(HashEvaluator(), rules: Rules(shape: BoardShape(rows: 3, columns: 3), fourProbability: 1), seed: 4)
  }

  @Test func equalsPlainExpectimaxWithNetwork() throws {
    try Self.check(Self.network(), seed: 5)
  }

  /// Chance nodes are largest on boards with fifteen empty cells: two tiles and four moves for each cell.
  @Test func searchesTheEmptiestBoards() throws {
    let naive = NaiveExpectimax(HashEvaluator(), rules: .standard)
    for cell in [0, 5, 7, 15] {
      let board = Board(bits: 1 << UInt64(cell * 4))
      for plies in 2...3 {
        var search = Expectimax(HashEvaluator(), plies: plies)
        let candidates = search.analyze(board).candidates
        #expect(candidates.count == board.legalMoves().count)
        for candidate in candidates {
          let expected = try #require(naive.value(of: candidate.move, on: board, plies: plies))
          #expect(abs(candidate.value - expected) < 0.01 + expected * 1e-5)
        }
      }
    }
  }

  /// Boards with tiles beyond 32768, which the table does not store.
  @Test func giantTilesAreSearchedWithoutTheTable() throws {
    let naive = NaiveExpectimax(HashEvaluator(), rules: .standard)
    var search = Expectimax(HashEvaluator(), plies: 3)
    let board = try Board(exponents: [16, 15, 15, 3, 2, 1, 4, 3, 2, 3, 1, 2, 5, 7, 0, 1])
    let analysis = search.analyze(board)
    for move in Move.allCases {
      let expected = naive.value(of: move, on: board, plies: 3)
      #expect((analysis[move] == nil) == (expected == nil))
      if let expected { #expect(abs((analysis[move]?.value ?? .nan) - expected) < 0.01 + expected * 1e-5) }
    }
  }

  /// Whole games, in which the table contains entries from earlier moves.
  @Test(arguments: [SearchLimits.plies(3), SearchLimits(plies: 4, minimumProbability: 0.01)])
  func theTableChangesNoMoveOfAGame(_ limits: SearchLimits) throws {
    let rules = try Rules(shape: BoardShape(rows: 3, columns: 3))
    let evaluator = HeuristicEvaluator(shape: rules.shape)
    var plain = try Expectimax(evaluator, limits: limits, rules: rules, tableBytes: 0)
    var small = try Expectimax(evaluator, limits: limits, rules: rules, tableBytes: 1 << 12)
    var large = Expectimax(evaluator, limits: limits, rules: rules)
    var game = Game(rules: rules, seed: 3)
    var (nodes, fewerNodes) = (0, 0)
    while true {
      let analysis = plain.analyze(game.board)
      let remembered = large.analyze(game.board)
      #expect(remembered.candidates == analysis.candidates)
      #expect(small.analyze(game.board).candidates == analysis.candidates)
      nodes += analysis.nodes
      fewerNodes += remembered.nodes
      guard let best = analysis.best else { break }
      game.play(best.move)
    }
    #expect(game.plies > 50 && fewerNodes < nodes, "\(game.plies) moves, \(fewerNodes) of \(nodes) nodes")
  }

  /// At four plies on the small board the probabilities of two tiles are multiplied.
  @Test(
    arguments: [
      (4, 4, 3, 0.021, 0.1), (4, 4, 3, 0.13, 0.1), (4, 4, 3, 0.31, 0.1), (2, 3, 4, 0.0131, 0.1), (2, 3, 4, 0.111, 0.1),
      (3, 3, 3, 0.071, 0.8), (2, 2, 4, 0.25, 0.5), (2, 2, 3, 0.125, 0.5),
    ] as [(Int, Int, Int, Double, Double)])
  func cutOffBranchesAreValuedGreedily(
    _ rows: Int, _ columns: Int, _ plies: Int, _ probability: Double, _ fourProbability: Double
  ) throws {
    let rules = try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: fourProbability)
    let naive = NaiveExpectimax(HashEvaluator(), rules: rules, minimumProbability: probability)
    let limits = SearchLimits(plies: plies, minimumProbability: probability)
    var full = try Expectimax(HashEvaluator(), limits: .plies(plies), rules: rules, tableBytes: 0)
    var (nodes, allNodes) = (0, 0)
    for tableBytes in [0, 1 << 20] {
      var search = try Expectimax(HashEvaluator(), limits: limits, rules: rules, tableBytes: tableBytes)
      for board in try Self.boards(4, rules: rules, seed: 6) {
        let analysis = search.analyze(board)
        for candidate in analysis.candidates {
          let expected = try #require(naive.value(of: candidate.move, on: board, plies: plies))
          let tolerance: Double = 0.01 + abs(expected) * 1e-5
          #expect(abs(candidate.value - expected) < tolerance)
        }
        nodes += analysis.nodes
        allNodes += full.analyze(board).nodes
      }
    }
    #expect(nodes < allNodes)
  }

  /// Each search of an agent, or of its copy, has another cut-off than the search before it. All of them use one table,
  /// and quotients of path probability and cut-off are often equal.
  @Test(arguments: [1, 2]) func eachSearchHasValuesOfItsOwnCutOff(_ threads: Int) throws {
    for (rows, columns, plies, four) in [(3, 3, 3, 0.1), (2, 3, 4, 0.5)] {
      let rules = try Rules(shape: BoardShape(rows: rows, columns: columns), fourProbability: four)
      let limits = [0.2, 0.0625, 0, 0.125, 0.2, 0.25].map { SearchLimits(plies: plies, minimumProbability: $0) }
      var searches = [
        try Expectimax(HashEvaluator(), limits: limits[0], rules: rules, tableBytes: 1 << 20, threads: threads)
      ]
      searches.append(searches[0])
      for board in try Self.boards(4, rules: rules, seed: 9) {
        _ = try searches[1].analyze(board, limits: .nodes(300))
        for (number, limits) in limits.enumerated() {
          let naive = NaiveExpectimax(HashEvaluator(), rules: rules, minimumProbability: limits.minimumProbability)
          let analysis = try searches[number % 2].analyze(board, limits: limits)
          for candidate in analysis.candidates {
            let expected = try #require(naive.value(of: candidate.move, on: board, plies: plies))
            #expect(abs(candidate.value - expected) < 0.01 + abs(expected) * 1e-5, "\(limits), \(board)")
          }
        }
      }
    }
  }

  /// An app searches one board quickly and then precisely. The value is from a search without a table.
  @Test func aPreciseSearchAfterAQuickOneIsPrecise() async throws {
    let board = try Board(hex: "a986543200001000")
    let searcher = Searcher(HeuristicEvaluator(shape: .standard))
    _ = try await searcher.analyze(board, limits: SearchLimits(plies: 4, minimumProbability: 0.2))
    let precise = SearchLimits(plies: 4, minimumProbability: 0.001)
    var plain = try Expectimax(HeuristicEvaluator(shape: .standard), limits: precise, tableBytes: 0)
    #expect(try await searcher.analyze(board, limits: precise).candidates == plain.analyze(board).candidates)
  }

  @Test func anAgentMayForget() throws {
    let network = try Self.network()
    let board = try Self.boards(1, seed: 8)[0]
    for threads in [1, 2] {
      var search = Expectimax(network, limits: .plies(3), threads: threads)
      let before = search.analyze(board)
      for index in 0..<(1 << 16) { network[pattern: 1, standardIndex: index] += Float(index % 97) }
      search.forget()
      var fresh = Expectimax(network, plies: 3)
      #expect(search.analyze(board).candidates == fresh.analyze(board).candidates)
      #expect(search.analyze(board).candidates != before.candidates)
    }
  }

  @Test func finishedGamesHaveNoMove() throws {
    let board = try Board(hex: "1212212112122121")
    for limits in [SearchLimits.plies(2), .plies(3), .time(.milliseconds(1)), .nodes(10)] {
      var search = Expectimax(HashEvaluator(), limits: limits)
      #expect(search.move(on: board) == nil)
      #expect(search.analyze(board).candidates.isEmpty)
    }
    var random = RandomAgent()
    #expect(random.move(on: board) == nil)
  }
}
