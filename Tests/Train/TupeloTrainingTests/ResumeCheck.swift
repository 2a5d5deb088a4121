import Testing
import TrainingSupport
import TupeloTraining

/// A run in one go, and the same run stopped, saved and resumed: the same file, byte for byte, wherever it stops.
func expectResumesBitForBit(
  _ configuration: RunConfiguration, games: Int, stops: [Int], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let changed = try stopsThatChange(configuration, games: games, stops: stops, of: testGames)
  #expect(changed == [], sourceLocation: sourceLocation)
}
