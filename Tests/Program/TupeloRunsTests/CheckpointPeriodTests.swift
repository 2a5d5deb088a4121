import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloReports
import TupeloRuns
import TupeloTraining

/// Checkpoints, their hook and evaluations come at their numbers of games, whatever the speed of the machine, and
/// change nothing that is learned.
@Suite final class CheckpointPeriodTests {
  private let folder = TemporaryFile.path("periods")

  deinit { TemporaryFile.remove(folder) }

  private static let period = 30
  private static let small = "network.patterns=[0123, 4567]"

  /// Runs of every kind: how they are told, and the games of a group, at whose end a checkpoint waits.
  private static let kinds: [(settings: [String], group: Int)] = [
    ([small], 1),
    ([small, "training.games_at_once=2"], Turns.groupGames),
    ([small, "training.threads=2"], 1),
    ([small, "averaging.every_games=7", "learner.decay=0.1", "learner.decay_every_games=11"], 1),
    ([small, "network.dense.hidden=[4]", "learner.step_size=adam", "learner.alpha=0.001"], 0),
    (["game=set"], 1),
  ]

  private func configuration(_ settings: [String], games: Int) throws -> RunConfiguration {
    try RunConfiguration.load(
      file: nil, environment: [:],
      overrides: settings + ["training.games=\(games)", "evaluation.games=0", "output.directory=\(folder)"],
      of: .program)
  }

