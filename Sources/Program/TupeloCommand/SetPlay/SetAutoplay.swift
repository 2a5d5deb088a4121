internal import SetAgents
internal import SetEngine
internal import TupeloBase
internal import TupeloTraining

/// Shows an agent that plays Set: on a terminal the table with the values of all choices, in a pipe a line per turn.
struct SetAutoplay {
  let contestant: Contestant<SetAgentSpecification>
  let rules: SetRules
  let seed: UInt64
  /// Turns per second; 0 is full speed, `nil` the speed that suits the output.
  let speed: Double?

  /// Plays one game.
  ///
  /// - Returns: its record, and whether it came to its end.
  func play(_ interrupt: Interrupt, namesModel: Bool) throws -> (record: SetRecord, isOver: Bool) {
    var agent = try contestant.makeAgent(rules: rules)
    agent.beginGame(seed: seed, number: 0)
    agent.stop { interrupt.isRequested }
    var random = RandomStream(seed: seed)
    var game = SetGame(rules: rules, using: &random)
    var record = SetRecord(
      SetRecord.Header(
        rules: rules, start: game.table, agent: "\(contestant.specification)",
        model: namesModel ? contestant.trained?.identity : nil, seed: seed, gameNumber: 0))
    var screen = Screen()
    let view = SetTableView(usesColour: Terminal.usesColour)
    let keyboard = screen.isLive && StandardInput.isTerminal ? Keyboard() : nil
    defer { keyboard?.restore() }
    let pace = Pace(Playback(movesPerSecond: speed ?? (screen.isLive ? 1 : 0)), keyboard: keyboard)
    var choices: [String] = []
    var marked: [Int] = []
    func show() {
      guard screen.isLive else { return }
      screen.show(
        view.lines(of: game.table, marked: marked) + [Self.facts(game)] + choices
          + (keyboard == nil ? [] : [pace.playback.text]))
    }
    while !game.isOver {
      if let turn = game.dealMore() {
        record.append(turn)
        if !screen.isLive { Terminal.line("deal=\(Self.text(turn.dealt)) \(Self.state(game))") }
        continue
      }
      guard let position = game.position else { break }
      let analysis = screen.isLive ? agent.analyze(position) : nil
      guard let trio = analysis?.best?.trio ?? agent.choice(in: position) else { break }
      choices = analysis.map(Self.lines) ?? []
      marked = [trio.first, trio.second, trio.third].compactMap { game.table.firstIndex(of: $0) }
      show()
      guard pace.awaitTurn(shouldStop: { interrupt.isRequested }, changed: show), let turn = game.take(trio) else {
        break
      }
      record.append(turn)
      if !screen.isLive { Terminal.line("take=\(Self.text(Array(trio.cards))) \(Self.state(game))") }
    }
    (choices, marked) = ([], [])
    show()
    Terminal.line(
      "\(game.isOver ? "game over" : "stopped"): \(Format.counted(game.score, "Set")), "
        + "\(Format.counted(game.table.count + game.deckCount, "card")) left")
    return (record, game.isOver)
  }

  private static func facts(_ game: SetGame) -> String {
    "Sets \(game.score)   cards in the deck \(game.deckCount)"
  }

  private static func state(_ game: SetGame) -> String {
    "score=\(game.score) deck=\(game.deckCount) table=\(text(game.table))"
  }

  private static func text(_ cards: some Sequence<Card>) -> String {
    cards.map(\.notation).joined(separator: ",")
  }

  /// The most choices whose values are shown.
  private static let shownChoices = 6

  private static func lines(_ analysis: SetAnalysis) -> [String] {
    analysis.candidates.prefix(shownChoices).map { choice in
      let difference = choice.difference == 0 ? "best" : Format.decimals(choice.difference, 2)
      return "\(choice.trio)  \(Format.decimals(choice.value, 2))  \(difference)"
    }
  }
}
