import Foundation
import TestSupport
import Testing
import TrainingSupport
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Laws that hold for every run, tried on runs with random settings.
///
/// A law that fails prints its case and a run with few settings that also fails. `TUPELO_LAW_CASE=N` in the environment
/// tries case N alone, or begins there with `TUPELO_LAW_SECONDS`: the time for all laws. `.ci/laws` tries new cases for
/// an hour.
@Suite(.serialized) struct LawTests {
  enum Law: String, CaseIterable, Sendable {
    /// A run that was stopped and resumed at random games is the whole run.
    case aResumedRunIsTheWholeRun
    /// The average is the mean of the snapshots that its window names.
    case theAverageIsThatOfItsWindow
    /// A frozen stage keeps its bits.
    case frozenStagesKeepTheirBits
    /// An evaluation, a checkpoint or a hook changes no weight.
    case observersChangeNothing
    /// What the files of a run say is what the run did.
    case filesSayWhatTheRunDid
  }

  private static func variable(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  @Test(arguments: Law.allCases) func holds(_ law: Law) async throws {
    let (first, seconds) = (Self.variable("TUPELO_LAW_CASE"), Self.variable("TUPELO_LAW_SECONDS"))
    let end = seconds.map { ContinuousClock.now + .seconds(Double($0) / Double(Law.allCases.count)) }
    let count = end == nil ? first == nil ? 20 : 1 : Int.max - (first ?? 0)
    for number in (first ?? 0)..<(first ?? 0) + count {
      if let end, ContinuousClock.now >= end { break }
      let run = RunCase(number)
      guard let problem = await run.problem(law) else { continue }
      let (small, reason) = await run.smallest(law, problem)
      Issue.record("\(law), case \(number): \(problem)\n\(run)\nwith few settings: \(reason)\n\(small)")
      return
    }
  }
}

extension RunCase {
  /// What is wrong with a law; `nil` if it holds.
  func problem(_ law: LawTests.Law) async -> String? {
    do {
      return switch law {
      case .aResumedRunIsTheWholeRun: try await resumed()
      case .theAverageIsThatOfItsWindow: try await averaged()
      case .frozenStagesKeepTheirBits: try await frozen()
      case .observersChangeNothing: try await observed()
      case .filesSayWhatTheRunDid: try await described()
      }
    } catch {
      return "\(type(of: error)): \(error)"
    }
  }

  /// Leaves out settings as long as the law fails without them.
  func smallest(_ law: LawTests.Law, _ problem: String) async -> (RunCase, String) {
    var (small, reason) = (self, problem)
    for setting in settings {
      var smaller = small
      smaller.settings.removeAll { $0 == setting }
      guard (try? smaller.configuration()) != nil, let found = await smaller.problem(law) else { continue }
      (small, reason) = (smaller, found)
    }
    return (small, reason)
  }

  private func resumed() async throws -> String? {
    let folder = RunFolder()
    let configuration = try configuration(["output.directory=\(folder.path)"])
    let whole = try await folder.session(sharing, configuration)
    let (checkpoint, curve) = (try folder.bytes("checkpoint.safetensors"), try folder.curve())
    let best = try? folder.bytes("best.safetensors")
    folder.clear()
    var random = TestRandom(state: UInt64(configuration.seed))
    var (part, stops) = (whole, [Int]())
    repeat {
      let limit = stops.count < 6 ? Int.random(in: 3...configuration.training.games, using: &random) : .max
      part = try await folder.session(sharing, configuration, resuming: !stops.isEmpty, stopAfter: limit)
      guard part.outcome == .interrupted else { break }
      stops.append(part.games)
      guard try folder.checkpoint().games == part.games, try folder.records().last?.games ?? 0 == part.games else {
        return "the files after a stop are not those of \(part.games) games"
      }
      guard part.games > 0 else { continue }
      // A process that died after its checkpoint leaves records of later games.
      let late = MetricsRecord(games: part.games + 7, moves: 1_000_000, seconds: 99, time: 7).json + "\n"
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/metrics.jsonl"))
      try file.seekToEnd()
      try file.write(contentsOf: Data(late.utf8))
      try file.close()
    } while true
    let seconds = try folder.records().map(\.seconds)
    if seconds != seconds.sorted() { return "the time of training is \(seconds), stopped at \(stops)" }
    guard sharing.repeats else { return part.games >= (stops.last ?? 0) ? nil : "games were lost" }
    if part != whole { return "it ends as \(part) and not as \(whole), stopped at \(stops)" }
    if try folder.curve() != curve { return "another curve: \(try folder.curve()), not \(curve), stopped at \(stops)" }
    if try folder.bytes("checkpoint.safetensors") != checkpoint { return "another checkpoint, stopped at \(stops)" }
    return (try? folder.bytes("best.safetensors")) == best ? nil : "another best model, stopped at \(stops)"
  }

