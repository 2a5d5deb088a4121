import SetEngine
import SetTraining
import Testing
import TupeloTraining

/// The lines of SetTraining's README.
@Suite struct SetTrainingReadmeTests {
  @Test func aConfigurationOfSetIsRead() throws {
    let games = GameCatalogue([.twentyFortyEight, .set])
    let configuration = try RunConfiguration.parse(yaml: "game: set", sourceName: "text", of: games)
    print(configuration.set.cardCount)
    #expect(configuration.set.cardCount == 81)
  }
}
