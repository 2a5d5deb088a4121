internal import SetAgents
internal import SetEngine
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch

/// The state of a module: the rules that a page plays by, and the network that it uses.
final class Module: @unchecked Sendable {
  /// The only one; a page that wants two makes two instances of the module.
  static let shared = Module()

  let exchange = Exchange()
  let room = Room()
  private var loading: LoadingNetwork?
  private(set) var network: LoadedNetwork?
  /// The error, or the answer to a question about Set.
  private(set) var message: [UInt8] = []
  /// Random choices; the page seeds them.
  var lots = RandomStream(seed: 0)
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

  /// Makes a network, to be filled by the loader.
  ///
  /// - Returns: 0 when it is done, 1 when a message says why it is not.
  func begin(_ text: String, fingerprint: String) -> Int32 {
    load { module throws(ModelLoaderError) in
      (module.loading, module.network, module.search) = (nil, nil, nil)
      module.setAgents = SetWebAgent.all(nil)
      module.loading = try LoadingNetwork(text, fingerprint: fingerprint)
    }
  }

  /// Offers the network, whose weights are all there.
  ///
  /// - Returns: 0 when it is done, 1 when a message says why it is not.
  func endLoading(fillsStages: Bool) -> Int32 {
    load { module throws(ModelLoaderError) in
      guard let loading = module.loading else { return }
      module.loading = nil
      module.network = try loading.finished(fillsStages: fillsStages)
      guard case .set(let network) = module.network else { return }
      module.setAgents = SetWebAgent.all(network)
    }
  }

  /// The loader that fills the network.
  var loader: ModelLoader? { loading?.loader }

  /// Runs a step of loading.
  ///
  /// - Returns: 0 when it is done, 1 when a message says why it is not.
  func load(_ body: (Module) throws(ModelLoaderError) -> Void) -> Int32 {
    do throws(ModelLoaderError) {
      try body(self)
      return 0
    } catch {
      return fail(error.description)
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
