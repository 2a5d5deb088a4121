/// An arithmetic sequence of game numbers, such as the games of one shard.
public struct GameNumbers: RandomAccessCollection, Hashable, Sendable {
  private let first: Int
  private let step: Int
  public let count: Int

  /// - Parameters:
  ///   - first: the first number
  ///   - end: above the last number
  ///   - step: the distance of two numbers, at least 1
  public init(from first: Int = 0, to end: Int, by step: Int = 1) {
    precondition(step >= 1)
    (self.first, self.step) = (first, step)
    count = end > first ? (end - first - 1) / step + 1 : 0
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(position: Int) -> Int {
    precondition(position >= 0 && position < count)
    return first + position * step
  }
}