  private func averaged() async throws -> String? {
    let configuration = try configuration()
    guard configuration.averaging.everyGames > 0 else { return nil }
    // Weights that a later stage has from the stage before count in its average, and not in its own weights.
    let isFilled = configuration.network.stages.count > 1 && configuration.stages.promotion != .none
    let patterns = configuration.network.patterns.count
    return try await sharing.onRanks { communicator in
      let trainer = try Trainer(configuration, communicator: communicator)
      var (mean, worst) = (MeanOfSnapshots(), 0.0)
      try trainer.train(reportGames: 0) { _ in
        let error = try mean.add(trainer) { name in
          !isFilled || name.split(separator: ".").last.flatMap { Int($0) }.map { $0 < patterns } ?? true
        }
        worst = max(worst, error)
      }
      let merges = configuration.training.games / configuration.averaging.everyGames
      return worst < 1e-5 && mean.merges == merges ? nil : "an error of \(worst) after \(mean.merges) merges"
    }
  }

  private func frozen() async throws -> String? {
    var configuration = try configuration()
    let (stages, patterns) = (configuration.network.stages.count, configuration.network.patterns.count)
    guard stages > 1 else { return nil }
    let (whole, half) = (configuration, configuration.training.games / 2)
    let stage = Int(configuration.seed % UInt64(stages))
    configuration.stages.frozen = [stage]
    let later = configuration
    return try await sharing.onRanks { communicator in
      let path = TemporaryFile.path("half.safetensors")
      defer { TemporaryFile.remove(path) }
      let first = try Trainer(whole, communicator: communicator)
      try first.train(until: half)
      try first.save(to: path)
      let before = try numbers(ofFile: path)
      let second = try Checkpoint(path: path)
        .resume(with: later, allowingChanges: true, communicator: communicator)
      try second.train()
      let after = try numbers(of: second)
      for (name, old) in before {
        guard let number = name.split(separator: ".").last.flatMap({ Int($0) }), number / patterns == stage,
          let new = after[name]
        else { continue }
        if zip(old, new).contains(where: { $0.bitPattern != $1.bitPattern }) { return "\(name) of stage \(stage)" }
      }
      return second.games == later.training.games ? nil : "\(second.games) games"
    }
  }

  private func observed() async throws -> String? {
    guard sharing.repeats else { return nil }
    let folder = RunFolder()
    let place = "output.directory=\(folder.path)"
    let quiet = try configuration([
      place, "evaluation.every_games=0", "evaluation.patience=0", "evaluation.games=0", "output.checkpoint_games=0",
    ])
    let watched = try configuration([
      place, "evaluation.every_games=15", "evaluation.interim_games=2", "evaluation.patience=0",
      "output.checkpoint_games=11", "output.on_checkpoint=echo >> \(folder.path)/hooked", "training.report_games=9",
    ])
    _ = try await folder.session(sharing, quiet)
    let weights = try folder.numbers()
    folder.clear()
    _ = try await folder.session(sharing, watched)
    if try folder.curve().isEmpty || folder.bytes("hooked").count < 2 { return "nothing was observed" }
    return try folder.numbers() == weights ? nil : "other weights"
  }

  private func described() async throws -> String? {
    let (folder, again) = (RunFolder(), RunFolder())
    let configuration = try configuration(["output.directory=\(folder.path)"])
    let run = try await folder.session(sharing, configuration)
    let (checkpoint, records) = (try folder.checkpoint(), try folder.records())
    let origin = try ModelOrigin.metadata(of: .init(path: folder.checkpointPath), in: .program)
    guard checkpoint.games == run.games, records.last?.games == run.games, records.last?.moves == checkpoint.moves,
      origin[ModelOrigin.Key.games] == "\(run.games)", origin[ModelOrigin.Key.moves] == "\(checkpoint.moves)"
    else {
      return "\(run.games) games: \(checkpoint.games) in the checkpoint, \(origin), \(records.last as Any)"
    }
    var before = (games: 0, moves: 0, seconds: 0.0)
    for record in records where record.games > before.games {
      let moves = Double(record.moves - before.moves)
      let (mean, speed) = (moves / Double(record.games - before.games), moves / (record.seconds - before.seconds))
      guard record[.rolloutMovesMean].map({ abs($0 - mean) < 1e-9 }) == true,
        record[.movesPerSecond].map({ abs($0 / speed - 1) < 1e-6 }) == true
      else { return "\(record) is not \(mean) moves a game, \(speed) a second" }
      before = (record.games, record.moves, record.seconds)
    }
    if configuration.evaluation.games > 0 {
      let model = try TrainedModel(path: folder.checkpointPath, of: .program)
      let settings = configuration.evaluation
      let series = GameSeries(configuration.gameRules, games: settings.games, seed: settings.seed, threads: 1)
      let contender = configuration.contender(model)
      let report = try series.run(makePlayer: { try contender.makePlayer() })
      let told = try folder.json("evaluation.json")
      guard told["model"] as? String == model.identity, told["score_mean"] as? Double == report?.scoreMean else {
        return "evaluation.json says \(told)"
      }
    }
    guard sharing.repeats else { return nil }
    let repeated = try RunConfiguration.load(
      file: folder.path + "/config.yaml", environment: [:], overrides: ["output.directory=\(again.path)"], of: .program)
    _ = try await again.session(sharing, repeated)
    return try again.numbers() == folder.numbers() ? nil : "config.yaml gives other weights"
  }
}
