import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloSearch
import TupeloTraining

/// Boards with certain largest tiles are recorded, and games continue from them.
@Suite struct ProbeTests {
  /// Random play makes a 64 in nearly every game, and sometimes all three tiles.
  private static let header = ProbeBoards.Header(
    rules: .standard, largest: 6, agent: "random", model: nil, seed: 11)

  private static func recorded(boards: Int = 20, threads: Int = 2) -> ProbeBoards {
    ProbeRecorder(header, boards: boards, games: 2000, threads: threads).run { RandomAgent() }
  }

  /// The set of the tiles of a board, found one by one.
  private static func tiles(_ board: Board) -> Set<Int> { Set(board.tiles().flatMap { $0 }).subtracting([0]) }

  /// The number of the group that a board belongs to, from the definition; 0 for none.
  private static func group(of board: Board, largest: Int) -> Int {
    let tiles = tiles(board)
    guard tiles.max() == largest else { return 0 }
    return (1...16).first { !tiles.contains(largest >> $0) } ?? 0
  }

  @Test func groupsAreWhatTheySay() throws {
    let groups = ProbeGroup.all(largest: 14)
    #expect(groups.map(\.tiles) == [[16384], [16384, 8192], [16384, 8192, 4096]])
    #expect(groups.map(\.nextTile) == [8192, 4096, 2048] && groups.allSatisfy { $0.goal == 32768 })
    #expect(groups.map(\.title) == ["16384", "16384 + 8192", "16384 + 8192 + 4096"])
    var positions = RandomPositions(seed: 5)
    var counts = [Int](repeating: 0, count: 18)
    for _ in 0..<3000 {
      let board = try Board(exponents: positions.matrix(largest: 9).flatMap { $0 })
      for largest in 7...9 {
        let group = Self.group(of: board, largest: 1 << largest)
        counts[group] += 1
        for kind in ProbeGroup.all(largest: largest) {
          #expect(kind.contains(board) == (kind.count == group), "\(board.hex())")
        }
      }
    }
    #expect(counts[1...4].allSatisfy { $0 > 20 }, "\(counts)")
    // The boards have tiles beyond 32768, and a row without a gap down to 2.
    func kinds(_ hex: String, _ largest: Int) throws -> [Int] {
      let board = try Board(hex: hex)
      return ProbeGroup.all(largest: largest).filter { $0.contains(board) }.map(\.count)
    }
    #expect(try kinds("hgfd000000000000", 17) == [3] && kinds("hgfe000000000000", 17) == [])
    #expect(try kinds("3210000000000000", 3) == [3] && kinds("4321000000000000", 4) == [])
    #expect(try kinds("0000000000000000", 3) == [] && kinds("0000000000000000", 14) == [])
  }

  /// Every position of every game is checked one by one.
  @Test func boardsAreTheFirstOfTheirKind() throws {
    let boards = Self.recorded()
    #expect(boards.entries.map(\.count) == [20, 20, 20])
    let evaluation = Evaluation(games: 2000, seed: 11, threads: 1)
    var expected: [[String]] = [[], [], []]
    var agent = RandomAgent()
    for game in 0..<2000 where expected.contains(where: { $0.count < 20 }) {
      let record = evaluation.record(game: game, by: &agent, name: "random", model: nil)
      var reached = 0
      for position in try record.replay() {
        guard Self.tiles(position.board).max() ?? 0 <= 64 else { break }
        let group = Self.group(of: position.board, largest: 64)
        guard group > reached else { continue }
        reached = group
        if group <= 3, expected[group - 1].count < 20 { expected[group - 1].append("\(position.board.hex()) \(game)") }
      }
    }
    #expect(boards.entries.map { $0.map { "\($0.board.hex()) \($0.game)" } } == expected)
    #expect(Self.recorded(threads: 1) == boards && Self.recorded(threads: 3) == boards)
  }

  /// Every game is played here with the rules alone: game k starts from a board of group k mod 3.
  @Test func ratesAreThoseOfTheGames() throws {
    let boards = Self.recorded(boards: 7)
    let run = Probe(boards, games: 60, seed: 3, threads: 2).run { RandomAgent() }
    let report = try #require(run)
    var counts = [[Int]](repeating: [0, 0], count: 3)
    for number in 0..<180 {
      let (index, group) = (number / 3 % 7, number % 3)
      var agent = RandomAgent()
      agent.beginGame(seed: 3, number: UInt64(number))
      var game = Game(
        board: boards.entries[group][index].board, random: RandomStream(seed: 3, stream: UInt64(number)))
      var (hasNext, hasGoal) = (false, false)
      while let move = agent.move(on: game.board), game.play(move) != nil {
        let tiles = Self.tiles(game.board)
        hasGoal = hasGoal || tiles.contains(128)
        if !hasGoal, tiles.isSuperset(of: (0...group + 1).map { 64 >> $0 }) { hasNext = true }
      }
      // Two equal tiles of the row make the goal without the next tile, which counts for both.
      counts[group][0] += hasNext || hasGoal ? 1 : 0
      counts[group][1] += hasGoal ? 1 : 0
    }
    #expect(report.rows.map { [$0.next.count, $0.goal.count] } == counts)
    #expect(report.rows.map(\.games) == [60, 60, 60] && report.games == 180)
    // Both kinds of games occur, and so do games that end before the next tile.
    #expect(counts.allSatisfy { $0[1] > 0 && $0[1] < 60 } && counts[0][0] < 60, "\(counts)")
  }

