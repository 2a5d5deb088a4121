import SetAgents
import SetEngine
import Testing

/// The lines of this module's README.
@Suite struct SetAgentsReadmeTests {
  @Test func example() throws {
    let agent = try SetAgentSpecification(text: "search(count: 100)")
    var player = try agent.makeAgent()
    let table = CardSet(firstCards: 12)
    let position = try SetPosition(table: table, unseen: CardSet.all.subtracting(table))
    let analysis = player.analyze(position)
    for candidate in analysis?.candidates.prefix(2) ?? [] { print(candidate.trio, candidate.difference) }
    let games = SetGames(seed: 1).play(0..<1000, threads: 2) { EndgamePlayer(CountingPlayer()) }
    print(games.meanSets, games.perfectGames, games.gamesByCardsLeft[6] ?? 0)
    #expect(analysis?.candidates.count == position.table.setCount)
    // The README promises this output.
    #expect("\(games.meanSets) \(games.perfectGames) \(games.gamesByCardsLeft[6] ?? 0)" == "25.198 144 768")
  }

  /// The games behind a table in the article about strength. They take minutes, so the test compiles them and does not
  /// play them.
  private func gamesOfTheArticle() throws {
    let specification = try SetAgentSpecification(text: "search(count: 20)")
    let played = SetGames(seed: 1).play(0..<3000) { specification.makeAgent(model: HeuristicSetEvaluator()) }
    print(played.meanSets)
  }
}
