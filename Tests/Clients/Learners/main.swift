import Foundation
import TupeloTraining

/// Ends the program if an expectation fails.
func expect(_ isTrue: Bool, _ what: String) {
  print(isTrue ? "ok: \(what)" : "FAILED: \(what)")
  if !isTrue { exit(1) }
}

/// The text of the error that `body` throws.
func complaint(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}

var configuration = RunConfiguration(name: "learners")
configuration.network = try NetworkSpecification.named("4x5")
configuration.training.games = 2000
let trainers: [(name: String, trainer: Trainer)] = [
  ("ours", try Trainer(configuration)), ("a copied rule", try Trainer(configuration, rule: CopiedCoherence())),
  ("its equation for one weight", try Trainer(configuration, rule: PlainCoherence())),
  (
    "a learner that learns at once",
    try Trainer(configuration, rule: TemporalCoherence(alpha: 1)) { PromptLearner(table: $0, encoder: $1) }
  ),
]
for (_, trainer) in trainers { try trainer.train() }
let ours = try trainers[0].trainer.model().identity
for (name, trainer) in trainers.dropFirst() {
  expect(try trainer.model().identity == ours, "\(name) learns the same weights in 2,000 games")
}

// A checkpoint is a network for every program, and names the parts that only this program has.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("learners-\(getpid())").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: folder) }
let path = folder + "/copied.safetensors"
configuration.training.games = 2100
try trainers[1].trainer.save(to: path)
expect(try TrainedModel(path: path).identity == ours, "the checkpoint is a network")
let resumed = try Trainer(configuration, rule: CopiedCoherence(), resuming: path)
for trainer in [trainers[0].trainer, resumed] { try trainer.train(until: 2100) }
expect(
  try resumed.model().identity == trainers[0].trainer.model().identity, "training goes on from it, bit for bit")
let checkpoint = try Checkpoint(path: path)
let refusal = complaint { _ = try checkpoint.resume() }
expect(
  refusal.contains("trained with the rule CopiedCoherence, which this program does not have"),
  refusal.replacingOccurrences(of: folder + "/", with: ""))
expect(complaint { _ = try Trainer(configuration, rule: PlainCoherence(), resuming: path) } == refusal, "another rule")
configuration.schedule.warmUpGames = 5
let idle = complaint { _ = try Trainer(configuration, rule: PlainCoherence()) }
expect(idle.hasPrefix("learner.warm_up_games has no effect with the rule PlainCoherence"), idle)
configuration.schedule.warmUpGames = 0

// With an encoder of its own, only this program plays with the values.
var small = RunConfiguration(name: "cells")
small.training.games = 400
let cells = try Trainer(small, encoder: Cells(), rule: PlainCoherence())
try cells.train(until: 200)
try cells.save(to: path)
let next = try Trainer(small, encoder: Cells(), rule: PlainCoherence(), resuming: path)
for trainer in [cells, next] { try trainer.train() }
let games = GreedyGames(Game2048(), games: 50, seed: 1)
let played = try [cells, next].map { trainer in
  let values = try trainer.values(Cells())
  return games.results { values.makeEvaluator() }
}
expect(played[0] == played[1], "an encoder: training goes on from its checkpoint, bit for bit")
let foreign = complaint { _ = try TrainedModel(path: path) }
expect(
  foreign.contains("its weights are for the encoder Cells, which this program does not have"),
  foreign.replacingOccurrences(of: folder + "/", with: ""))

// The speed beside the rule of the package, in alternation, for people to read.
let rounds = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 5 : 5
var speeds = [[Double]](repeating: [], count: trainers.count)
for _ in 0..<rounds {
  for (number, (_, trainer)) in trainers.enumerated() {
    var progress = TrainingProgress()
    let end = Date(timeIntervalSinceNow: 1)
    try trainer.train(until: 1_000_000_000, shouldStop: { Date.now > end }, onRound: { progress.add($0) })
    speeds[number].append(progress.movesPerSecond)
  }
}
let medians = speeds.map { $0.sorted()[$0.count / 2] }
for (number, speed) in medians.enumerated() {
  print(String(format: "%.0f moves/s, %.2f of ours: ", speed, speed / medians[0]) + trainers[number].name)
}
