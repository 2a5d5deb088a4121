public import SetEngine

/// The exact values of the card game Set with a deck of 27 cards: the reference for players and networks.
///
/// A value is the expected number of Sets still to come. No game is played. Cards are dealt one at a time, so that many
/// deals share their steps; the probabilities are those of three cards dealt at once. States that are images of each
/// other under an affine map of the deck count as one, which leaves about 100,000 states. A deck of 81 cards has too
/// many.
///
/// Tests compare the values with `Endgame`, with a search that does not use symmetry, and with whole games. A solver
/// takes some seconds in a release build, so tests share one for each size of the table.
public final class ExactSetSolver: Sendable {
  public let rules: SetRules
  private let geometry: SetGeometry
  /// All states that games come to, each before the states that follow it. The first one is the start of the game.
  private let states: [SetState]
  private let numbers: [SetState: Int]
  /// The numbers of the states that follow each state: one per Set on the table, or one per unseen card.
  private let followers: [[Int]]
  /// The value of each state under best play.
  private let values: [Double]

  /// - Precondition: the deck has 27 cards.
  public init(_ rules: SetRules) {
    precondition(rules.cardCount == 27, "decks of 27 cards are solved")
    let geometry = SetGeometry()
    var form = SetCanonicalForm(geometry)
    var layers = [Set<SetState>](repeating: [], count: SetState.layerCount)
    layers[0] = [form.state(of: SetState(table: CardSet(), unseen: rules.deck))]
    var (states, following) = ([SetState](), [[SetState]]())
    for layer in layers.indices {
      for state in layers[layer].sorted(by: { $0.bits < $1.bits }) {
        var next: [SetState] = []
        for follower in state.followers(rules) { next.append(form.state(of: follower)) }
        for follower in next { layers[follower.layer].insert(follower) }
        states.append(state)
        following.append(next)
      }
    }
    var numbers: [SetState: Int] = [:]
    for (number, state) in states.enumerated() { numbers[state] = number }
    let followers = following.map { $0.map { numbers[$0]! } }
    self.rules = rules
    self.geometry = geometry
    self.states = states
    self.numbers = numbers
    self.followers = followers
    values = Self.values(of: states, choices: followers, rules, pick: max)
  }

  /// The value of every state.
  ///
  /// - Parameters:
  ///   - choices: the numbers of the states that may follow each state
  ///   - pick: joins the values of two choices of the player
  private static func values(
    of states: [SetState], choices: [[Int]], _ rules: SetRules, pick: (Double, Double) -> Double
  ) -> [Double] {
    var values = [Double](repeating: 0, count: states.count)
    for number in states.indices.reversed() {
      let next = choices[number].map { values[$0] }
      guard let first = next.first else { continue }
      if states[number].isDeal(rules) {
        values[number] = next.reduce(0, +) / Double(next.count)
      } else {
        values[number] = 1 + next.dropFirst().reduce(first, pick)
      }
    }
    return values
  }

  /// The number of Sets that best play takes on average.
  public var bestSets: Double { values[0] }

  /// The expected number of Sets still to come under best play; `nil` for a position that no game comes to.
  public func value(of position: SetPosition) -> Double? {
    value(SetState(table: position.table, unseen: position.unseen))
  }

  private func value(_ state: SetState) -> Double? {
    var form = SetCanonicalForm(geometry)
    return numbers[form.state(of: state)].map { values[$0] }
  }

  /// The Sets on the table that best play may take.
  public func bestSets(in position: SetPosition) -> [Trio] {
    let state = SetState(table: position.table, unseen: position.unseen)
    let trios = Array(position.sets)
    let values = trios.map { value(state.taking($0)) ?? -1 }
    let best = values.max() ?? 0
    return zip(trios, values).filter { $1 > best - 1e-9 }.map(\.0)
  }
}

/// Values of policies: the probability of each state flows from the start to the end of the game.
extension ExactSetSolver {
  /// The value of a policy. The policy chooses in one of several symmetric positions only, so the value is exact for a
  /// policy that treats symmetric positions alike.
  public struct PolicyValue: Sendable {
    /// The expected number of Sets of a game, when each of equally good Sets is taken with equal probability.
    public var sets = 0.0
    /// The lowest and the highest expected number of Sets of all ways to choose among equally good Sets.
    public var setsByTies = 0.0...0.0
    /// The probability that 3 k cards are left over, by k.
    public var cardsLeft = [Double](repeating: 0, count: 10)
  }

