import Foundation
import TestSupport
import Testing
import TupeloTraining

/// A run in one go, and the same run stopped, saved and resumed: the same file, byte for byte, wherever it stops.
func expectResumesBitForBit(
  _ configuration: RunConfiguration, games: Int, stops: [Int], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let (whole, half) = (TemporaryFile.path("whole.safetensors"), TemporaryFile.path("half.safetensors"))
  defer { [whole, half].forEach(TemporaryFile.remove) }
  func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
  }
  let straight = try Trainer(configuration)
  try train(straight, until: games)
  try straight.save(to: whole)
  for stop in stops {
    let first = try Trainer(configuration)
    try train(first, until: stop)
    try first.save(to: half)
    let second = try Checkpoint(path: half, of: testGames).resume()
    try train(second, until: games)
    try second.save(to: half)
    #expect(second.moves == straight.moves, "after \(stop)", sourceLocation: sourceLocation)
    let isSame = FileManager.default.contentsEqual(atPath: whole, andPath: half)
    #expect(isSame, "after \(stop)", sourceLocation: sourceLocation)
  }
}
