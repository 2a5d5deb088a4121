import Foundation
import Tupelo

/// Finds moves for a view that holds its tiles as rows of numbers. The model is a resource of the app, or bytes.
final class Coach: Sendable {
  private let searcher: Searcher<SparseNetwork>

  /// The time for one move.
  static let time = Duration.milliseconds(20)

  init(_ network: SparseNetwork) {
    searcher = Searcher(network, limits: .time(Self.time))
  }

  /// A coach with the model folder `name` in a bundle.
  convenience init(bundle: Bundle, model name: String) throws {
    guard let url = bundle.url(forResource: name, withExtension: nil) else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
    }
    self.init(try SparseNetwork(contentsOf: url))
  }

  /// A coach with a model that the app holds in memory, such as one that it has downloaded.
  convenience init(bytes: Data) throws {
    self.init(try SparseNetwork(bytes: bytes))
  }

  func move(on tiles: [[Int]]) async throws -> Move? {
    try await searcher.move(on: Board(tiles: tiles))
  }

  /// The values of the legal moves at a fixed depth, which are the same on every machine.
  func values(on tiles: [[Int]], plies: Int) async throws -> [Move: Double] {
    let analysis = try await searcher.analyze(Board(tiles: tiles), limits: .plies(plies))
    return Dictionary(uniqueKeysWithValues: analysis.candidates.map { ($0.move, $0.value) })
  }
}
