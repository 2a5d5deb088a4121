internal import Foundation
internal import Safetensors
internal import TestSupport
package import TupeloCluster
internal import TupeloLearning
package import TupeloTraining

/// A way to share a run's work.
package enum Sharing: String, CaseIterable, Sendable {
  case oneThread, twoThreads, twoReplicas, twoRanks

  /// The settings, with merges after some moves.
  package func settings(mergeMoves: Int = 2000) -> [String] {
    switch self {
    case .oneThread: []
    case .twoThreads: ["training.threads=2"]
    case .twoReplicas: ["training.replicas=2", "training.merge_moves=\(mergeMoves)"]
    case .twoRanks: ["training.merge_moves=\(mergeMoves)"]
    }
  }
  /// Whether two runs are equal, bit for bit. Threads with common weights race.
  package var repeats: Bool { self != .twoThreads }

  /// Calls a function on each rank, here a thread.
  ///
  /// - Returns: the result of the first rank
  package func onRanks<Value: Sendable>(
    _ body: @Sendable @escaping (any Communicator) throws -> Value
  ) async throws -> Value {
    guard self == .twoRanks else { return try await OwnThread.run { try body(SoloCommunicator()) } }
    let others = ThreadCommunicator.ranks(2)
    async let second = OwnThread.run { try body(others[1]) }
    let first = try await OwnThread.run { try body(others[0]) }
    _ = try await second
    return first
  }
}

/// The 32-bit numbers in a run's checkpoint, by the names of their tensors.
package func numbers(of trainer: Trainer) throws -> [String: [Float]] {
  let path = TemporaryFile.path("numbers.safetensors")
  defer { TemporaryFile.remove(path) }
  try trainer.save(to: path)
  return try numbers(ofFile: path)
}

package func numbers(ofFile path: String) throws -> [String: [Float]] {
  let file = try SafetensorsFile(path: path)
  let names = file.tensors.filter { $0.type == .f32 }.map(\.name)
  return try Dictionary(uniqueKeysWithValues: names.map { ($0, try file.array(of: $0, as: Float.self)) })
}

/// The mean of snapshots of a run's weights, in double precision. A round that passes several merges of the average
/// counts for all of them.
package struct MeanOfSnapshots {
  package private(set) var merges = 0
  private var means: [String: [Double]] = [:]

  package init() {}

  /// Adds the weights after a round.
  ///
  /// - Parameter counts: whether a tensor with this name is averaged in this way
  /// - Returns: the largest error of the run's own average, as a share of the largest mean
  package mutating func add(_ trainer: Trainer, where counts: (String) -> Bool = { _ in true }) throws -> Double {
    let averaging = trainer.configuration.averaging
    let passed = trainer.games / averaging.everyGames
    guard passed > merges else { return 0 }
    let numbers = try numbers(of: trainer)
    var (worst, scale) = (0.0, 1e-30)
    for (name, average) in numbers where name.hasPrefix("average.") {
      let own = String(name.dropFirst("average.".count))
      guard counts(own), let weights = numbers[own] else { continue }
      var mean = means[own] ?? [Double](repeating: 0, count: weights.count)
      for merge in merges..<passed {
        let share =
          switch averaging.window {
          case .merges(let count): 1 / Double(min(merge + 1, count))
          case .part(let percent): 1 / max(1, Double(percent) / 100 * Double(merge + 1))
          }
        for index in mean.indices { mean[index] += share * (Double(weights[index]) - mean[index]) }
      }
      for index in mean.indices {
        scale = max(scale, abs(mean[index]))
        worst = max(worst, abs(Double(average[index]) - mean[index]))
      }
      means[own] = mean
    }
    merges = passed
    return worst / scale
  }
}
