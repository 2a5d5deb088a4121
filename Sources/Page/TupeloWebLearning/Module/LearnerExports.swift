internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloTables

// The functions that a page can call. Numbers go through `LearnerExchange`. Functions that can fail return an
// `Outcome`: 0 when they are done.

@_expose(wasm, "exchange") @_cdecl("learner_exchange")
package func exchange() -> UnsafeMutableRawPointer { unsafe LearnerModule.shared.exchange.address }

/// Begins a run with the network whose patterns are in the exchange.
///
/// - Parameters:
///   - isCoherent: 1 for temporal coherence, 0 for a constant step size
///   - alpha: the step size: above 0, at most 1
///   - lambda: the factor of TD(lambda), in 0...1
///   - initialValue: the value of every state before training, in score points: 0, or more for an optimistic start
///   - low: the lower half of the seed
///   - high: the upper half
///   - gamesAtOnce: the number of interleaved games, in 1...16
@_expose(wasm, "begin") @_cdecl("learner_begin")
package func begin(
  _ isCoherent: Int32, _ alpha: Float, _ lambda: Float, _ initialValue: Float, _ low: UInt32, _ high: UInt32,
  _ gamesAtOnce: Int32
) -> Int32 {
  let outcome = LearnerModule.shared.begin { network in
    LearningSettings(
      network: network, isCoherent: isCoherent != 0, alpha: min(max(alpha, .leastNormalMagnitude), 1),
      lambda: min(max(lambda, 0), 1), initialValue: initialValue, seed: UInt64(high) << 32 | UInt64(low),
      gamesAtOnce: min(max(Int(gamesAtOnce), 1), 16))
  }
  return outcome.rawValue
}

/// Plays games and learns from them. Interleaved games are played to the end of their group.
@_expose(wasm, "learn") @_cdecl("learner_learn")
package func learn(_ games: Int32) -> Int32 { LearnerModule.shared.learn(Int(games)).rawValue }

/// Values all legal moves of the board.
///
/// - Returns: the legal moves, a bit each; -1 while no run has begun.
@_expose(wasm, "values") @_cdecl("learner_values")
package func values() -> Int32 {
  let (exchange, board) = (LearnerModule.shared.exchange, LearnerModule.shared.exchange.board)
  guard let run = LearnerModule.shared.run else { return -1 }
  for number in 0..<4 {
    guard let move = Move(rawValue: number), let outcome = board.afterstate(of: move) else { continue }
    // In single precision, as self-play and the engine compare moves.
    let value = Float(outcome.reward) + run.value(of: outcome.afterstate)
    exchange.setMove(number, reward: outcome.reward, value: Double(value))
  }
  return Int32(board.legalMoves().mask)
}

/// Puts the weights that make up the value of a move's afterstate into the exchange, feature by feature.
///
/// - Returns: the number of features; 0 when the move is illegal or no run has begun.
@_expose(wasm, "contributions") @_cdecl("learner_contributions")
package func contributions(_ move: Int32) -> Int32 {
  let exchange = LearnerModule.shared.exchange
  guard let run = LearnerModule.shared.run, let move = Move(rawValue: Int(move)),
    let outcome = exchange.board.afterstate(of: move)
  else { return 0 }
  let weights = run.weights(of: outcome.afterstate)
  for (index, weight) in weights.enumerated() { exchange.setNumber(index, weight) }
  return Int32(weights.count)
}

/// The cells that a feature looks at, a bit each; 0 for a feature that the network does not have.
@_expose(wasm, "cells") @_cdecl("learner_cells")
package func cells(_ feature: Int32) -> Int32 {
  guard let run = LearnerModule.shared.run, (0..<run.indexer.featureCount).contains(Int(feature)) else { return 0 }
  return run.cells(ofFeature: Int(feature))
}

/// Puts weights of a table into the exchange, in the order of files.
///
/// - Parameters:
///   - number: the number of the table, from 0
///   - start: the index of the first weight, a multiple of 65,536
/// - Returns: their number; 0 after the last weight, and for a table that the network does not have.
@_expose(wasm, "piece") @_cdecl("learner_piece")
package func piece(_ number: Int32, _ start: Int32) -> Int32 {
  let exchange = LearnerModule.shared.exchange
  guard let run = LearnerModule.shared.run, run.indexer.specification.patterns.indices.contains(Int(number)) else {
    return 0
  }
  let left = run.indexer.specification.patterns[Int(number)].tableSize - Int(start)
  guard start >= 0, Int(start).isMultiple(of: LearnerExchange.most), left > 0 else { return 0 }
  var values = [Float](repeating: 0, count: min(left, LearnerExchange.most))
  run.copy(table: Int(number), from: Int(start), into: &values)
  for index in values.indices { exchange.setNumber(index, values[index]) }
  return Int32(values.count)
}

/// The behaviour version that a model file names.
@_expose(wasm, "behaviour") @_cdecl("learner_behaviour")
package func behaviour() -> Int32 { Int32(behaviourVersion) }
