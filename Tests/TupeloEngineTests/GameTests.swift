import CAllocationCounter
import TestSupport
import Testing
import TupeloEngine

@Suite struct GameTests {
  /// A random game with its record and traces.
  private static func play(rules: Rules, number: UInt64) -> (game: Game, record: GameRecord, boards: [Board]) {
    var game = Game(rules: rules, seed: 3, number: number)
    var record = GameRecord(
      GameRecord.Header(rules: rules, start: game.board, agent: "random", seed: 3, gameNumber: number))
    var boards = [game.board]
    var lots = RandomStream(seed: 99, stream: number)
    while !game.isOver {
      let moves = game.legalMoves.moves
      guard let turn = game.play(moves[lots.next(below: moves.count)]) else { break }
      record.append(turn)
      boards.append(game.board)
    }
    return (game, record, boards)
  }

  private static func allRules() throws -> [Rules] {
    try MoveTests.shapes.map { try Rules(shape: BoardShape(rows: $0.0, columns: $0.1), fourProbability: 0.3) }
      + [.standard]
  }

  @Test func sameSeedSameGame() throws {
    let (first, second) = (Self.play(rules: .standard, number: 1), Self.play(rules: .standard, number: 1))
    #expect(first.boards == second.boards && first.game.score == second.game.score)
    #expect(Self.play(rules: .standard, number: 2).boards != first.boards)
  }

  @Test func illegalMovesChangeNothing() throws {
    var game = Game(board: try Board(hex: "1000000000000000"), random: RandomStream(seed: 1))
    let before = game
    #expect(game.play(.left) == nil && game.play(.up) == nil)
    #expect(game.board == before.board && game.random == before.random && game.plies == 0)
  }

  @Test func recordsReplayBitForBit() throws {
    for rules in try Self.allRules() {
      for number in 0..<3 as Range<UInt64> {
        let (game, record, boards) = Self.play(rules: rules, number: number)
        let read = try GameRecord(text: record.text)
        #expect(read == record)
        let positions = try read.replay()
        #expect(positions.map(\.board) == boards && positions.last?.score == game.score)
      }
    }
  }