  /// Results are equal with any number of threads, and with more games, which begin with the same ones.
  @Test func resultsDependOnSeedAndNumber() throws {
    let boards = Self.recorded(boards: 9)
    func facts(_ games: Int, _ threads: Int, seed: UInt64 = 4) throws -> [ProbeReport.Row] {
      let run = Probe(boards, games: games, seed: seed, threads: threads).run { RandomAgent() }
      return try #require(run).rows
    }
    #expect(try facts(40, 1) == facts(40, 4))
    #expect(try facts(40, 1) != facts(40, 1, seed: 5))
    // The run is stopped after 30 of 300 games, which are ten games of each group.
    let asked = Locked(0)
    let part = Probe(boards, games: 100, seed: 4, threads: 1).run(
      shouldStop: {
        asked.withLock {
          $0 += 1
          return $0 > 30
        }
      }, makeAgent: { RandomAgent() })
    let stopped = try #require(part)
    #expect(try stopped.rows == facts(10, 1) && stopped.games == 30)
    let none = Probe(boards, games: 5, seed: 4, threads: 1).run(shouldStop: { true }, makeAgent: { RandomAgent() })
    #expect(none == nil)
  }

  @Test func boardsComeBackFromTheirText() throws {
    let boards = Self.recorded(boards: 4)
    let text = boards.text
    #expect(try ProbeBoards(text: text) == boards)
    #expect(try ProbeBoards(text: text.replacing("\n", with: "\r\n")) == boards)
    #expect(text.hasPrefix("{\"agent\":\"random\",") && text.split(separator: "\n").count == 13)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[5].hasPrefix("64+32 ") && lines[9].hasPrefix("64+32+16 "))
    // One group has fewer boards, and one has none.
    let first = try ProbeBoards(text: lines[0...4].joined(separator: "\n"))
    #expect(first.entries.map(\.count) == [4, 0, 0])
    let run = Probe(first, games: 6, seed: 1, threads: 1).run { RandomAgent() }
    let report = try #require(run)
    #expect(report.rows.map(\.games) == [6] && Probe(first, games: 6, seed: 1, threads: 1).gameCount == 6)
  }

  @Test(
    arguments: [
      ("", "", "the first line is not a header"),
      ("\"tupelo_probe\":1", "\"tupelo_probe\":2", "boards of format 2, this program reads up to 1"),
      ("\"tupelo_probe\":1", "\"tupelo_probe\":0", "formats are counted from 1"),
      ("\"largest_tile\":64", "\"largest_tile\":65", "largest_tile is 65, which no probe on 4x4 has"),
      ("\"largest_tile\":64", "\"largest_tile\":131072", "largest_tile is 131072"),
      ("\"rows\":4", "\"rows\":5", "a board of 5x4 is not supported"),
      ("\n64 ", "\n64+32 ", "line 2: the largest tiles of "),
      ("\n64 ", "\n32 ", "line 2: no group \"32\": there are 64, 64+32, 64+32+16"),
      ("\n64 ", "\n64  ", "line 2: expected a group, a board"),
      ("\n64 ", "\n64 0", "line 2: a board has 16 hex digits, this has 17"),
      ("\n64 ", "\n64 z", "line 2: "),
    ] as [(String, String, String)]) func textsOfNoBoardsAreRefused(_ old: String, _ new: String, _ reason: String)
    throws
  {
    let text = Self.recorded(boards: 2).text
    let bad = old.isEmpty ? "" : text.replacing(old, with: new, maxReplacements: 1)
    #expect(bad != text)
    let error = #expect(throws: ProbeBoardsError.self) { try ProbeBoards(text: bad) }
    #expect(error.map { "\($0)".contains(reason) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func aFileWithoutBoardsIsRefused() throws {
    let header = try #require(Self.recorded(boards: 2).text.split(separator: "\n").first)
    #expect(throws: ProbeBoardsError.noBoards(ProbeGroup.all(largest: 6)[0])) {
      try ProbeBoards(text: String(header) + "\n")
    }
  }

  @Test func theTableFitsATerminal() throws {
    let boards = Self.recorded(boards: 3)
    let run = Probe(boards, games: 20, seed: 1, threads: 1).run { RandomAgent() }
    let report = try #require(run)
    let lines = report.description.split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix(" ") })
    #expect(lines[0].hasPrefix("board with") && lines[0].hasSuffix("128 (95%)") && lines[3].hasPrefix("64 + 32 + 16"))
    let interval = report.rows[0].next.interval
    #expect(lines[1].contains("% (") && interval.contains(report.rows[0].next.rate))
  }
}
