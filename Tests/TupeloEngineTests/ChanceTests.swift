import TestSupport
import Testing
import TupeloEngine

@Suite struct ChanceTests {
  @Test(arguments: [0, 0.1, 0.5, 1]) func outcomesEqualReference(_ four: Double) throws {
    let rules = try Rules(fourProbability: four)
    var positions = RandomPositions(seed: 3)
    for _ in 0..<100 {
      let afterstate = try Afterstate(matrix: positions.matrix(largest: 17))
      let expected = ReferenceBoard(afterstate, shape: .standard).spawns(fourProbability: four)
      let outcomes = Array(ChanceModel(rules).outcomes(of: afterstate))
      #expect(outcomes.map { afterstate.board(after: $0).numbers() } == expected.map(\.board.tiles))
      for (outcome, reference) in zip(outcomes, expected) {
        #expect(abs(outcome.probability - reference.probability) < 1e-12)
      }
      let total = outcomes.reduce(0) { $0 + $1.probability }
      #expect(outcomes.isEmpty || abs(total - 1) < 1e-12)
    }
  }

  /// Frequencies of 200,000 draws with a fixed seed. With 30 or fewer degrees of freedom, chi-square is below 60 with
  /// probability 0.999.
  @Test(arguments: [0, 0.1, 0.5], ["0000000000000000", "1200000300400050", "fghf00ghffgh12ab"])
  func sampledAsEnumerated(_ four: Double, _ hex: String) throws {
    let board = try Board(hex: hex)
    let afterstate = Afterstate(bits: board.bits, overflow: board.overflow)
    let chance = ChanceModel(try Rules(fourProbability: four))
    var (random, twin) = (RandomStream(seed: 12), RandomStream(seed: 12))
    var counts: [ChanceOutcome: Int] = [:]
    let draws = 200_000
    for _ in 0..<draws {
      let outcome = chance.sample(of: afterstate, using: &random)
      counts[outcome, default: 0] += 1
      // The shorter form draws the same.
      #expect(chance.board(after: afterstate, using: &twin) == afterstate.board(after: outcome))
    }
    let outcomes = Array(chance.outcomes(of: afterstate))
    #expect(Set(counts.keys.map { [$0.cell, $0.exponent] }) == Set(outcomes.map { [$0.cell, $0.exponent] }))
    let chiSquare = outcomes.reduce(0.0) { sum, outcome in
      let expected = Double(draws) * outcome.probability
      let found = counts.filter { $0.key.cell == outcome.cell && $0.key.exponent == outcome.exponent }.map(\.value)
      let difference = Double(found.reduce(0, +)) - expected
      return sum + difference * difference / expected
    }
    #expect(chiSquare < 60)
  }

  /// Every way to choose the k-th of any set of cells, against counting.
  @Test func startBoardsFollowTheRules() throws {
    for (tiles, four) in [(1, 0.0), (2, 0.1), (3, 0.5), (15, 1.0)] {
      let rules = try Rules(fourProbability: four, startTiles: tiles)
      var random = RandomStream(seed: 8)
      for _ in 0..<200 {
        let board = rules.startBoard(using: &random)
        let found = board.numbers().flatMap { $0 }.filter { $0 > 0 }
        #expect(found.count == tiles)
        #expect(found.allSatisfy { four == 0 ? $0 == 2 : four == 1 ? $0 == 4 : $0 == 2 || $0 == 4 })
      }
    }
  }

  @Test func refusesImpossibleRules() throws {
    func text(_ body: () throws -> Rules) -> String? {
      do {
        _ = try body()
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      text { try Rules(shape: BoardShape(rows: 5, columns: 4)) }
        == "a board of 5x4 is not supported: rows and columns go from 2 to 4")
    #expect(
      text { try Rules(fourProbability: 1.5) }
        == "the probability of a 4 is 1.5: it must lie in 0...1 (0.1 is standard)")
    #expect(text { try Rules(fourProbability: .nan) }?.hasPrefix("the probability of a 4 is nan") == true)
    #expect(text { try Rules(startTiles: 16) } == "16 start tiles on 16 cells: give 1 to 15")
    #expect(text { try Rules(startTiles: 0) } == "0 start tiles on 16 cells: give 1 to 15")
  }

  /// First outputs of the authors' C code for the state 1, 2, 3, 4.
  @Test func randomStreamIsXoshiro256PlusPlus() throws {
    var random = try #require(RandomStream(state: [1, 2, 3, 4]))
    #expect(
      (0..<5).map { _ in random.next() } == [
        41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205,
      ])
    #expect(RandomStream(state: [0, 0, 0, 0]) == nil && RandomStream(state: [1, 2, 3]) == nil)
    #expect(RandomStream(seed: 1, stream: 2) == RandomStream(seed: 1, stream: 2))
    let streams = (0..<100 as Range<UInt64>).flatMap { seed in
      (0..<100 as Range<UInt64>).map { RandomStream(seed: seed, stream: $0) }
    }
    #expect(Set(streams).count == 10_000)
  }
}
