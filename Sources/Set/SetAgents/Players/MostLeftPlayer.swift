public import SetEngine

/// Takes the Set that leaves the largest number of other Sets on the table; if several are equal, the first in the
/// order of `CardSet.sets`.
public struct MostLeftPlayer: SetAgent {
  public init() {}

  public mutating func choice(in position: SetPosition) -> Trio? {
    position.sets.leastLoss(among: position.table)
  }
}
