import Foundation
import TupeloTraining

/// Ends the program if an expectation fails.
func expect(_ isTrue: Bool, _ what: String) {
  print(isTrue ? "ok: \(what)" : "FAILED: \(what)")
  if !isTrue { exit(1) }
}

/// Temporal coherence whose rates do not fall below a floor: a rule that the package does not have.
struct FlooredCoherence: StepSizeRule {
  var alpha: Float
  let floor: Float
  static var sumsErrors: Bool { true }
  static var updatesFour: Bool { true }

  func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    apply(&cell, step: share * error, error: error)
  }

  func steps(_ sums: inout FourCoherenceSums, error: Float, share: Float) -> SIMD4<Float> {
    let absolute = sums.absoluteErrorSum
    var rates = SIMD4<Float>(repeating: 1).replacing(with: sums.errorSumMagnitude / absolute, where: absolute .> 0)
    rates.replace(with: floor, where: rates .< floor)
    sums.add(error: error)
    return alpha * share * rates * error
  }

  func apply(_ cell: inout CoherenceCell, step: Float, error: Float) {
    let absolute = cell.absoluteErrorSum
    let rate = absolute > 0 ? max(floor, abs(cell.errorSum) / absolute) : 1
    cell.errorSum += error
    cell.absoluteErrorSum += abs(error)
    cell.weight += alpha * rate * step
  }
}

/// Evaluators of our own: one counts only rewards, one gives random values, and one counts free cells.
struct Greedy: StateEvaluator {
  func value(of state: Afterstate) -> Float { 0 }
}

struct Anything: StateEvaluator {
  var random = RandomStream(seed: 1)
  mutating func value(of state: Afterstate) -> Float { Float(random.next(below: 1 << 20)) * 1e6 }
}

struct FreeCells: StateEvaluator {
  func value(of state: Afterstate) -> Float { Float(16 - state.occupiedMask.nonzeroBitCount) * 30 }
}

var configuration = RunConfiguration(name: "threes", returns: LambdaReturn(lambda: 0.5, steps: nil))
configuration.training.games = 8000
configuration.averaging.everyGames = 500
let network = try NetworkSpecification.named("4x5")
let (game, encoder) = (Threes(), TupleIndexer(network))
let rule = FlooredCoherence(alpha: 1, floor: 0.02)
let games = GreedyGames(game, games: 300, seed: 7)

func text(_ mean: MeanEstimate) -> String { String(format: "%.0f +- %.0f", mean.mean, mean.margin) }

guard let greedy = games.results({ Greedy() }).meanScore, let random = games.results({ Anything() }).meanScore,
  let free = games.results({ FreeCells() }).meanScore
else { fatalError("games that were played have a mean") }
print("random \(text(random)), greedy \(text(greedy)), free cells \(text(free))")

// Training, with a learning curve.
let trainer = try Trainer(configuration, game: game, encoder: encoder, rule: rule)
var learned = greedy
for target in stride(from: 2000, through: configuration.training.games, by: 2000) {
  var progress = TrainingProgress()
  try trainer.train(until: target) { progress.add($0) }
  let values = try trainer.values(encoder)
  learned = games.results { values.makeEvaluator() }.meanScore ?? greedy
  print("after \(target) games: \(text(learned)), while learning \(Int(progress.scoreMean))")
}
for other in [random, greedy, free] {
  expect(learned.mean - learned.margin > 3 * (other.mean + other.margin), "plays more than three times as well")
}

// A run continues from a checkpoint, bit for bit, and the checkpoint is not a model of 2048.
let path = FileManager.default.temporaryDirectory.appendingPathComponent("threes-\(getpid()).safetensors").path
defer { try? FileManager.default.removeItem(atPath: path) }
try trainer.save(to: path)
let resumed = try Trainer(configuration, game: game, encoder: encoder, rule: rule, resuming: path)
expect(resumed.games == trainer.games && resumed.moves == trainer.moves, "continues where it was")
for trainer in [trainer, resumed] { try trainer.train(until: 8200) }
let after = try [trainer, resumed].map { trainer in
  let values = try trainer.values(encoder)
  return games.results { values.makeEvaluator() }
}
expect(after[0] == after[1], "learns the same after a checkpoint")
let saved = try LearnedValues(path: path, game: game.name, encoder: encoder)
expect(games.results { saved.makeEvaluator() }.meanScore == learned, "plays from a file as from memory")
do {
  _ = try Checkpoint(path: path)
  expect(false, "a checkpoint of Threes is none of 2048")
} catch let error as ModelFileError {
  expect("\(error)".contains("belongs to the game threes"), "\(error)".replacingOccurrences(of: path, with: "threes"))
}

// The speed beside 2048, for people to read: the same network, learner and rule, on one thread.
func speed(_ trainer: Trainer) throws -> Double {
  var progress = TrainingProgress()
  let end = Date(timeIntervalSinceNow: 4)
  try trainer.train(until: 1_000_000_000, shouldStop: { Date.now > end }, onRound: { progress.add($0) })
  return progress.movesPerSecond
}
configuration.averaging.everyGames = 0
var standard = configuration
standard.network = network
let theirs = try speed(Trainer(standard))
let ours = try speed(
  Trainer(configuration, game: game, encoder: encoder, rule: TemporalCoherence(alpha: 1)))
let own = try speed(Trainer(configuration, game: game, encoder: encoder, rule: rule))
print(String(format: "moves/s: 2048 %.0f, Threes %.0f, with a rule of our own %.0f", theirs, ours, own))
