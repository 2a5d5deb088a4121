public import TupeloEngine
public import TupeloNetwork
internal import TupeloSearch
public import TupeloTables

extension WeightUsage {
  /// Counts the weights that greedy games of a network look up, for the afterstate of every legal move.
  ///
  /// - Parameters:
  ///   - network: the network that plays, and whose weights are counted
  ///   - games: the number of games, at least 1
  ///   - seed: the seed of the tiles that appear
  ///   - rules: the rules of the games, for the network's board
  ///   - onGame: called after each game
  /// - Throws: `WeightStorageError.outOfMemory`.
  public init(
    playing network: NTupleNetwork, games: Int, seed: UInt64, rules: Rules = .standard, onGame: () -> Void = {}
  ) throws(WeightStorageError) {
    try self.init(network)
    let table = MoveTable(rules.shape)
    for number in 0..<games {
      var game = Game(rules: rules, seed: seed, number: UInt64(number))
      while true {
        let successors = table.successors(of: game.board)
        let best = successors.best { move in
          let afterstate = successors.afterstate(of: move)
          add(afterstate)
          return network.value(of: afterstate)
        }
        guard let best else { break }
        _ = game.play(best.move)
      }
      onGame()
    }
  }
}
