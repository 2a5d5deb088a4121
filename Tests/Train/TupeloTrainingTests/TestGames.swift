import SetModels
import SetTraining
import TupeloDenseModels
import TupeloDenseTraining
import TupeloTraining

/// The games that the tests know: those of the program.
let testGames = GameCatalogue([.denseTwentyFortyEight, .set])
let testKeys = ConfigurationKeys(testGames)
