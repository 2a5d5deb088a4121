public import SetEngine
internal import TupeloBase

/// Compares the choices by rollouts: games played to the end, or to an evaluator's value, by a fast policy.
///
/// Each sample shuffles the unseen cards once and plays every choice on that deck. Play is exact once few cards are in
/// the deck. Random numbers come from the game's seed and number. Without a time limit a game is equal on every machine
/// and on any thread.
///
/// If values are equal, the player takes the choice that comes first in the order of `CardSet.sets`.
public struct RolloutPlayer: AnalyzingSetAgent {
  /// The policy that plays the rollouts.
  public enum Policy: String, CaseIterable, Hashable, Sendable {
    /// The greedy choice by the evaluator.
    case greedy
    /// The choice that leaves the largest number of Sets among all cards not yet taken.
    case counting
    /// A uniformly random Set.
    case random
  }

  public let settings: RolloutSettings
  private let endgame: Endgame?
  private let evaluator: any SetEvaluator
  private var playout: any SetPlayout
  private var comparison: ChoiceComparison
  private var deck = SampledDeck()
  /// The choices that are compared.
  private var trios: [Trio] = []
  private var random: RandomStream
  private var isOver: @Sendable () -> Bool = { false }

  /// - Parameters:
  ///   - evaluator: the values of the greedy policy, of the prior, and of rollouts with a depth
  ///   - policy: the agent that plays the rollouts
  ///   - settings: the number of rollouts, and the choices that get them
  ///   - endgame: the number of cards in the deck from which the agent plays exactly; `nil` for never. Rollouts also
  ///     end with exact values, with at most 3 cards in the deck
  ///   - rules: the rules of the game
  ///   - seed: the seed of random numbers before the first `beginGame`
  public init(
    _ evaluator: some SetEvaluator, policy: Policy = .greedy, settings: RolloutSettings, endgame: Endgame? = Endgame(),
    rules: SetRules = .standard, seed: UInt64 = 0
  ) {
    self.settings = settings
    self.endgame = endgame
    self.evaluator = evaluator
    let end = PlayoutEnd(
      endgame: endgame.map { Endgame(cards: min($0.cards, 3), rules: rules) },
      truncation: settings.depth.map { ($0, evaluator) })
    playout =
      switch policy {
      case .random: AgentPlayout(RandomSetPlayer(), end: end, rules: rules)
      case .counting: AgentPlayout(CountingPlayer(), end: end, rules: rules)
      case .greedy: Self.greedy(evaluator, end: end, rules: rules)
      }
    comparison = ChoiceComparison(weight: settings.prior, eliminates: settings.eliminates)
    random = .agentStream(seed: seed, number: 0)
  }

  private static func greedy<E: SetEvaluator>(_ evaluator: E, end: PlayoutEnd, rules: SetRules) -> any SetPlayout {
    if let heuristic = evaluator as? HeuristicSetEvaluator {
      return HeuristicPlayout(heuristic, end: end, rules: rules)
    }
    return AgentPlayout(GreedySetPlayer(evaluator), end: end, rules: rules)
  }

  public mutating func beginGame(seed: UInt64, number: UInt64) {
    random = .agentStream(seed: seed, number: number)
  }

  public mutating func stop(when isOver: @escaping @Sendable () -> Bool) { self.isOver = isOver }

  public mutating func choice(in position: SetPosition) -> Trio? {
    if let endgame, endgame.includes(unseen: position.unseen) { return endgame.choice(in: position) }
    list(position)
    // A single choice needs no rollouts.
    guard trios.count > 1 else { return trios.first }
    compare(position)
    var (best, highest) = (0, comparison.value(of: 0).value)
    for place in trios.indices.dropFirst() {
      let value = comparison.value(of: place).value
      if value > highest { (best, highest) = (place, value) }
    }
    return trios[best]
  }

  public mutating func analyze(_ position: SetPosition) -> SetAnalysis {
    if let endgame, endgame.includes(unseen: position.unseen) { return endgame.analyze(position) }
    list(position)
    guard !trios.isEmpty else { return SetAnalysis([]) }
    compare(position)
    return SetAnalysis(
      trios.indices.map { place in
        let (value, rollouts) = comparison.value(of: place)
        return (trios[place], value, rollouts)
      })
  }

  private mutating func list(_ position: SetPosition) {
    trios.removeAll(keepingCapacity: true)
    for trio in position.sets { trios.append(trio) }
  }

  /// Plays rollouts of the listed choices until a limit is reached or one choice is left. There is at least one deck.
  private mutating func compare(_ position: SetPosition) {
    let deadline = settings.time.map { ContinuousClock.now + $0 }
    let (trios, evaluator) = (trios, evaluator)
    comparison.begin(choices: trios.count) { 1 + Double(evaluator.value(of: position.after(trios[$0]))) }
    deck.fill(position.unseen)
    playout.begin(position)
    var decks = 0
    while true {
      deck.shuffle(using: &random)
      let seed = random.next()
      for place in comparison.active {
        comparison.note(playout.sets(taking: trios[place], in: position, deck: deck, seed: seed), of: place)
      }
      comparison.endDeck()
      decks += 1
      if decks == settings.count || comparison.active.count < min(trios.count, 2) { break }
      if let deadline, ContinuousClock.now >= deadline { break }
      if isOver() { break }
    }
  }
}
