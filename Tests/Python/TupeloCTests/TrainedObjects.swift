internal import CTupeloAPI
internal import SetTraining
internal import Testing
internal import TupeloDense
internal import TupeloTraining

/// The games of the library.
let allGames = GameCatalogue([.denseTwentyFortyEight, .set])

/// Makes a trainer; the test fails when it is refused.
func makeTrainer(_ yaml: String, _ overrides: [String] = []) throws -> Int64 {
  var trainer: Int64 = 0
  let status = withTexts(overrides) { tupelo_trainer_create(yaml, "test", $0, UInt64(overrides.count), &trainer) }
  try #require(status == 0, "\(lastError)")
  return trainer
}

/// Makes a model after some games of training.
func makeModel(_ yaml: String, games: Int64) throws -> Int64 {
  let trainer = try makeTrainer(yaml)
  defer { _ = tupelo_release(trainer) }
  try #require(tupelo_trainer_slice(trainer, games, 0, 0, nil) == 0, "\(lastError)")
  var model: Int64 = 0
  try #require(tupelo_trainer_model(trainer, &model) == 0, "\(lastError)")
  return model
}

/// The identity of a model: two models with equal identities have the same weights.
func identity(of model: Int64) throws -> String {
  let identity = text { tupelo_model_identity(model, $0, $1, $2) }
  try #require(identity.count == 16 && identity.allSatisfy(\.isHexDigit), "\(identity)")
  return identity
}

/// The identity of the current model of a trainer.
func identity(ofTrainer trainer: Int64) throws -> String {
  var model: Int64 = 0
  try #require(tupelo_trainer_model(trainer, &model) == 0, "\(lastError)")
  defer { _ = tupelo_release(model) }
  return try identity(of: model)
}

/// Calls `body` with texts as C strings, which are valid during the call.
func withTexts<R>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> R) rethrows -> R {
  let copies = texts.map { text in
    let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
    for (index, byte) in text.utf8.enumerated() { bytes[index] = CChar(truncatingIfNeeded: byte) }
    bytes[text.utf8.count] = 0
    return bytes
  }
  defer { for copy in copies { copy.deallocate() } }
  return try body(copies.map { UnsafePointer($0) })
}

/// A small network of the standard board.
let smallNetwork = "network: {patterns: \"0145 0123\"}\nlearner: {alpha: 0.5}\n"