  private func weights(_ trainer: Trainer) throws -> Data {
    let path = folder + ".safetensors"
    defer { TemporaryFile.remove(path) }
    try trainer.model().save(to: path)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The numbers of games in the names of kept checkpoints.
  private func kept() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("checkpoint-") }.sorted()
      .compactMap { Int($0.dropFirst("checkpoint-".count).dropLast(".safetensors".count)) }
  }

  /// Trains a run with checkpoints, hook and evaluations, and gives its folder free again.
  private func observed(_ settings: [String], games: Int, keep: Int = 100) throws -> Trainer {
    let hook = #"echo "$TUPELO_GAMES" >> "$TUPELO_RUN/told.txt""#
    let configuration = try configuration(
      settings + [
        "output.checkpoint_games=\(Self.period)", "output.keep=\(keep)", "output.on_checkpoint=\(hook)",
        "evaluation.every_games=45", "evaluation.interim_games=2",
      ], games: games)
    let run = try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
    try run.train(shouldStop: { false })
    return run.trainer
  }

  private func told() throws -> [Int] {
    try String(contentsOfFile: folder + "/told.txt", encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
  }

  @Test(arguments: kinds.indices) func noneIsSkipped(_ number: Int) throws {
    let (settings, games) = (Self.kinds[number].settings, 250)
    let trainer = try observed(settings, games: games)
    let group = Self.kinds[number].group == 0 ? try #require(trainer.groupGames) : Self.kinds[number].group
    let due = stride(from: Self.period, through: games, by: Self.period).map { ($0 + group - 1) / group * group }
    let expected = Set(due.filter { $0 < games } + [games]).sorted()
    #expect(try kept() == expected)
    #expect(try told() == expected)
    guard !settings.contains("training.threads=2") else { return }
    let plain = try Trainer(configuration(settings, games: games))
    try plain.train()
    #expect(try weights(trainer) == weights(plain))
  }

  /// The newest checkpoints stay, as many as `output.keep` says. A single one has no name of its own.
  @Test(arguments: [(1, [Int]()), (2, [90, 100]), (3, [60, 90, 100])])
  func theNewestAreKept(_ keep: Int, _ expected: [Int]) throws {
    _ = try observed([Self.small], games: 100, keep: keep)
    #expect(try kept() == expected)
  }

  /// Rounds of replicas end by their moves alone, so a checkpoint waits for the end of a round.
  @Test func replicasWaitForTheEndOfTheirRound() throws {
    let (settings, games) = ([Self.small, "training.replicas=2", "training.merge_moves=2000"], 400)
    let plain = try Trainer(configuration(settings + ["training.solo_games=10"], games: games))
    var ends: [Int] = []
    try plain.train(reportGames: 0) { _ in ends.append(plain.games) }
    let trainer = try observed(settings + ["training.solo_games=10"], games: games)
    let due = stride(from: Self.period, through: games, by: Self.period)
    let expected = Set(due.compactMap { period in ends.first { $0 >= period } } + [games]).sorted()
    #expect(try kept() == expected && told() == expected, "rounds end at \(ends)")
    #expect(expected.count > 4)
    #expect(try weights(trainer) == weights(plain))
  }

  private func checkpoint(_ name: String = "checkpoint.safetensors") throws -> Checkpoint {
    try Checkpoint(path: folder + "/" + name, of: .program)
  }

  private static func name(_ games: String) -> String {
    "checkpoint-" + String(repeating: "0", count: 13 - games.count) + games + ".safetensors"
  }

  /// A run that would continue from an older checkpoint replaces no newer one: another folder, or the newer one.
  @Test func olderCheckpointsAreNotResumedOverNewerOnes() throws {
    _ = try observed([Self.small], games: 100)
    let before = try kept()
    let old = try checkpoint(Self.name("30"))
    let own = RunDirectoryError.newer(path: folder + "/checkpoint.safetensors", games: 100, than: 30)
    #expect(throws: own) { try RunDirectory.resume(old, with: old.configuration) }
    // A kept checkpoint counts, too, where the newest one is damaged or gone.
    for damage in [Data([1, 2, 3]), nil] {
      try FileManager.default.removeItem(atPath: folder + "/checkpoint.safetensors")
      if let damage { try damage.write(to: URL(fileURLWithPath: folder + "/checkpoint.safetensors")) }
      let kept = RunDirectoryError.newer(path: folder + "/" + Self.name("100"), games: 100, than: 30)
      #expect(throws: kept) { try RunDirectory.resume(old, with: old.configuration) }
      guard damage != nil else { break }
    }
    #expect("\(own)".contains("has 100 games") && "\(own)".contains("--resume") && "\(own)".contains("--output"))
    // The newest one is resumed, and an older one in another folder; nothing has gone.
    let newest = try checkpoint(Self.name("100"))
    #expect(try RunDirectory.resume(newest, with: newest.configuration).path == folder)
    var elsewhere = old.configuration
    elsewhere.output.directory = folder + "-other"
    elsewhere.training.games = 40
    defer { TemporaryFile.remove(folder + "-other") }
    try TrainingRun(
      old.resume(with: elsewhere, allowingChanges: true), in: RunDirectory.resume(old, with: elsewhere), arguments: []
    ).train(shouldStop: { false })
    #expect(try kept() == before)
    #expect(try Checkpoint(path: folder + "-other/checkpoint.safetensors", of: .program).games == 40)
  }

  /// `checkpoint.safetensors` may be a link to another folder. Kept checkpoints are then files of their own.
  @Test func keptCheckpointsAreNoLinksToTheNewest() throws {
    try FileManager.default.createDirectory(atPath: folder + "-disk", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { TemporaryFile.remove(folder + "-disk") }
    _ = try observed([Self.small], games: 30)
    let path = folder + "/checkpoint.safetensors"
    try FileManager.default.moveItem(atPath: path, toPath: folder + "-disk/own.safetensors")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder + "-disk/own.safetensors")
    let start = try checkpoint()
    var longer = start.configuration
    longer.training.games = 90
    try TrainingRun(
      start.resume(with: longer, allowingChanges: true), in: RunDirectory.resume(start, with: longer), arguments: []
    ).train(shouldStop: { false })
    #expect(try kept() == [30, 60, 90])
    for games in [30, 60, 90] { #expect(try checkpoint(Self.name("\(games)")).games == games) }
  }

  /// Numbers of games beyond 32 bits have names in their order, and none is removed in place of an older one.
  @Test func namesHoldAllNumbersOfGames() throws {
    let late = 1 << 31
    let trainer = try observed([Self.small], games: 10)
    try FileManager.default.removeItem(atPath: folder + "/" + Self.name("10"))
    let path = folder + "-late.safetensors"
    defer { TemporaryFile.remove(path) }
    try trainer.save(to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func counters(_ games: Int) -> Data {
      Data(
        [games, trainer.moves].flatMap { count in (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } })
    }
    bytes.replaceSubrange(try #require(bytes.range(of: counters(10))), with: counters(late))
    try bytes.write(to: URL(fileURLWithPath: folder + "/checkpoint.safetensors"))
    let start = try checkpoint()
    #expect(start.games == late)
    var longer = start.configuration
    longer.training.games = late + 40
    longer.output.checkpointGames = 10
    try TrainingRun(
      start.resume(with: longer, allowingChanges: true), in: RunDirectory.resume(start, with: longer), arguments: []
    ).train(shouldStop: { false })
    #expect(try kept().allSatisfy { $0 > late } && kept().count >= 4)
  }
}
