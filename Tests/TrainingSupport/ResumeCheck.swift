internal import Foundation
internal import TestSupport
public import TupeloTraining

/// Trains a run without a stop, and a run that is stopped, saved and resumed at some numbers of games.
///
/// - Returns: the stops after which the file or the number of moves is another one than in one go.
public func stopsThatChange(
  _ configuration: RunConfiguration, games: Int, stops: [Int], of catalogue: GameCatalogue
) throws -> [Int] {
  let (whole, half) = (TemporaryFile.path("whole.safetensors"), TemporaryFile.path("half.safetensors"))
  defer { [whole, half].forEach(TemporaryFile.remove) }
  func train(_ trainer: Trainer, until games: Int) throws {
    try trainer.train(until: games, reportGames: 1000, shouldStop: { false }, onRound: { _ in })
  }
  let straight = try Trainer(configuration)
  try train(straight, until: games)
  try straight.save(to: whole)
  return try stops.filter { stop in
    let first = try Trainer(configuration)
    try train(first, until: stop)
    try first.save(to: half)
    let second = try Checkpoint(path: half, of: catalogue).resume()
    try train(second, until: games)
    try second.save(to: half)
    return second.moves != straight.moves || !FileManager.default.contentsEqual(atPath: whole, andPath: half)
  }
}
