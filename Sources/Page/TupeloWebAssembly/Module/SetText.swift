internal import SetAgents
internal import SetEngine

/// Answers about Set as lines of text, which `engine/engine.js` reads.
enum SetText {
  /// A game after some choices. The record comes last, because it has lines of its own.
  static func game(_ line: SetLine) -> String {
    let (game, last) = (line.game, line.record.steps.last)
    let taken = last?.taken.map { [$0.first, $0.second, $0.third] } ?? []
    let claim = taken.isEmpty ? nil : SetClaim(taken[0], taken[1], taken[2])
    let sets = game.matches.map { "\($0.first) \($0.second) \($0.third)" }
    let lines = [
      "\(line.seed)", "\(line.number)", line.record.steps.map { $0.choice }.joined(separator: ","),
      "\(game.deckCount) \(game.score) \(flag(game.isStuck)) \(flag(game.isOver)) \(flag(last != nil))",
      named(game.table), Array(game.unseen).map { $0.notation }.joined(separator: " "), sets.joined(separator: ","),
      named(taken), named(last?.dealt ?? []), claim?.pattern ?? "", line.record.text,
    ]
    return lines.joined(separator: "\n")
  }

  static func claim(_ claim: SetClaim) -> String {
    ([flag(claim.isSet), claim.pattern ?? ""] + claim.faults).joined(separator: "\n")
  }

  /// The choices of an agent, a line each: cards, Sets that stay, and, if the agent has them, value and difference.
  static func choices(_ choices: SetChoices) -> String {
    let best = choices.best.map { notations($0) } ?? ""
    let lines = choices.choices.map { choice in
      var words = [notations(choice.trio), "\(choice.tableSets)", "\(choice.setsLeft)"]
      if let value = choice.value, let difference = choice.difference { words += [bits(value), bits(difference)] }
      return words.joined(separator: " ")
    }
    let head = [choices.agent, best, "\(flag(choices.isExact)) \(flag(choices.isOver))"]
    return (head + lines).joined(separator: "\n")
  }

  /// Cards in notation, each with its name.
  private static func named(_ cards: [Card]) -> String {
    cards.map { $0.notation + " " + $0.name }.joined(separator: ",")
  }

  private static func notations(_ trio: Trio) -> String {
    [trio.first, trio.second, trio.third].map { $0.notation }.joined(separator: ",")
  }

  private static func flag(_ value: Bool) -> String { value ? "1" : "0" }

  /// The bits of a number in hex, so that none is lost.
  private static func bits(_ value: Double) -> String { String(value.bitPattern, radix: 16) }
}
