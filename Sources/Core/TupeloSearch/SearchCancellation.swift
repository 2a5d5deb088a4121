internal import TupeloBase

/// A flag that ends a search, or games that are being played, from another thread. A search checks the flag every few
/// hundred nodes, and games check it between moves. It cannot be reset.
public final class SearchCancellation: Sendable {
  private let flag = Latch()

  public init() {}

  public func cancel() { flag.set() }

  public var isCancelled: Bool { flag.isSet }
}

/// The conditions that stop a search before its depth is done.
struct StopCondition {
  var deadline: Deadline?
  var nodes = Int.max
  var cancellation: SearchCancellation?

  static let never = StopCondition()

  /// Nodes between two checks. Reading the clock takes about as long as valuing one node.
  static var interval: Int { 256 }

  var isNever: Bool { deadline == nil && nodes == .max && cancellation == nil }

  func isMet(nodes: Int) -> Bool {
    if nodes >= self.nodes || cancellation?.isCancelled == true { return true }
    return deadline?.isOver ?? false
  }

  /// The number of nodes until the next check.
  func interval(after nodes: Int) -> Int {
    isNever ? .max : min(Self.interval, max(self.nodes - nodes, 1))
  }
}
