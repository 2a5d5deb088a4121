import SetTraining
import TupeloDense
import TupeloTraining

/// The games of these tests, which are those of the program.
let testGames = GameCatalogue([.denseTwentyFortyEight, .set])
let testKeys = ConfigurationKeys(testGames)