  /// The exact value of a policy.
  ///
  /// - Parameter policy: gives the Sets that it finds best, at least one
  public func value(of policy: (SetPosition) -> [Trio]) -> PolicyValue {
    var result = PolicyValue()
    var (chances, choices) = ([Double](repeating: 0, count: states.count), followers)
    chances[0] = 1
    for number in states.indices where chances[number] > 0 {
      let state = states[number]
      if !state.isDeal(rules) {
        choices[number] = self.choices(of: policy, at: number)
        if choices[number].isEmpty {
          result.cardsLeft[state.cardCount / 3] += chances[number]
        } else {
          result.sets += chances[number]
        }
      }
      for next in choices[number] { chances[next] += chances[number] / Double(choices[number].count) }
    }
    let lowest = Self.values(of: states, choices: choices, rules, pick: min)[0]
    let highest = Self.values(of: states, choices: choices, rules, pick: max)[0]
    result.setsByTies = lowest...max(lowest, highest)
    return result
  }

  /// The exact value of the greedy policy of an evaluator.
  ///
  /// - Parameter tolerance: Sets whose values are closer than this to the best count as equally good: the values of
  ///   symmetric positions may differ by rounding
  public func value(ofGreedyPolicyOf evaluator: some SetEvaluator, tolerance: Float = 1e-5) -> PolicyValue {
    value { position in
      let trios = Array(position.sets)
      let values = trios.map { trio in
        evaluator.value(of: SetAfterstate(table: position.table.subtracting(trio.cards), unseen: position.unseen))
      }
      let best = values.max() ?? 0
      return zip(trios, values).filter { $1 >= best - tolerance }.map(\.0)
    }
  }

  /// The numbers of the states to which a policy leads from a state in which the player chooses.
  private func choices(of policy: (SetPosition) -> [Trio], at number: Int) -> [Int] {
    let state = states[number]
    let trios = Array(state.table.sets)
    guard !trios.isEmpty else { return [] }
    return policy(SetPosition(uncheckedTable: state.table, unseen: state.unseen)).map { trio in
      guard let rank = trios.firstIndex(of: trio) else { preconditionFailure("\(trio) is not on the table") }
      return followers[number][rank]
    }
  }
}

/// A state of the game in one number: bit i says that card i lies on the table, bit 27 + i that it is still unseen.
///
/// Positions, afterstates and deals that are under way all have codes of this kind.
struct SetState: Hashable, Sendable {
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  /// - Precondition: all cards are among the first 27.
  init(table: CardSet, unseen: CardSet) { bits = Self.mask(of: table) | Self.mask(of: unseen) << 27 }

  private var tableBits: UInt64 { bits & (1 << 27 - 1) }
  private var unseenBits: UInt64 { bits >> 27 }
  var table: CardSet { Self.cards(of: tableBits) }
  var unseen: CardSet { Self.cards(of: unseenBits) }
  var cardCount: Int { bits.nonzeroBitCount }

  /// Layers by the Sets taken, then by the cards dealt. A choice and a deal lead to later layers.
  var layer: Int { (27 - cardCount) / 3 * 28 + 27 - unseenBits.nonzeroBitCount }

  static var layerCount: Int { 10 * 28 }

  /// Whether an unseen card comes next, not a choice. Deals come in threes, since tables and decks do.
  func isDeal(_ rules: SetRules) -> Bool {
    guard unseenBits != 0 else { return false }
    let onTable = tableBits.nonzeroBitCount
    return onTable < rules.tableSize || onTable % 3 != 0 || !table.hasSet
  }

  /// The states that follow: one per Set on the table in the order of `CardSet.sets`, or one per unseen card.
  func followers(_ rules: SetRules) -> [SetState] {
    guard isDeal(rules) else { return table.sets.map(taking) }
    return unseen.map { card in
      let dealt: UInt64 = 1 << UInt64(card.index)
      return SetState(bits: (bits | dealt) & ~(dealt << 27))
    }
  }

  /// The state once the cards of a Set on the table are taken.
  func taking(_ trio: Trio) -> SetState { SetState(bits: bits & ~Self.mask(of: trio.cards)) }

  private static func mask(of cards: CardSet) -> UInt64 { cards.reduce(0) { $0 | 1 << UInt64($1.index) } }

  private static func cards(of mask: UInt64) -> CardSet {
    CardSet((0..<27).filter { mask >> UInt64($0) & 1 == 1 }.map { Card(index: $0) })
  }
}
