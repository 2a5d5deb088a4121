import Testing
import TupeloCommand
import TupeloRuns
import TupeloTraining

/// A game is registered twice: for configurations and models in TupeloRuns, and for the commands here.
@Suite struct CommandGameTests {
  @Test func everyGameHasCommands() {
    #expect(CommandGames.names == GameCatalogue.program.games.map(\.name))
  }
}
