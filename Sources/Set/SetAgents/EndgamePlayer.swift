public import SetEngine

/// Plays like another agent at first, and exactly once few cards are left in the deck.
public struct EndgamePlayer<Base: SetAgent>: SetAgent {
  private var base: Base
  private let endgame: Endgame

  public init(_ base: Base, endgame: Endgame = Endgame()) { (self.base, self.endgame) = (base, endgame) }

  public mutating func beginGame(seed: UInt64, number: UInt64) { base.beginGame(seed: seed, number: number) }

  public mutating func stop(when isOver: @escaping @Sendable () -> Bool) { base.stop(when: isOver) }

  public mutating func choice(in position: SetPosition) -> Trio? {
    endgame.includes(unseen: position.unseen) ? endgame.choice(in: position) : base.choice(in: position)
  }
}

extension EndgamePlayer: AnalyzingSetAgent where Base: AnalyzingSetAgent {
  public mutating func analyze(_ position: SetPosition) -> SetAnalysis {
    endgame.includes(unseen: position.unseen) ? endgame.analyze(position) : base.analyze(position)
  }
}
