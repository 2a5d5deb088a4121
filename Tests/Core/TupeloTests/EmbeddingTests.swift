import Foundation
import Testing
import Tupelo

/// A type of an app that wraps a searcher.
private final class Helper: Sendable {
  private let searcher: Searcher<SparseNetwork>

  init(model path: String) throws {
    searcher = Searcher(try SparseNetwork(path: path), limits: .time(.milliseconds(20)))
  }

  func move(on tiles: [[Int]]) async throws -> Move? {
    try await searcher.move(on: Board(tiles: tiles))
  }
}

/// An app needs only the one import that the documentation names.
@Suite struct EmbeddingTests {
  /// The folder of a shipped model.
  private static var folder: String {
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/models/17x4"
  }

  private static func network() throws -> NTupleNetwork { try NTupleNetwork(path: folder) }

  /// A full row of different tiles at the upper edge can only go down.
  @Test func itHelps() async throws {
    let helper = try Helper(model: Self.folder)
    let row = [0, 0, 0, 0]
    #expect(try await helper.move(on: [[2, 4, 8, 16], row, row, row]) == .down)
    #expect(try await helper.move(on: [[131_072, 65_536, 32_768, 16_384], row, row, row]) == .down)
    #expect(try await helper.move(on: [[2, 4, 2, 4], [4, 2, 4, 2], [2, 4, 2, 4], [4, 2, 4, 2]]) == nil)
    await #expect(throws: BoardTextError.badNumber("3", position: 1)) {
      try await helper.move(on: [[3, 0, 0, 0], row, row, row])
    }
  }

  /// A model is loaded from a resource of the app, or from bytes in memory.
  @Test func itLoadsAModelFromAnywhere() throws {
    let url = URL(fileURLWithPath: Self.folder + "/model.safetensors")
    let data = try Data(contentsOf: url)
    let board = try Board(tiles: [[2, 4, 8, 16], [4, 8, 16, 32], [8, 16, 32, 64], [2, 2, 4, 8]])
    var values: Set<Float> = []
    for network in [
      try Self.network(), try NTupleNetwork(contentsOf: url), try NTupleNetwork(bytes: data),
    ] {
      values.insert(network.value(of: Afterstate(bits: board.bits)))
    }
    for network in [
      try SparseNetwork(path: Self.folder), try SparseNetwork(contentsOf: url), try SparseNetwork(bytes: data),
    ] {
      values.insert(network.value(of: Afterstate(bits: board.bits)))
    }
    #expect(values.count == 1 && values != [0])
    #expect(try Self.network().specification == NetworkSpecification.named("17x4"))
  }

  /// An app catches each error by its type, and can name every type that it receives.
  @Test func itNamesWhatItIsHanded() throws {
    func complaint(_ load: () throws -> NTupleNetwork) -> String {
      do {
        let network = try load()
        let weights: WeightStorage<PlainCell> = network.weights
        let indexer: TupleIndexer = network.indexer
        let patterns: [TuplePattern] = network.specification.patterns
        let stages: StagePartition = network.specification.stages
        return "\(weights.count) \(indexer.featureCount) \(patterns.count) \(stages.count)"
      } catch let error as SystemError {
        return "system: \(error)"
      } catch let error as ModelPathError {
        return "path: \(error)"
      } catch let error as SafetensorsError {
        return "format: \(error)"
      } catch let error as ModelFileError {
        return "model: \(error)"
      } catch let error as CompactModelError {
        return "compact: \(error)"
      } catch let error as WeightStorageError {
        return "memory: \(error)"
      } catch let error as NamedLayoutError {
        return "layout: \(error)"
      } catch {
        return "unknown: \(error)"
      }
    }
    #expect(complaint { try Self.network() } == "1114112 17 17 1")
    #expect(complaint { try NTupleNetwork(path: "missing.safetensors") }.hasPrefix("system: missing.safetensors: "))
    #expect(complaint { try NTupleNetwork(path: "/") }.hasPrefix("path: /: "))
    #expect(complaint { try NTupleNetwork(bytes: []) }.hasPrefix("format: the model: "))
    #expect(complaint { try NTupleNetwork(.named("18x4")) }.hasPrefix("layout: there is no layout"))
    let file = try SafetensorsFile(path: Self.folder + "/model.safetensors")
    #expect(try SparseNetwork.byteCount(of: file) == SparseNetwork(file: file).byteCount)
  }

  @Test func itGivesHints() async throws {
    let searcher = Searcher(try Self.network())
    let board = try Board(hex: "1234000000000000")
    let analysis = try await searcher.analyze(board, limits: .plies(2))
    // A full row of different tiles at the upper edge can only go down.
    #expect(analysis.candidates.map(\.move) == [.down])
    let cancellation = SearchCancellation()
    cancellation.cancel()
    #expect(throws: CancellationError.self) {
      try searcher.analyze(board, limits: .time(.seconds(9)), cancellation: cancellation)
    }
  }

  @Test func itPlaysAndKeepsGames() throws {
    var game = Game(seed: 7)
    var record = GameRecord(.init(rules: .standard, start: game.board, agent: "expectimax(plies: 1)", seed: 7))
    var agent = try AgentSpecification(text: "expectimax(plies: 1)").makeAgent(model: Self.network())
    while let move = agent.move(on: game.board), let turn = game.play(move) { record.append(turn) }
    #expect(game.score > 1000)
    let positions = try GameRecord(text: record.text).replay()
    #expect(positions.last?.board == game.board && positions.last?.score == game.score)
  }

  @Test func itDrawsMoves() throws {
    var board = IdentifiedBoard(try Board(hex: "1100000000000000"))
    let played = board.play(.left, appeared: ChanceOutcome(cell: 5, exponent: 1, probability: 0.9))
    let trace = try #require(played)
    #expect(trace.absorbed.count == 1 && trace.reward == 4 && trace.appeared.cell == 5)
  }

  @Test func aMissingModelIsNamed() {
    #expect(throws: SystemError.self) { try Helper(model: "missing.safetensors") }
  }
}
