internal import Threads

/// A flag that ends a search, or games that are being played, from another thread. A search looks at it every few
/// hundred nodes, and games between their moves. It cannot be taken back.
public final class SearchCancellation: Sendable {
  private let flag = Latch()

  public init() {}

  public func cancel() { flag.set() }

  public var isCancelled: Bool { flag.isSet }
}

/// The conditions that stop a search before its depth is done.
struct StopCondition {
  var deadline: ContinuousClock.Instant?
  var nodes = Int.max
  var cancellation: SearchCancellation?

  static let never = StopCondition()

  /// Nodes between two checks. A look at the clock costs about as much as valuing one node.
  static var interval: Int { 256 }

  var isNever: Bool { deadline == nil && nodes == .max && cancellation == nil }

  func isMet(nodes: Int) -> Bool {
    if nodes >= self.nodes || cancellation?.isCancelled == true { return true }
    guard let deadline else { return false }
    return ContinuousClock.now >= deadline
  }

  /// The number of nodes until the next check.
  func interval(after nodes: Int) -> Int {
    isNever ? .max : min(Self.interval, max(self.nodes - nodes, 1))
  }
}
