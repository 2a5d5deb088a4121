import Testing
import TupeloReports
import TupeloTraining

/// A game is registered twice: for configurations and models in TupeloRuns, and for the commands in TupeloCommand.
@Suite struct CommandGameTests {
  @Test func everyGameHasCommands() throws {
    let refused = try Program.run(["play", "--game", "no such game"])
    let names = GameCatalogue.program.games.map(\.name)
    let choices = names.count == 2 ? names.joined(separator: " or ") : names.joined(separator: ", ")
    #expect(refused.status == 64 && refused.errors.contains(choices), "\(refused)")
    for name in names {
      let help = try Program.run(["play", "--game", name, "--help"])
      #expect(help.status == 0, "\(help)")
    }
  }
}
