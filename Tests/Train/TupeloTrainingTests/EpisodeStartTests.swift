import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// The starts of episodes, tested through the reports of a run and through resuming it.
@Suite struct EpisodeStartTests {
  private static func configuration(_ start: EpisodeStart, stages: StagePartition = .single) throws -> RunConfiguration
  {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(
      patterns: ["0123", "4567", "0145"].map { try TuplePattern(text: $0) }, stages: stages)
    configuration.start = start
    return configuration
  }

  private static func train(_ trainer: Trainer, until games: Int) throws -> TrainingProgress {
    var progress = TrainingProgress()
    try trainer.train(until: games, reportGames: 100, shouldStop: { false }) { progress.add($0) }
    return progress
  }

  @Test func freshEpisodesAreAllFresh() throws {
    let progress = try Self.train(Trainer(Self.configuration(.fresh)), until: 300)
    #expect(progress.freshGames == 300 && progress.outcomes.reduce(0, +) == 300)
  }

  /// A game of n moves is halved about log2(n / 10) times, and the halves together are about as long as the game
  /// itself.
  @Test func restartsHalveEachGame() throws {
    let progress = try Self.train(Trainer(Self.configuration(.restart(moves: 10))), until: 2000)
    #expect(progress.games == 2000)
    #expect((150...700).contains(progress.freshGames), "\(progress.freshGames)")
    #expect(progress.outcomes.reduce(0, +) == progress.freshGames)
  }

  /// With two stages, batches of 20 fresh games alternate with batches of 20 games from the pool, once there is one.
  @Test func theCarouselGoesRoundTheStages() throws {
    let stages = try StagePartition(.largest, at: [128])
    let progress = try Self.train(
      Trainer(Self.configuration(.carousel(batch: 20, pool: 10), stages: stages)), until: 800)
    #expect(progress.freshGames == 400)
    #expect(progress.outcomes[..<7].reduce(0, +) < 200)
  }

  /// The carousel's stages take turns. A board is remembered when an episode enters a later stage, and not when merges
  /// lead back to an earlier one, and a full pool gives up its oldest board. The stage is that of the lowered board.
  @Test func theCarouselRemembersWhereStagesBegin() throws {
    func starts(_ tiles: Int...) throws -> EpisodeStarts {
      let stages = try StagePartition(.present, at: tiles)
      return Game2048(.standard, starts: .carousel(batch: 1, pool: 1), stages: stages).makeStarts()
    }
    var random = RandomStream(seed: 1)
    func next(_ starts: inout EpisodeStarts) -> Board? {
      let start = starts.next(using: &random)
      return start.isFresh ? nil : start.position
    }
    var few = try starts(8, 16)
    let (first, back) = (try Board(hex: "3400000000000000"), try Board(hex: "4000000000000000"))
    let second = try Board(hex: "4300000000000000")
    for boards in [[first, back], [second]] {
      var drawn = [next(&few)]
      for board in boards { few.visit(board) }
      for _ in 1...3 { drawn.append(next(&few)) }
      #expect(drawn == [nil, nil, nil, boards[0]])
    }
    var late = try starts(16384)
    let large = try Board(hex: "f000000000000001")
    let fresh = next(&late)
    late.visit(large)
    let drawn = next(&late)
    #expect(fresh == nil && drawn == large)
  }

  /// An episode that is long enough begins again in its middle.
  @Test func restartsBeginInTheMiddle() throws {
    let boards = try (1...4).map { try Board(hex: "\($0)000000000000000") }
    var starts = Game2048(.standard, starts: .restart(moves: 4), stages: .single).makeStarts()
    var random = RandomStream(seed: 1)
    for (moves, expected) in [(0, nil), (3, nil), (4, boards[2])] {
      for board in boards.prefix(moves) { starts.visit(board) }
      let start = starts.next(using: &random)
      #expect(start.isFresh == (expected == nil) && (expected == nil || start.position == expected))
    }
  }

  /// A full pool that was restored gives up its oldest board, as the pool itself does.
  @Test func restoredPoolsKeepTheirOrder() throws {
    let game = Game2048(.standard, starts: .pool(tile: 8, share: 1, pool: 2), stages: .single)
    var (starts, restored) = (game.makeStarts(), game.makeStarts())
    func reach(_ column: Int, _ starts: inout EpisodeStarts) throws {
      starts.visit(try Board(hex: "1000000000000000"))
      starts.visit(
        try Board(hex: String(repeating: "0", count: column) + "3" + String(repeating: "0", count: 15 - column)))
    }
    for column in 0..<3 { try reach(column, &starts) }
    var words = starts.words[...]
    #expect(restored.restore(from: &words) && words.isEmpty)
    for _ in 1...2 {
      try reach(5, &starts)
      try reach(5, &restored)
      #expect(starts.words == restored.words)
    }
  }

  /// Once a pool has a board, each episode begins there, also after later stages got weights of their own.
  @Test func poolsOutliveTheFirstPhase() throws {
    var configuration = try Self.configuration(
      .pool(tile: 8, share: 1, pool: 5), stages: StagePartition(.largest, at: [256]))
    configuration.stages.afterGames = 50
    #expect(try Self.train(Trainer(configuration), until: 100).freshGames == 1)
  }

  @Test(.slow) func poolsStartTheirShare() throws {
    let progress = try Self.train(Trainer(Self.configuration(.pool(tile: 128, share: 0.25, pool: 50))), until: 2000)
    // Four standard deviations of a binomial are 77.
    #expect(abs(progress.freshGames - 1500) < 90, "\(progress.freshGames)")
  }

