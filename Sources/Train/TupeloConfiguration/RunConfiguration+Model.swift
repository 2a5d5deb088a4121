internal import TupeloBase
internal import TupeloEngine
internal import TupeloLearning
public import TupeloModels
internal import TupeloNetwork

extension RunConfiguration {
  /// The structure of the model that the configuration trains.
  ///
  /// - Precondition: the configuration is valid; see `validate`.
  public var model: ModelDescription {
    do {
      return ModelDescription(try structure())
    } catch {
      preconditionFailure("not a valid configuration: \(error)")
    }
  }

  /// The structure of the model: a dense network if there are hidden layers, otherwise tables.
  ///
  /// - Throws: an error whose text says what is impossible, such as widths that are out of range.
  package func structure() throws -> any ModelStructure {
    guard let kind = dense.isDense ? game.dense : game.tables else { throw UnknownKind(game: game) }
    return try kind.structure(gameRules, network, dense)
  }

  private struct UnknownKind: Error, CustomStringConvertible {
    let game: GameKind
    var description: String { "this program has no such network for \(game.title): leave it out" }
  }
}

// MARK: Workers and games at once

extension RunConfiguration {
  /// Whether replicas learn the weights, on this number of ranks.
  package func hasReplicas(on ranks: Int) -> Bool { training.replicas > 1 || ranks > 1 }

  /// Settings that cannot be combined with replicas, because they keep values in addition to the weights that cannot be
  /// merged.
  package var unreplicated: [String] {
    var found: [String] = []
    if game.tables?.mergesReplicas != true { found.append("game \(game)") }
    if dense.isDense, game.dense?.mergesReplicas != true { found.append("network.dense") }
    if zeros == .stay { found.append("learner.zeros stay") }
    return found
  }

  /// The number of workers of one process: threads that play, each with a random stream.
  package var workers: Int { training.threads * training.replicas }

  /// The number of games that each thread interleaves.
  public var gamesAtOnce: Int { training.gamesAtOnce ?? suitableGamesAtOnce }

  /// The number of games in a group, which one thread plays to the end because the games learn from each other's
  /// weights. A run that plays in groups stops only at multiples of this number. Dense networks always play in groups,
  /// with several games for each place, so that few places are empty at the end. Tables play in groups only if one
  /// thread interleaves games and there are no replicas.
  public var groupGames: Int { dense.isDense ? 4 * gamesAtOnce : Turns.groupGames }

  /// The default number of interleaved games. With batches it is 1. For a dense network it is the number of states in a
  /// batch. On boards other than 4x4 it is 1: on a board of six cells, two games visited the same states and learned
  /// worse.
  var suitableGamesAtOnce: Int {
    if dense.isDense { return batch }
    guard batch == 1, network.shape == .standard else { return 1 }
    return Training.suitableGamesAtOnce(
      features: network.featureCount, weights: network.stageWeightCount,
      asksForSums: stepSize.isCoherent && returns.steps != nil)
  }
}

extension RunConfiguration.Training {
  /// The default number of interleaved games for tables of any game: two or one.
  ///
  /// Two games train faster if the tables are much larger than the caches and the memory of two games fits into the
  /// first-level cache. Temporal coherence after every move also needs its sums, so in this case the limit is 32
  /// features instead of 64. Small tables (4x5, 17x4) gain nothing. configs/notebooks/training.md has figures.
  ///
  /// - Parameters:
  ///   - features: the number of weights that make up a value
  ///   - weights: the number of weights in all tables
  ///   - asksForSums: whether every move needs the sums of temporal coherence
  package static func suitableGamesAtOnce(features: Int, weights: Int, asksForSums: Bool) -> Int {
    features <= (asksForSums ? 32 : 64) && weights >= 1 << 24 ? 2 : 1
  }
}

// MARK: Changes in the course of a run

/// The values, between two changes, of the settings that change in the course of a run.
package struct TrainingPhase: Hashable, Sendable {
  /// The step size.
  package var alpha: Float
  /// Whether all weights take the same step, for every rule.
  package var isWarmUp: Bool
  /// Whether later stages use separate weights yet.
  package var isStaged: Bool
}

extension RunConfiguration {
  /// The phase after `games` games.
  package func phase(after games: Int) -> TrainingPhase {
    let step = schedule.stepSize(after: games, alpha: stepSize.alpha)
    return TrainingPhase(alpha: step.alpha, isWarmUp: step.isWarmUp, isStaged: games >= stages.afterGames)
  }

  /// The numbers of games at which the phase may change.
  package var phaseChanges: [Int] { [schedule.warmUpGames] + schedule.changes.map(\.games) + [stages.afterGames] }
}
