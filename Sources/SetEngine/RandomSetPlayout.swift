/// Plays a position to its end by uniformly random Sets: the engine alone at full speed.
public struct RandomSetPlayout: Sendable {
  @usableFromInline let deals: DealModel

  /// What a playout came to.
  public struct Result: Hashable, Sendable {
    /// Sets taken on the way.
    public var sets = 0
    /// The cards left on the table at the end.
    public var left = CardSet()

    @inlinable
    public init(sets: Int = 0, left: CardSet = CardSet()) { (self.sets, self.left) = (sets, left) }
  }

  public init(rules: SetRules = .standard) { deals = DealModel(rules) }

  /// Plays on from an afterstate until the game is over.
  @inlinable
  public func play(_ start: SetAfterstate, using random: inout some RandomNumberGenerator) -> Result {
    var (afterstate, sets) = (start, 0)
    while true {
      let position = deals.position(after: afterstate, using: &random)
      let choices = position.table.setCount
      guard choices > 0 else { return Result(sets: sets, left: position.table) }
      let rank = random.next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: choices)).high
      let trio = position.table.set(ofRank: Int(truncatingIfNeeded: rank))
      afterstate = SetAfterstate(table: position.table.subtracting(trio.cards), unseen: position.unseen)
      sets &+= 1
    }
  }
}