  /// A run with all features, with and without a stop, writes the same file, byte for byte.
  @Test(
    .slow,
    arguments: [
      EpisodeStart.restart(moves: 10), .carousel(batch: 7, pool: 20), .pool(tile: 64, share: 0.5, pool: 9),
    ])
  func resumesBitForBit(_ start: EpisodeStart) throws {
    var configuration = try Self.configuration(start, stages: StagePartition(.largest, at: [64, 256]))
    configuration.returns = LambdaReturn(lambda: 0.5, steps: 4)
    configuration.exploration = 0.01
    configuration.schedule.warmUpGames = 300
    configuration.schedule.changes = [.init(games: 700, alpha: 0.5), .init(games: 1100, alpha: 0.25)]
    configuration.stages.afterGames = 400
    configuration.averaging.everyGames = 150
    try expectResumesBitForBit(configuration, games: 1200, stops: [200, 400, 555])
  }

  /// Backward learning has no state between episodes but the weights.
  @Test func backwardLearningResumesBitForBit() throws {
    var configuration = try Self.configuration(.fresh)
    configuration.returns = LambdaReturn(lambda: 0.5, steps: nil)
    try expectResumesBitForBit(configuration, games: 500, stops: [250])
  }

  /// A checkpoint plays as its trainer does, also where a later stage has not read a weight yet.
  @Test func filledStagesPlayFromFiles() throws {
    let path = TemporaryFile.path("filled.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try Self.configuration(.fresh, stages: StagePartition(.largest, at: [256]))
    for promotion in RunConfiguration.Stages.Promotion.allCases {
      configuration.stages.promotion = promotion
      let trainer = try Trainer(configuration)
      _ = try Self.train(trainer, until: 200)
      try trainer.save(to: path)
      let (own, loaded) = try (trainer.network(), NTupleNetwork(path: path))
      #expect((0..<own.weights.count).allSatisfy { own.weights[$0].weight == loaded.weights[$0].weight })
      let size = configuration.network.stageWeightCount
      let unfilled = (0..<size).count { own.weights[$0].weight != 0 && own.weights[$0 + size].weight == 0 }
      #expect((unfilled == 0) == (promotion == .weight))
      guard promotion == .weight else { continue }
      // A run that starts from it plays in the same way, whether it takes over weights itself or not.
      for other in RunConfiguration.Stages.Promotion.allCases {
        configuration.stages.promotion = other
        configuration.initialModel = path
        let next = try Trainer(configuration).network()
        #expect((0..<own.weights.count).allSatisfy { own.weights[$0].weight == next.weights[$0].weight })
      }
    }
  }

  /// Weights that later stages are to take over from the first must be zero until then, or nothing would ever be taken
  /// over.
  @Test(arguments: RunConfiguration.Stages.Promotion.allCases)
  func optimismLeavesLaterStagesToPromotion(_ promotion: RunConfiguration.Stages.Promotion) throws {
    let path = TemporaryFile.path("optimistic.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try Self.configuration(.fresh, stages: StagePartition(.largest, at: [256]))
    configuration.initialValue = 2400
    configuration.averaging.everyGames = 0
    configuration.stages.promotion = promotion
    let trainer = try Trainer(configuration)
    try trainer.save(to: path)
    let file = try SafetensorsFile(path: path)
    // Three patterns on eight symmetric boards share a value of 2,400.
    for (number, expected) in [(0, Float(100)), (3, promotion == .weight ? 0 : 100)] {
      #expect(try file.array(of: "weights.\(number)", as: Float.self).allSatisfy { $0 == expected })
    }
    let network = try trainer.network()
    #expect((0..<network.weights.count).allSatisfy { network.weights[$0].weight == 100 })
  }

  @Test func frozenStagesStayAsTheyAre() throws {
    let path = TemporaryFile.path("frozen.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try Self.configuration(.fresh, stages: StagePartition(.largest, at: [256]))
    let first = try Trainer(configuration)
    _ = try Self.train(first, until: 300)
    try first.save(to: path)
    let before = try first.network()
    configuration.stages.frozen = [0]
    #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume(with: configuration) }
    let second = try Checkpoint(path: path).resume(with: configuration, allowingChanges: true)
    _ = try Self.train(second, until: 600)
    let after = try second.network()
    let size = configuration.network.stageWeightCount
    #expect((0..<size).allSatisfy { before.weights[$0].weight == after.weights[$0].weight })
    #expect((size..<2 * size).contains { before.weights[$0].weight != after.weights[$0].weight })
  }

  /// Boards in a checkpoint that no game can have are refused, not played.
  @Test func damagedStartsAreRefused() throws {
    let path = TemporaryFile.path("damaged.safetensors")
    defer { TemporaryFile.remove(path) }
    let trainer = try Trainer(Self.configuration(.restart(moves: 10)))
    _ = try Self.train(trainer, until: 101)
    try trainer.save(to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The words come early: 64-bit tensors are sorted to the front. The overflow word of a board is zero in these
    // games.
    let length = bytes.prefix(8).enumerated().reduce(0) { $0 | Int($1.element) << ($1.offset * 8) }
    let header = String(decoding: bytes[8..<8 + length], as: UTF8.self)
    let match = try #require(header.firstMatch(of: /"training.starts":\{[^}]*"data_offsets":\[(\d+),(\d+)\]/))
    let start = 8 + length + Int(match.1)!
    // The layout is: count of words, episodes, count of boards, then bits and overflow of the first board.
    bytes[start + 4 * 8] = 0xff
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: CheckpointError.self) { try Checkpoint(path: path).resume() }
    #expect(error == .badState(path: path, name: "training.starts"))
  }
}
