import Foundation
import Testing

/// Verdicts of moves by the share of the position's value that they lose.
@Suite struct VerdictTests {
  private static func answers(_ script: String) async throws -> [String] {
    let text = try await Node.run(script, input: "")
    return text.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: Node.isHere, "\(Node.isMissing)")) func sharesHaveTheirWords() async throws {
    let cases = [(0, 9000), (1, 9000), (90, 9000), (91, 9000), (270, 9000), (720, 9000), (721, 9000), (2, 10), (9, 10)]
    let list = cases.map { "[\($0.0), \($0.1)]" }.joined(separator: ", ")
    let names = try await Self.answers(
      """
      const board = [9, 8, 7, 6, ...Array(12).fill(0)];
      for (const [loss, value] of [\(list)]) console.log(Verdicts.of(loss, Verdicts.scale(value, board)).name);
      """)
    #expect(
      names == [
        "best", "good", "good", "inaccuracy", "inaccuracy", "mistake", "blunder", "inaccuracy", "blunder",
      ], "positions of few points are judged as of a hundred")
    let counted = try await Self.answers(
      "console.log(Verdicts.count(Verdicts.tally([0, 1, 2, 200, 201, 5000].map((loss) => Verdicts.of(loss, 9000)))));")
    #expect(counted == ["2 good, 2 inaccuracies, 1 blunder"])
    // Two tiles, 4 points; then 1000 points on tiles.
    let scales = try await Self.answers(
      """
      const board = (...tiles) => [...tiles, ...Array(16 - tiles.length).fill(0)];
      const [first, later] = [board(1, 1), board(9, 8, 7, 6, 5, 3)];
      console.log(Verdicts.scale(260000, first), Verdicts.scale(260000, later), Verdicts.scale(-9000, first));
      """)
    #expect(scales == ["20800 220000 9000"], "early in a game, a loss counts as a share of less")
  }

  /// The longer bar is the better move, and the bars of two verdicts differ by a twentieth at least at their middles.
  @Test(.enabled(if: Node.isHere, "\(Node.isMissing)")) func barsShowDifferences() async throws {
    let lengths = try await Self.answers(
      """
      for (const loss of [0, 1, 50, 100, 200, 300, 550, 800, 1500, 2000, 9000]) {
        console.log(Verdicts.length(loss, 10000));
      }
      """
    ).map { try #require(Double($0)) }
    #expect(lengths[0] == 1 && lengths[1] <= 0.92)
    for (longer, shorter) in zip(lengths, lengths.dropFirst()) { #expect(longer >= shorter) }
    for (middle, next) in [(0, 2), (2, 4), (4, 6), (6, 8)] { #expect(lengths[middle] - lengths[next] > 0.05) }
    #expect(lengths.allSatisfy { $0 > 0 && $0 <= 1 })
  }
}
