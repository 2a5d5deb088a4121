import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork

/// A model is not asked about boards of another shape, wherever the board is from.
@Suite(.serialized) final class BoardShapeTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = folder.file("3x3.safetensors")
    let shape = try BoardShape(rows: 3, columns: 3)
    let patterns = [try TuplePattern(text: "01", shape: shape)]
    try NTupleNetwork(NetworkSpecification(patterns: patterns, shape: shape)).save(to: model)
  }

  /// - Parameter named: the model in the environment
  private func refuses(_ arguments: [String], model named: String = "", _ text: String) throws {
    let words = [Program.path] + arguments
    let line = (named.isEmpty ? "" : "TUPELO_MODEL=\(named) ") + words.map(Program.quoted).joined(separator: " ")
    let result = try Program.shell(line)
    #expect(result.status == 1 && result.output.isEmpty, "\(line) \(result)")
    #expect(result.errors == "Error: \(text): name another model\n", "\(line)")
  }

  @Test func gamesOfAnotherShapeAreNotReviewed() throws {
    let record = folder.file("game.txt")
    let played = try Program.run(["autoplay", model, "--speed", "0", "--seed", "1", "--record", record])
    #expect(played.status == 0, "\(played)")
    #expect(try Program.run(["review", model, record]).status == 0)
    let text = "\(record): 3x3, and the model is for 4x4"
    try refuses(["review", "models/17x4", record], text)
    try refuses(["review", record], model: "models/17x4", text)
    try refuses(["analyze", "1200000000000000"], model: model, "the board: 4x4, and the model is for 3x3")
  }

  @Test func boardsOfAnotherShapeAreNotProbed() throws {
    let boards = folder.file("boards.txt")
    let made = ["probe", model, "--record", boards, "--tile", "64", "--each", "2", "--games", "400", "--threads", "1"]
    let recorded = try Program.run(made)
    #expect(recorded.status == 0, "\(recorded)")
    try refuses(["probe", "models/17x4", "--boards", boards], "\(boards): 3x3, and the model is for 4x4")
    try refuses(
      ["solve", "--board", "2x2", "--model", model], "\(model): a model of 3x3 boards, not of 2x2")
  }
}
