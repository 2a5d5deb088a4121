/// Communication between the processes of one job, or the threads of a test. This protocol separates merging from the
/// network.
///
/// Every rank calls the same functions in the same order. A call returns when all ranks have called it.
///
/// Two functions carry data, `gather` and `exchange`; sums, broadcasts and barriers are built on them. So sums are
/// computed here, not by a library, and do not depend on how the network transfers numbers.
package protocol Communicator: Sendable {
  /// The number of this rank, in `0..<size`.
  var rank: Int { get }
  /// The number of ranks.
  var size: Int { get }
  /// The number of ranks that share the memory of this rank's machine.
  var localSize: Int { get }

  /// Gives every rank the numbers of all ranks, by rank. Ranks may give different amounts of numbers.
  func gather<T: BitwiseCopyable & Sendable>(_ numbers: [T]) -> [[T]]

  /// Gives every rank the numbers that the other ranks have for it.
  ///
  /// - Parameter parts: the numbers for each rank, by rank
  /// - Returns: the numbers from each rank, by rank
  func exchange<T: BitwiseCopyable & Sendable>(_ parts: [[T]]) -> [[T]]
}

extension Communicator {
  /// The sums over all ranks, place by place; see `OrderFreeSum`.
  ///
  /// - Precondition: all ranks give equally many numbers.
  package func sum(_ numbers: [Double]) -> [Double] {
    let all = gather(numbers)
    return numbers.indices.map { place in OrderFreeSum.sum(all.lazy.map { $0[place] }) }
  }

  /// Gives all ranks the numbers of rank 0.
  package func broadcast<T: BitwiseCopyable & Sendable>(_ numbers: [T]) -> [T] {
    gather(rank == 0 ? numbers : [])[0]
  }

  /// Waits until every rank has called this method.
  package func barrier() { _ = gather([] as [UInt8]) }

  /// Whether this is the first rank, which handles the run folder, the output and Ctrl-C for the job.
  package var isFirst: Bool { rank == 0 }
}

/// The communicator of a process that runs alone.
package struct SoloCommunicator: Communicator {
  package let rank = 0
  package let size = 1
  package let localSize = 1

  package init() {}

  package func gather<T: BitwiseCopyable & Sendable>(_ numbers: [T]) -> [[T]] { [numbers] }
  package func exchange<T: BitwiseCopyable & Sendable>(_ parts: [[T]]) -> [[T]] { parts }
}
