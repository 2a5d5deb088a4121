import Foundation
import Safetensors
import TestSupport
import Testing
import TrainingSupport
import TupeloNetwork
import TupeloTraining

/// Training halves the sums of temporal coherence before they are too large to grow.
@Suite struct LargeSumTrainingTests {
  private static func configuration() throws -> RunConfiguration {
    try RunConfiguration.load(
      file: nil, environment: [:],
      overrides: [
        "rules.rows=2", "rules.columns=2", "network.patterns=01", "averaging.every_games=0", "evaluation.games=0",
        "training.games=20000",
      ])
  }

  /// On a board of 2x2 the limit is 2^18, which the largest sum passes between 10,000 and 20,000 games.
  @Test func noSumOutgrowsItsLimit() throws {
    func largest(after games: Int) throws -> Float {
      let trainer = try Trainer(Self.configuration())
      try trainer.train(until: games, reportGames: 0) { _ in }
      let path = TemporaryFile.path("sums.safetensors")
      defer { TemporaryFile.remove(path) }
      try trainer.save(to: path)
      let file = try SafetensorsFile(path: path)
      let sums = try file.tensors.filter { $0.name.hasPrefix("coherence.absolute_error") }
        .flatMap { try file.array(of: $0.name, as: Float.self) }
      return try #require(sums.max())
    }
    #expect(try largest(after: 19_999) > 0x1p18)
    let halved = try largest(after: 20_000)
    #expect(halved < 0x1p18 && halved >= 0x1p17)
  }

  @Test func aResumedRunHalvesAtTheSameGames() throws {
    let stops = [19_999, 20_000, 20_001]
    #expect(try stopsThatChange(Self.configuration(), games: 20_100, stops: stops, of: .standard).isEmpty)
  }
}
