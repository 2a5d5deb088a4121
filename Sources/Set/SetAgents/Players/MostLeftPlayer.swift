public import SetEngine

/// Takes the Set that leaves most other Sets on the table; of equals, the first in the order of `CardSet.sets`.
public struct MostLeftPlayer: SetAgent {
  public init() {}

  public mutating func choice(in position: SetPosition) -> Trio? {
    position.sets.leastLoss(among: position.table)
  }
}
