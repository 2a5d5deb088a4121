import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

/// Greedy play by an evaluator that prepares boards in advance.
@Suite struct GreedyTests {
  /// Move values of `HashEvaluator`, from the successors that were prepared in each place.
  private final class Places: MoveValues {
    let boards = 3
    private var prepared = [Successors?](repeating: nil, count: 3)
    private(set) var preparations = 0

    func prepare(_ successors: Successors, place: Int) {
      prepared[place] = successors
      preparations += 1
    }

    func values(of successors: Successors, place: Int) -> SIMD4<Float> {
      var values = SIMD4<Float>(repeating: .infinity)
      guard let prepared = prepared[place], prepared.legal.mask == successors.legal.mask else { return values }
      for move in prepared.legal.moves {
        values[move.rawValue] = HashEvaluator().value(of: prepared.afterstate(of: move))
      }
      return values
    }
  }

  private final class ToldAhead: InterleavingEvaluator, @unchecked Sendable {
    let places = Places()

    func value(of afterstate: Afterstate) -> Float { HashEvaluator().value(of: afterstate) }

    func makeMoveValues() -> any MoveValues { places }
  }

  /// Moves do not depend on what was expected before: nothing, other boards, more boards than it keeps, the board
  /// itself, and boards that were never requested. A copy plays in alternation.
  @Test func movesDoNotDependOnWhatIsExpected() throws {
    let evaluator = ToldAhead()
    var agents = [Greedy(evaluator)]
    agents.append(agents[0])
    #expect(agents[0].gamesAtOnce == 3)
    let naive = NaiveExpectimax(HashEvaluator(), rules: .standard)
    let boards = try ExpectimaxTests.boards(40, seed: 8) + [.empty]
    var random = RandomPositions(seed: 3)
    for _ in 0..<2000 {
      let agent = random.number(below: 2)
      let board = boards[random.number(below: boards.count)]
      if random.number(below: 2) == 0 {
        agents[agent].expect(board)
        continue
      }
      let sums = Move.allCases.map { naive.value(of: $0, on: board, plies: 1) }
      let best = sums.compactMap { $0 }.max().flatMap { best in sums.firstIndex { $0 == best } }
      #expect(agents[agent].move(on: board)?.rawValue == best)
    }
    // Boards that were expected and still remembered are not prepared again.
    let before = evaluator.places.preparations
    for board in boards[0..<3] { agents[0].expect(board) }
    for board in boards[0..<3].reversed() { _ = agents[1].move(on: board) }
    #expect(evaluator.places.preparations == before + 3)
  }

  /// Other evaluators are asked for all moves of a board in a batch.
  @Test func othersAreAskedInABatch() throws {
    let recorder = Batches()
    var agent = Expectimax(recorder)
    #expect(!(agent is any InterleavingAgent) && AnyAgent(agent).gamesAtOnce == 1)
    for board in try ExpectimaxTests.boards(20, seed: 9) {
      recorder.sizes = []
      _ = agent.move(on: board)
      #expect(recorder.sizes == [board.legalMoves(in: .standard).count])
    }
  }

  private final class Batches: Evaluator, @unchecked Sendable {
    var sizes: [Int] = []

    func value(of afterstate: Afterstate) -> Float {
      sizes.append(1)
      return 0
    }

    func evaluate(_ afterstates: Span<Afterstate>, into values: inout MutableSpan<Float>) {
      sizes.append(afterstates.count)
      for index in afterstates.indices { values[index] = HashEvaluator().value(of: afterstates[index]) }
    }
  }
}
