internal import TupeloBase
package import TupeloCluster
package import TupeloConfiguration
package import TupeloTables

/// Replicas of the weights of a run. Each replica has its own workers, and all replicas are merged after each round.
package final class Replicas<Cell: WeightCell>: Sendable {
  private let group: ReplicaGroup<Cell>
  /// The number of workers of a replica.
  private let threads: Int
  /// The moves of each replica in a round.
  private let mergeMoves: Int
  private let isAhead = Locked(false)

  /// - Parameter communicator: the ranks that train together
  package init(
    of weights: WeightStorage<Cell>, _ configuration: RunConfiguration, communicator: any Communicator
  ) throws {
    group = try ReplicaGroup(
      merged: weights, count: configuration.training.replicas, communicator: communicator,
      threads: configuration.workers)
    (threads, mergeMoves) = (configuration.training.threads, configuration.training.mergeMoves)
  }

  /// The cost of merging so far.
  var mergeTotals: MergeTotals { group.mergeTotals }

  /// Records that whole tables of the merged weights have changed, so that the replicas copy them before the next
  /// round.
  func weightsChanged() { isAhead.withLock { $0 = true } }

  /// The workers of all replicas.
  ///
  /// - Parameters:
  ///   - streams: the random streams of the workers of all ranks
  ///   - make: makes the workers of a replica, over its weights
  func pool(
    _ streams: [RandomStream], _ make: (WeightStorage<Cell>, [RandomStream]) -> any SelfPlayPool
  ) -> any SelfPlayPool {
    let own = streams.dropFirst(group.communicator.rank * group.replicas.count * threads)
    let pools = group.replicas.enumerated().map { number, weights in
      make(weights, Array(own.dropFirst(number * threads).prefix(threads)))
    }
    return ReplicaPool(pools, mergeMoves: mergeMoves, communicator: group.communicator) { [self] in
      let isBehind = isAhead.withLock { isAhead in
        defer { isAhead = false }
        return isAhead
      }
      if isBehind { group.spread() }
    } endRound: { [self] in
      group.merge()
    }
  }
}
