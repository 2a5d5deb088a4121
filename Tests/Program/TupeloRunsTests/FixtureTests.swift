import Foundation
import Safetensors
import TestSupport
import Testing
import TrainingSupport
import TupeloBase
import TupeloEngine
import TupeloEvaluation
import TupeloModels
import TupeloNetwork
import TupeloRuns
import TupeloTraining

/// Files that version 1.0.0 wrote are read by every later version. Tests/Fixtures/1.0.0/README.md says how they came to
/// be; values.txt is by Python, with nothing of this program.
@Suite struct FixtureTests {
  private static func file(_ name: String) -> String { Repository.file("Tests/Fixtures/1.0.0/" + name) }
  private static func text(_ name: String) throws -> String { try Repository.text(of: "Tests/Fixtures/1.0.0/" + name) }

  private static let shape: BoardShape = {
    do { return try BoardShape(rows: 3, columns: 3) } catch { preconditionFailure("\(error)") }
  }()

  /// The boards after each move of game.txt, with their values and the score so far.
  private static func values() throws -> [(board: Board, value: Float, score: Int)] {
    try text("values.txt").split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (try Board(hex: words[0], shape: shape), try #require(Float(words[1])), try #require(Int(words[2])))
    }
  }

  @Test func modelsHaveTheirValues() throws {
    let (model, small) = (try NTupleNetwork(path: Self.file("model.safetensors")), Self.file("compact.safetensors"))
    let compact = try TrainedModel(path: small).board(path: small).patterns(path: small)
    let values = try Self.values()
    #expect(values.count == 31)
    for (board, value, _) in values {
      let state = Afterstate(bits: board.bits, overflow: board.overflow)
      #expect(abs(model.value(of: state) - value) < 0.01, "\(board)")
      // Each of 16 weights is rounded to a multiple of 1.
      #expect(abs(compact.value(of: state) - value) <= 8.01, "\(board)")
    }
  }

  /// A run that goes on from game 200 ends with the weights of the run in one piece.
  @Test func checkpointsAreResumed() throws {
    let checkpoint = try Checkpoint(path: Self.file("checkpoint.safetensors"))
    #expect(checkpoint.games == 200 && checkpoint.moves == 18_426)
    guard checkpoint.behaviour == behaviourVersion else { return }
    let trainer = try checkpoint.resume()
    try trainer.train(until: 400)
    #expect(trainer.moves == 39_501)
    #expect(try trainer.model().identity == TrainedModel(path: Self.file("model.safetensors")).identity)
  }

  @Test func recordsAreReplayed() throws {
    let record = try GameRecord(text: Self.text("game.txt"))
    let (positions, values) = (try record.replay(), try Self.values())
    #expect(record.steps.count == values.count && positions.last?.score == values.last?.score)
  }

  @Test func shardsAreMerged() throws {
    let shards = try [1, 2].map { number in
      let name = "shard-\(number).json"
      return (file: name, shard: try EvaluationShard(json: [UInt8](Data(try Self.text(name).utf8)), file: name))
    }
    let report = try EvaluationShard.merge(shards)
    #expect(report.games == 4 && report.scoreMax == 1260)
    #expect(shards[0].shard.header.model == (try TrainedModel(path: Self.file("model.safetensors")).identity))
  }

  @Test func metricsAreRead() throws {
    let records = try MetricsFile(path: Self.file("metrics.jsonl")).records
    #expect(records.map(\.games) == [100, 200, 300, 400, 400] && records.map(\.moves).last == 39_501)
    #expect(records.compactMap { $0.evaluation(.interim)?.mean }.first == 1040.8)
  }
}
