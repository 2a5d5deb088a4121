internal import SetAgents
internal import SetEngine
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTables

/// The state of a module: the rules that a page plays by, and the network that it uses.
final class Module: @unchecked Sendable {
  /// The only one; a page that wants two makes two instances of the module.
  static let shared = Module()

  let exchange = Exchange()
  let room = Room()
  private var reader: ModelReader?
  private(set) var network: LoadedNetwork?
  /// The error, or the answer to a question about Set.
  private(set) var message: [UInt8] = []
  /// The random stream of agents that choose at random. The page seeds it.
  var agentStream = RandomStream(seed: 0)
  /// The players of Set; the network is one of them once its weights are there.
  lazy var setAgents = SetWebAgent.all(nil)
  private var search: Expectimax<BoardEvaluator>?
  private var rules = Rules.standard

  /// Memory for searched positions: deep analyses need more than the default.
  private static let tableBytes = 16 << 20

  /// The board of the question.
  var board: Board {
    (0..<16).reduce(.empty) { $0.replacing(cell: $1, with: exchange.exponent(at: $1)) }
  }

  /// The shape of the board of the question, which has walls outside the shape. 4x4 when no board has such walls.
  var shape: BoardShape {
    func side(_ step: Int) -> Int { (0..<4).reduce(4) { exchange.isWall($1 * step) ? $0 - 1 : $0 } }
    return (try? BoardShape(rows: side(4), columns: side(1))) ?? .standard
  }

  /// The rules for a board of this shape; `nil` when they are not possible.
  ///
  /// - Parameter four: the probability of a 4
  func rules(four: Double, startTiles: Int = 2) -> Rules? {
    try? Rules(shape: shape, fourProbability: four, startTiles: startTiles)
  }

  /// Notes an error, for the page to show. Returns the value that exported functions return then.
  func fail(_ message: String) -> Int32 {
    self.message = Array(message.utf8)
    return 1
  }

  /// Notes an answer in words. Returns the value that exported functions return then.
  func answer(_ text: String) -> Int32 {
    message = Array(text.utf8)
    return 0
  }

  /// Begins to read a model file, whose network replaces the present one.
  ///
  /// - Returns: 0 when it is done, 1 when a message says why it is not.
  func open(byteCount: Double) -> Int32 {
    (network, search) = (nil, nil)
    setAgents = SetWebAgent.all(nil)
    // In the page, a whole number and an address have 32 bits.
    guard let byteCount = Int(exactly: byteCount) else { return advance(.storage(.refused(bytes: .max))) }
    do {
      reader = try ModelReader(byteCount: byteCount)
      return advance(nil)
    } catch {
      return advance(error)
    }
  }

  /// Reads the piece of a model file that is in the room.
  ///
  /// - Returns: 0 when it is done, 1 when a message says why it is not.
  func take() -> Int32 {
    guard let reader, let piece = reader.next else { return 0 }
    do {
      let count = piece.unpackedCount ?? piece.range.count
      try room.withBytes(count: count) { bytes throws(ModelReadingError) in try reader.take(bytes) }
      return advance(nil)
    } catch {
      return advance(error)
    }
  }

  /// Tells the page what is wanted next. The network is offered when it is complete.
  private func advance(_ failure: ModelReadingError?) -> Int32 {
    if let piece = reader?.next, failure == nil {
      exchange.setPiece(from: piece.range.lowerBound, count: piece.range.count, unpacked: piece.unpackedCount)
      return 0
    }
    network = reader?.network
    reader = nil
    exchange.setPiece(from: -1, count: 0, unpacked: nil)
    room.clear()
    if case .set(let network) = network { setAgents = SetWebAgent.all(network) }
    switch failure {
    case nil: return 0
    case .header: return fail("Its file is damaged: load the page again.")
    case .model(let error): return fail(error.description)
    case .compact(let error): return fail(error.description)
    case .storage(let error): return fail(error.description)
    }
  }

  /// Calls `body` with the search for the board of the question.
  ///
  /// - Parameter four: the probability of a 4
  /// - Returns: whether there is a search: on 4x4 it needs a network.
  func withSearch(four: Double, _ body: (inout Expectimax<BoardEvaluator>) -> Void) -> Bool {
    guard let rules = rules(four: four) else { return false }
    if search == nil || rules != self.rules {
      guard let evaluator = BoardEvaluator(rules.shape, network: network) else { return false }
      self.rules = rules
      do {
        search = try Expectimax(evaluator, limits: SearchLimits(), rules: rules, tableBytes: Self.tableBytes)
      } catch {
        search = nil
        return false
      }
    }
    guard var current = search else { return false }
    body(&current)
    search = current
    return true
  }
}
