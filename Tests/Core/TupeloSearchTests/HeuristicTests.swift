import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloSearch

@Suite struct HeuristicTests {
  /// Values follow the documented formula, on matrices.
  @Test func valuesAreThoseOfTheFormula() throws {
    for shape in [BoardShape.standard, try BoardShape(rows: 2, columns: 3)] {
      let evaluator = HeuristicEvaluator(shape: shape)
      // Lines outside a smaller board have the value of an empty line.
      let outside =
        Float(4 - shape.rows) * Self.line(Array(repeating: 0, count: shape.columns))
        + Float(4 - shape.columns) * Self.line(Array(repeating: 0, count: shape.rows))
      var positions = RandomPositions(seed: 71, shape: shape)
      for _ in 0..<200 {
        let matrix = positions.matrix(largest: 13)
        let columns = matrix[0].indices.map { column in matrix.map { $0[column] } }
        let expected = (matrix + columns).reduce(outside) { $0 + Self.line($1) }
        let value = evaluator.value(of: try Afterstate(matrix: matrix, shape: shape))
        #expect(abs(value - max(expected, 0)) < 0.5 + abs(expected) * 1e-4)
        #expect(value >= 0)
      }
    }
  }

  /// The literal numbers of the table are the powers, up to the rounding in which power functions differ.
  @Test func literalPowersAreExact() {
    for (exponent, mass) in HeuristicEvaluator.mass.enumerated() {
      #expect(abs(Double(mass) - 2 * pow(Double(exponent), Double(Float(2.8)))) <= 2 * Double(mass.ulp))
    }
  }

  /// A board with nothing but a pair of 8, worked out by hand.
  @Test func aLineByHand() throws {
    let value = HeuristicEvaluator().value(
      of: try Afterstate(matrix: [[3, 3, 0, 0]] + Array(repeating: [0, 0, 0, 0], count: 3)))
    // 3^2.8 = 21.674. Row and columns only fall. Two empty cells and a pair; three empty cells, twice; five empty
    // lines.
    let row: Float = 8400 + 300 + 400 - 4 * 21.674
    let columns: Float = 2 * (8400 + 450 - 2 * 21.674)
    #expect(abs(value - (row + columns + 5 * 9000)) < 1)
  }

  private static func line(_ exponents: [Int]) -> Float {
    var (value, rise, fall) = (Float(8400), Float(0), Float(0))
    for exponent in exponents { value += exponent == 0 ? 150 : -2 * power(Float(exponent), 2.8) }
    var tiles = exponents.filter { $0 != 0 }
    while tiles.count > 1 {
      if tiles[0] == tiles[1] {
        value += 400
        tiles.removeFirst()
      }
      tiles.removeFirst()
    }
    for index in 1..<exponents.count {
      let step = power(Float(exponents[index]), 4) - power(Float(exponents[index - 1]), 4)
      if step > 0 { rise += step } else { fall -= step }
    }
    return value - 1.4 * min(rise, fall)
  }

  private static func power(_ base: Float, _ exponent: Double) -> Float {
    base == 0 ? 0 : Float(Foundation.pow(Double(base), exponent))
  }

  /// The heuristic plays well: of ten games at two plies most reach 2048 (82 of a hundred do).
  @Test func reaches2048() throws {
    var agent = Expectimax(HeuristicEvaluator(), plies: 2)
    var reached = 0
    for number in 0..<10 as Range<UInt64> {
      var game = Game(seed: 1, number: number)
      while let move = agent.move(on: game.board) { game.play(move) }
      if game.board.largestTile >= 2048 { reached += 1 }
    }
    #expect(reached >= 6)
  }
}
