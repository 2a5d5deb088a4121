import Foundation
import Safetensors
import TestSupport
import Testing
import TrainingSupport
import TupeloCluster
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTraining

/// Runs whose replicas learn on weights of their own.
@Suite struct ReplicaTrainingTests {
  private static func configuration(
    replicas: Int = 2, _ stepSize: RunConfiguration.StepSize = .temporalCoherence(alpha: 1)
  ) throws -> RunConfiguration {
    var configuration = try CheckpointTests.configuration(stepSize, patterns: ["0123", "4567", "0145", "5678"])
    configuration.training.replicas = replicas
    configuration.training.mergeMoves = 2000
    configuration.training.gamesAtOnce = 2
    configuration.training.soloGames = 40
    configuration.averaging.everyGames = 90
    configuration.seed = 5
    return configuration
  }

  private static func train(
    _ trainer: Trainer, until games: Int, shouldStop: @Sendable () -> Bool = { false }
  ) throws {
    try trainer.train(until: games, reportGames: 100, shouldStop: shouldStop, onRound: { _ in })
  }

  /// The bytes of a checkpoint.
  private static func bytes(_ trainer: Trainer) throws -> Data {
    let path = TemporaryFile.path("replicas.safetensors")
    defer { TemporaryFile.remove(path) }
    try trainer.save(to: path)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private static func resumed(
    _ bytes: Data, _ change: (inout RunConfiguration) -> Void = { _ in },
    communicator: any Communicator = SoloCommunicator()
  ) throws -> Trainer {
    let path = TemporaryFile.path("replicas.safetensors")
    defer { TemporaryFile.remove(path) }
    try bytes.write(to: URL(fileURLWithPath: path))
    let checkpoint = try Checkpoint(path: path)
    var configuration = checkpoint.configuration
    change(&configuration)
    return try checkpoint.resume(with: configuration, communicator: communicator)
  }

  /// The weights of a checkpoint, table after table.
  private static func weights(_ bytes: Data) throws -> [[Float]] {
    let path = TemporaryFile.path("weights.safetensors")
    defer { TemporaryFile.remove(path) }
    try bytes.write(to: URL(fileURLWithPath: path))
    let file = try SafetensorsFile(path: path)
    return try file.tensors.filter { $0.type == .f32 }.map { try file.array(of: $0.name, as: Float.self) }
  }

  /// The words of the random streams of a checkpoint.
  private static func streams(_ bytes: Data) throws -> [UInt64] {
    let path = TemporaryFile.path("streams.safetensors")
    defer { TemporaryFile.remove(path) }
    try bytes.write(to: URL(fileURLWithPath: path))
    return try SafetensorsFile(path: path).array(of: "training.random", as: UInt64.self)
  }

  /// Replicas have random streams of their own, and a run with one replica equals a run without replicas.
  @Test(.slow) func replicasPlayDifferentGames() throws {
    let pair = try Trainer(Self.configuration())
    try Self.train(pair, until: 300)
    let streams = try Self.streams(Self.bytes(pair))
    #expect(streams.count == 8 && streams[..<4] != streams[4...])
    var scores: Set<Double> = []
    let again = try Trainer(Self.configuration())
    try again.train(until: 300, reportGames: 1, shouldStop: { false }) { scores.insert($0.scoreSum) }
    #expect(scores.count > 3)
    #expect(try Self.bytes(again) == Self.bytes(pair))
    var single = try Self.configuration(replicas: 1)
    let one = try Trainer(single)
    try Self.train(one, until: 200)
    single.training.mergeMoves = 77
    let other = try Trainer(single)
    try Self.train(other, until: 200)
    #expect(try Self.weights(Self.bytes(one)) == Self.weights(Self.bytes(other)))
  }

  /// A checkpoint contains merged weights, so any number of replicas can resume it.
  @Test(.slow, arguments: [1, 2, 4]) func anyNumberOfReplicasResumes(_ replicas: Int) throws {
    let first = try Trainer(Self.configuration())
    try Self.train(first, until: 300)
    let bytes = try Self.bytes(first)
    let second = try Self.resumed(bytes) { $0.training.replicas = replicas }
    #expect(second.games == 300 && second.moves == first.moves)
    #expect(try Self.weights(Self.bytes(second)) == Self.weights(bytes))
    #expect(try Self.streams(Self.bytes(second)).count == 4 * replicas)
    try Self.train(second, until: 400)
    #expect(second.games == 400)
    #expect(try Self.weights(Self.bytes(second)) != Self.weights(bytes))
  }

  /// A replica that plays alone, merged after each game, does what a run without replicas does, bit for bit: also where
  /// whole tables change, by stages that begin as copies, promotion, decay, an initial value and averaging.
  @Test(arguments: [RunConfiguration.StepSize.constant(alpha: 0.1), .temporalCoherence(alpha: 1)])
  func aReplicaThatPlaysAloneIsTheRun(_ stepSize: RunConfiguration.StepSize) throws {
    var configuration = try Self.configuration(replicas: 1, stepSize)
    configuration.network = try NetworkSpecification(
      patterns: configuration.network.patterns, stages: StagePartition(text: "largest=128"))
    configuration.stages.afterGames = 150
    configuration.decay.share = 0.01
    configuration.decay.everyGames = 70
    configuration.initialValue = 320
    configuration.training.gamesAtOnce = 1
    configuration.training.soloGames = 1000
    let plain = try Trainer(configuration)
    try Self.train(plain, until: 300)
    configuration.training.replicas = 3
    configuration.training.mergeMoves = 1
    let replicas = try Trainer(configuration)
    try Self.train(replicas, until: 300)
    #expect(try Self.weights(Self.bytes(replicas)) == Self.weights(Self.bytes(plain)))
    #expect(replicas.moves == plain.moves && replicas.games == 300)
  }

  /// The solo phase ends at its number of games, also where a round of replicas is longer.
  @Test func theSoloPhaseEndsAtItsGames() throws {
    var configuration = try Self.configuration()
    (configuration.training.soloGames, configuration.training.mergeMoves) = (5, 1_000_000)
    let trainer = try Trainer(configuration)
    var ends: [Int] = []
    try trainer.train(until: 40, reportGames: 0) { _ in ends.append(trainer.games) }
    #expect(ends == [5, 40])
  }

  /// Threads of a rank share their weights, and in the solo phase one of them plays alone: its games are those of a run
  /// with one thread.
  @Test func oneThreadPlaysTheSoloPhase() async throws {
    func solo(threads: Int) async throws -> [[Float]] {
      var configuration = try Self.configuration(replicas: 1)
      (configuration.training.threads, configuration.training.soloGames) = (threads, 60)
      let ready = configuration
      return try await Sharing.twoRanks.onRanks { communicator in
        let trainer = try Trainer(ready, communicator: communicator)
        try trainer.train(until: 60, reportGames: 0) { _ in }
        return try Self.weights(Self.bytes(trainer))
      }
    }
    let (one, three) = (try await solo(threads: 1), try await solo(threads: 3))
    #expect(one == three)
  }

  /// Two ranks with one replica each both play games, and not the same ones.
  @Test func ranksOfOneReplicaAllPlay() async throws {
    var configuration = try Self.configuration(replicas: 1)
    configuration.training.soloGames = 0
    let ready = configuration
    let streams = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for communicator in ThreadCommunicator.ranks(2) {
        group.addTask {
          try await OwnThread.run {
            let trainer = try Trainer(ready, communicator: communicator)
            try Self.train(trainer, until: 2)
            return try Self.streams(Self.bytes(trainer))
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let begun = try Self.streams(Self.bytes(Trainer(Self.configuration(replicas: 2))))
    #expect(streams.count == 2 && streams[0] == streams[1] && begun.count == 8)
    #expect(begun[..<4] != streams[0][..<4] && begun[4...] != streams[0][4...])
    #expect(Array(streams[0][..<4]) != Array(streams[0][4...]), "the ranks play different games")
  }

  /// Several ranks, here threads, train one network. Each rank has the same bits, on every machine and in every run,
  /// and another number of ranks can resume the checkpoint.
  @Test(.slow) func ranksTrainTogether() async throws {
    let configuration = try Self.configuration(replicas: 2)
    @Sendable func job(_ ranks: Int, from checkpoint: Data? = nil, until games: Int) async throws -> [Data] {
      try await withThrowingTaskGroup(of: Data.self) { group in
        for communicator in ThreadCommunicator.ranks(ranks) {
          group.addTask {
            try await OwnThread.run {
              let trainer =
                try checkpoint.map { try Self.resumed($0, communicator: communicator) }
                ?? Trainer(configuration, communicator: communicator)
              // Only the first rank can stop the run.
              try Self.train(trainer, until: games, shouldStop: { communicator.rank > 0 })
              return try Self.bytes(trainer)
            }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
    let three = try await job(3, until: 300)
    #expect(three.count == 3 && Set(three).count == 1)
    #expect(try await job(3, until: 300).first == three[0])
    // Each of six workers has played: its stream differs from the one that it began with.
    let (begun, played) = try (
      Self.streams(Self.bytes(Trainer(Self.configuration(replicas: 6)))), Self.streams(three[0])
    )
    #expect(begun.count == 24 && played.count == 24)
    for worker in stride(from: 0, to: 24, by: 4) {
      #expect(begun[worker..<worker + 4] != played[worker..<worker + 4], "worker \(worker / 4)")
    }
    let two = try await job(2, from: three[0], until: 400)
    #expect(Set(two).count == 1)
    let alone = try Self.resumed(two[0])
    #expect(try alone.games == 400 && Self.streams(Self.bytes(alone)).count == 8)
    try Self.train(alone, until: 450)
    #expect(alone.games == 450)
  }

  /// Settings that do not allow replicas, and a run that does not fit, are refused before the run begins.
  @Test(
    arguments: [
      ("training.threads=2", "training.threads: 2 threads share weights, and training.replicas gives each its own"),
      ("network.dense.hidden=8", "replicas cannot be used with network.dense"),
      ("game=set", "replicas cannot be used with game set"),
    ] as [(String, String)])
  func refusesWhatCannotBeMerged(_ setting: String, _ text: String) throws {
    let error = #expect(throws: ConfigurationError.self) {
      try RunConfiguration.load(
        file: nil, environment: [:], overrides: ["training.replicas=2", setting], of: testGames)
    }
    #expect("\(error!)".contains(text), "\(error!)")
  }

  /// A message for each setting that cannot be merged, so that one attempt shows all of them.
  @Test func everythingThatCannotBeMergedIsNamed() throws {
    let dice = GameKind(name: "dice", title: "dice")
    let error = #expect(throws: ConfigurationError.self) {
      try RunConfiguration.load(
        file: nil, environment: [:], overrides: ["game=dice", "network.dense.hidden=8", "training.replicas=2"],
        of: GameCatalogue([.twentyFortyEight, dice]))
    }
    #expect(
      error?.problems.map(\.description)
        == ["game dice", "network.dense"].map {
          "--set training.replicas: replicas cannot be used with \($0): leave out one of the two"
        })
  }

  @Test func memoryIsThatOfAllReplicas() throws {
    let one = try Self.configuration(replicas: 1)
    let weights = one.network.weightCount
    let three = try Self.configuration(replicas: 3)
    #expect(Trainer.memory(of: three) - Trainer.memory(of: one) == 3 * (12 * weights + weights / 16))
    #expect(Trainer.memory(of: one, ranks: 4) - Trainer.memory(of: one) == 12 * weights + weights / 16)
  }
}
