import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

@Suite struct TileDowngradingTests {
  private static func board(_ tiles: [Int]) throws -> Board {
    try Board(exponents: tiles.map { $0 == 0 ? 0 : $0.trailingZeroBitCount })
  }

  /// Examples worked out by hand: tiles in reading order before and after, for a threshold of 32768.
  @Test(
    arguments: [
      // 16384 is missing: tiles above it are halved.
      (
        [32768, 8192, 4096, 2048, 256, 512, 1024, 64, 128, 2, 4, 0, 2, 0, 0, 0],
        [16384, 8192, 4096, 2048, 256, 512, 1024, 64, 128, 2, 4, 0, 2, 0, 0, 0]
      ),
      // 8192 is the largest missing tile, 512 is missing too: one hole is closed after the first crossing.
      (
        [32768, 16384, 4096, 2048, 1024, 256, 0, 0, 0, 0, 0, 0, 0, 0, 4, 2],
        [16384, 8192, 4096, 2048, 1024, 256, 0, 0, 0, 0, 0, 0, 0, 0, 4, 2]
      ),
      // 65536 has crossed twice: 32768 and 16384 are missing.
      (
        [65536, 8192, 4096, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [16384, 8192, 4096, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      ),
      // 65536 has crossed twice again, with the holes 8192 and 2048 apart: tiles above both fall by two, 4096 by one.
      (
        [65536, 32768, 16384, 4096, 1024, 512, 0, 0, 0, 0, 0, 0, 0, 4, 4, 2],
        [16384, 8192, 4096, 2048, 1024, 512, 0, 0, 0, 0, 0, 0, 0, 4, 4, 2]
      ),
      // Equal tiles stay equal, also beyond 32768.
      (
        [65536, 65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 8, 4, 0],
        [32768, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 0]
      ),
      // 131072 has crossed three times: 32, 16 and 8 are the highest of four holes.
      (
        [131_072, 65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 0, 0, 0, 2],
        [16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 0, 0, 0, 2]
      ),
      // Only 2 is missing, which does not count as a hole.
      (
        [32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 4, 0],
        [32768, 16384, 8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 4, 0]
      ),
      // All tiles are below the threshold.
      (
        [16384, 4096, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [16384, 4096, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      ),
      // Two of the very largest tiles do not merge, and lowered ones would.
      (
        [131_072, 131_072, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [131_072, 131_072, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      ),
    ] as [([Int], [Int])]) func examples(_ tiles: [Int], _ lowered: [Int]) throws
  {
    #expect(try TileDowngrading().lowered(Self.board(tiles)) == Self.board(lowered))
  }

  @Test func anyTileMayBeTheThreshold() throws {
    let board = try Self.board([512, 64, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
    // 512 crosses 256 twice: 256 and 128 are the highest holes.
    #expect(
      try TileDowngrading(threshold: 256).lowered(board)
        == Self.board([128, 64, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]))
    #expect(TileDowngrading(threshold: 1024).lowered(board) == board)
  }

  /// On any board the same moves are legal, empty cells stay empty and no tile grows.
  @Test func legalMovesStay() throws {
    var lowered = 0
    for board in try ExpectimaxTests.boards(2000, seed: 51, largest: 17) {
      let other = TileDowngrading(threshold: 4096).lowered(board)
      lowered += other == board ? 0 : 1
      #expect(other.legalMoves() == board.legalMoves())
      #expect(other.occupiedMask == board.occupiedMask)
      for one in 0..<16 {
        #expect(other.exponent(at: one) <= board.exponent(at: one))
        for next in 0..<16 {
          #expect(
            (other.exponent(at: one) < other.exponent(at: next)) == (board.exponent(at: one) < board.exponent(at: next))
          )
        }
      }
    }
    #expect(lowered > 500)
  }

  /// The search sees the lowered board, and only at its root.
  @Test func theLoweredBoardIsSearched() throws {
    let board = try Self.board([65536, 8192, 4096, 4096, 2, 4, 8, 2, 4, 2, 0, 0, 2, 0, 0, 0])
    let downgrading = TileDowngrading()
    for plies in 1...3 {
      for threads in [1, 2] {
        var search = Expectimax(
          HashEvaluator(), limits: .plies(plies), downgrading: downgrading, threads: threads)
        var plain = Expectimax(HashEvaluator(), plies: plies)
        #expect(search.analyze(board).candidates == plain.analyze(downgrading.lowered(board)).candidates)
        #expect(search.move(on: board) == plain.move(on: downgrading.lowered(board)))
        #expect(search.analyze(board).candidates != plain.analyze(board).candidates)
      }
    }
  }
}
