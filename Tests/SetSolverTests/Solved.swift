import SetEngine
import SetSolver

/// Solutions of a deck of 27 cards that several tests share. Each takes some seconds.
enum Solved {
  private static let solver6 = make(6)
  private static let solver9 = make(9)
  private static let solver12 = make(12)
  static let sets6 = solver6.solve()
  static let sets12 = solver12.solve()

  static func solver(_ tableSize: Int) -> SetSolver {
    switch tableSize {
    case 6: solver6
    case 9: solver9
    default: solver12
    }
  }

  private static func make(_ tableSize: Int) -> SetSolver {
    do {
      return try SetSolver(rules: SetRules(features: 3, tableSize: tableSize))
    } catch {
      fatalError("\(error)")
    }
  }
}

extension SetRules {
  /// A position of a random game with at most so many unseen cards.
  func latePosition(unseen: Int, using random: inout some RandomNumberGenerator) -> SetPosition {
    let deals = DealModel(self)
    var position = deals.position(after: SetAfterstate(startOf: self), using: &random)
    while position.unseen.count > unseen, let trio = Array(position.sets).randomElement(using: &random),
      let afterstate = position.afterstate(of: trio)
    {
      position = deals.position(after: afterstate, using: &random)
    }
    return position
  }
}

extension CardSet {
  var indices: [Int] { map(\.index) }
}
