import SetEngine
import SetModels
import Testing
import TupeloTraining

/// The lines of SetModels' README.
@Suite struct SetTrainingReadmeTests {
  @Test func aConfigurationOfSetIsRead() throws {
    let games = GameCatalogue([.twentyFortyEight, .set])
    let configuration = try RunConfiguration.parse(yaml: "game: set", sourceName: "text", of: games)
    print(configuration.set.cardCount)
    #expect(configuration.set.cardCount == 81)
  }
}
