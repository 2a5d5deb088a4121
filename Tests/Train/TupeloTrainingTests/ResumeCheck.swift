import Testing
import TrainingSupport
import TupeloTraining

/// Expects that a run without a stop, and the same run stopped, saved and resumed, write the same file, byte for byte,
/// wherever it stops.
func expectResumesBitForBit(
  _ configuration: RunConfiguration, games: Int, stops: [Int], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let changed = try stopsThatChange(configuration, games: games, stops: stops, of: testGames)
  #expect(changed == [], sourceLocation: sourceLocation)
}
