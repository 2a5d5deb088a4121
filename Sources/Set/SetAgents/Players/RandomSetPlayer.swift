public import SetEngine
internal import TupeloBase

/// Takes a uniformly random Set.
public struct RandomSetPlayer: SetAgent {
  private var random: RandomStream

  public init(seed: UInt64 = 0) { random = .lots(seed: seed, number: 0) }

  public mutating func beginGame(seed: UInt64, number: UInt64) { random = .lots(seed: seed, number: number) }

  public mutating func choice(in position: SetPosition) -> Trio? {
    let count = position.table.setCount
    return count == 0 ? nil : position.table.set(ofRank: random.next(below: count))
  }
}