  @Test func damagedRecordsSayWhere() throws {
    let header =
      #"{"tupelo_record":1,"rows":4,"columns":4,"four_probability":0.1,"start_tiles":2,"agent":"x","start":"1000000000000000"}"#
    func error(_ text: String) -> GameRecordError? {
      do {
        _ = try GameRecord(text: text).replay()
        return nil
      } catch {
        return error
      }
    }
    #expect(error(header + "\nr02\n") == nil)
    #expect(error(header + "\nl12\n") == .illegalMove(.left, step: 1))
    #expect(error(header + "\nr02 u42\n") == .illegalMove(.up, step: 2))
    #expect(error(header + "\nr32\n") == .cellTaken(3, step: 1))
    #expect(error(header + "\nr08\n") == .badStep("r08", step: 1))
    #expect(error(header + "\nx02\n") == .badStep("x02", step: 1))
    #expect(
      error(header.replacing("\"tupelo_record\":1", with: "\"tupelo_record\":2")) == .newerFormat(2, supported: 1))
    #expect(error("")?.description.hasPrefix("the first line is not a record header") == true)
    #expect(error("{}\n")?.description.contains("tupelo_record") == true)
    #expect(error(header.replacing("\"rows\":4", with: "\"rows\":9"))?.description.contains("9x4") == true)
  }

  @Test func mutatedRecordsNeverCrash() throws {
    let text = Array(Self.play(rules: .standard, number: 4).record.text.utf8.prefix(600))
    var random = RandomStream(seed: 31)
    var refused = 0
    for _ in 0..<10_000 {
      var bytes = text
      for _ in 0...random.next(below: 3) {
        bytes[random.next(below: bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      do {
        _ = try GameRecord(text: String(decoding: bytes, as: UTF8.self)).replay()
      } catch {
        refused += 1
      }
    }
    #expect(refused > 5000)
  }

  /// Follows every tile by hand.
  @Test func tracesTellTheWholeMove() throws {
    for rules in try Self.allRules() {
      let (_, record, boards) = Self.play(rules: rules, number: 7)
      var identified = IdentifiedBoard(record.header.start, shape: rules.shape)
      var seen = Set(identified.tiles.map(\.id))
      for (index, step) in record.steps.enumerated() {
        let before = Dictionary(uniqueKeysWithValues: identified.tiles.map { ($0.id, $0) })
        let outcome = ChanceOutcome(cell: step.cell, exponent: step.exponent, probability: 1)
        let played = identified.play(step.move, appeared: outcome)
        let trace = try #require(played)
        #expect(identified.board == boards[index + 1])
        var cells: [Int: Int] = [trace.appeared.cell: trace.appeared.exponent]
        for slide in trace.slides {
          let old = try #require(before[slide.id])
          #expect(old.cell == slide.from && cells[slide.to] == nil)
          #expect(slide.exponent == old.exponent + (slide.absorbed == nil ? 0 : 1))
          cells[slide.to] = slide.exponent
          if let absorbed = slide.absorbed {
            let gone = try #require(before[absorbed])
            #expect(gone.exponent == old.exponent)
            #expect(trace.absorbed.contains { $0.id == absorbed && $0.from == gone.cell && $0.into == slide.id })
            // The one that lives on came from farther away.
            #expect(Self.distance(slide.from, slide.to) > Self.distance(gone.cell, slide.to))
          }
        }
        #expect(trace.slides.count + trace.absorbed.count == before.count)
        for cell in rules.shape.cells {
          #expect(cells[cell, default: 0] == identified.board.exponent(at: cell))
        }
        #expect(seen.insert(trace.appeared.id).inserted)
        #expect(Set(identified.tiles.map(\.id)).count == identified.tiles.count)
      }
    }
  }

  private static func distance(_ a: Int, _ b: Int) -> Int { abs(a / 4 - b / 4) + abs(a % 4 - b % 4) }

  @Test func refusesImpossibleTraces() throws {
    var board = IdentifiedBoard(try Board(hex: "1000000000000000"))
    let before = board
    #expect(board.play(.left, appeared: ChanceOutcome(cell: 5, exponent: 1, probability: 1)) == nil)
    #expect(board.play(.right, appeared: ChanceOutcome(cell: 3, exponent: 1, probability: 1)) == nil)
    #expect(board == before)
  }

  /// Random playouts end where no move is legal, and score what the reference scores on average.
  @Test func playoutsEndAndScoreLikeGames() throws {
    for rules in try Self.allRules() {
      let playout = RandomPlayout(rules: rules)
      var random = RandomStream(seed: 2)
      for _ in 0..<50 {
        let start = rules.startBoard(using: &random)
        #expect(playout.play(start, using: &random).board.isTerminal(in: rules.shape))
        let short = playout.play(start, limit: 1, using: &random)
        #expect(short.moves == 1 && short.board.tileSum - start.tileSum <= 4)
      }
    }
    let playout = RandomPlayout()
    var random = RandomStream(seed: 3)
    let results = (0..<4000).map { _ in playout.play(Rules.standard.startBoard(using: &random), using: &random) }
    let (score, moves) = (results.reduce(0) { $0 + $1.score } / 4000, results.reduce(0) { $0 + $1.moves } / 4000)
    // Random play has been measured by many: about 1,100 points and 118 moves.
    #expect((1060...1140).contains(score) && (115...121).contains(moves))
  }

  /// In release builds; without optimisation Swift allocates where it otherwise would not.
  @Test(.enabled(if: tupelo_counts_allocations() == 1, "allocations are counted on Linux with glibc only"))
  func movesAllocateNothing() {
    var before = tupelo_allocation_count()
    let array = Array(0..<Int(before % 7 + 100))
    #expect(tupelo_allocation_count() > before, "the counter does not see an array of \(array.count)")
    #if !DEBUG
      let (table, chance) = (MoveTable(), ChanceModel(.standard))
      let playout = RandomPlayout()
      var random = RandomStream(seed: 1)
      var lots = RandomStream(seed: 2)
      before = tupelo_allocation_count()
      var moves = 0
      for number in 0..<100 as Range<UInt64> {
        var game = Game(seed: 1, number: number)
        while true {
          let legal = game.legalMoves
          if legal.isEmpty { break }
          game.play(legal.move(ofRank: lots.next(below: legal.count)))
          moves += 1
        }
        var board = Rules.standard.startBoard(using: &random)
        while true {
          let successors = table.successors(of: board)
          if successors.legal.isEmpty { break }
          let move = successors.legal.move(ofRank: random.next(below: successors.legal.count))
          board = chance.board(after: successors.afterstate(of: move), using: &random)
          moves += 1
        }
        moves += playout.play(Rules.standard.startBoard(using: &random), using: &random).moves
      }
      let allocations = tupelo_allocation_count() - before
      #expect(moves > 20_000)
      #expect(allocations == 0)
    #endif
  }
}

/// The lines of this module's README.
@Suite struct ReadmeTests {
  @Test func example() throws {
    var game = Game(seed: 1)
    while let move = game.legalMoves.moves.first {
      game.play(move)
    }
    print(game.score, game.plies)
    print(game.board.drawing())
    let board = try Board(hex: "1200000000000000")
    if let outcome = board.afterstate(of: .right) {
      print(outcome.reward, outcome.afterstate.hex())
    }
    #expect(game.isOver && game.score > 0)
    #expect(board.afterstate(of: .right)?.afterstate.hex() == "0012000000000000")
  }
}
