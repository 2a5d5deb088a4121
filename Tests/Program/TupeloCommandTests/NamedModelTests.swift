import Foundation
import TestSupport
import Testing

/// Models that come with the program, by the names that the program prints.
@Suite(.serialized) final class NamedModelTests {
  private let folder = TemporaryFile.path("models")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  private func tupelo(_ words: String) throws -> Program.Result {
    try Program.shell("cd \(Program.quoted(folder)) && \(Program.quoted(Program.path)) \(words)")
  }

  @Test func aModelIsFoundFromAnyFolder() throws {
    let evaluation = try tupelo("evaluate models/tiny --games 3")
    #expect(evaluation.status == 0 && evaluation.output.hasPrefix("tiny, expectimax(plies: 1)"), "\(evaluation)")
    let arena = try tupelo("arena models/tiny models/17x4@greedy --games 3")
    #expect(arena.status == 0 && arena.output.contains("models/17x4@greedy"), "\(arena)")
    #expect(try tupelo("inspect models/tiny/model.safetensors").status == 0)
    let list = try tupelo("models list")
    #expect(list.status == 0 && list.output.contains("/models/tiny/model.safetensors  "), "\(list)")
    let none = try tupelo("evaluate models/nothing")
    #expect(none.status == 1 && none.errors.hasPrefix("Error: models/nothing: cannot be opened"), "\(none)")
  }

  /// A folder of this name in the working folder is the user's own.
  @Test func anOwnFolderIsNotReplaced() throws {
    try FileManager.default.createDirectory(atPath: folder + "/models/tiny", withIntermediateDirectories: true)
    let result = try tupelo("evaluate models/tiny")
    #expect(result.status == 1 && result.errors.contains("models/tiny: holds neither"), "\(result)")
    #expect(try tupelo("models list").output == "no model (*.safetensors) in models\n")
  }
}
