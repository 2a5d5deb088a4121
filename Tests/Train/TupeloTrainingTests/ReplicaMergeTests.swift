import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// Merged models compared with sums in double precision.
@Suite struct ReplicaMergeTests {
  private static func checkpoint(seed: UInt64, stepSize: RunConfiguration.StepSize = .temporalCoherence(alpha: 1))
    throws
    -> String
  {
    var configuration = try CheckpointTests.configuration(stepSize)
    configuration.seed = seed
    let trainer = try Trainer(configuration)
    try trainer.train(until: 100, reportGames: 100, shouldStop: { false }, onRound: { _ in })
    let path = TemporaryFile.path("replica\(seed).safetensors")
    try trainer.save(to: path)
    return path
  }

  @Test func meanAndVisits() throws {
    let paths = try [1, 2, 3].map { try Self.checkpoint(seed: $0) }
    let output = TemporaryFile.path("merged.safetensors")
    defer { (paths + [output]).forEach(TemporaryFile.remove) }
    let files = try paths.map { try SafetensorsFile(path: $0) }
    for weighting in ReplicaMerge.Weighting.allCases {
      try ReplicaMerge.merge(paths, by: weighting, to: output)
      let merged = try SafetensorsFile(path: output)
      _ = try NTupleNetwork(path: output)
      for tensor in 0..<3 {
        let weights = try files.map { try $0.array(of: "weights.\(tensor)", as: Float.self) }
        let sums = try files.map { try $0.array(of: "coherence.absolute_error.\(tensor)", as: Float.self) }
        let result = try merged.array(of: "weights.\(tensor)", as: Float.self)
        var unequal = 0
        for index in result.indices {
          let total = sums.reduce(0.0) { $0 + Double($1[index]) }
          let counts = sums.map { weighting == .mean || total == 0 ? 1 / 3 : Double($0[index]) / total }
          let expected = zip(weights, counts).reduce(0.0) { $0 + Double($1.0[index]) * $1.1 }
          if abs(Double(result[index]) - expected) > 1e-3 * max(1, abs(expected)) { unequal += 1 }
        }
        #expect(unequal == 0, "\(weighting) \(tensor)")
      }
    }
  }

  /// If a later stage has not read a weight yet, a checkpoint plays as the stage before, and so does an average.
  @Test func stagesAreMergedAsTheyPlay() throws {
    let paths = ["first.safetensors", "second.safetensors"].map { TemporaryFile.path($0) }
    let output = TemporaryFile.path("merged.safetensors")
    defer { (paths + [output]).forEach(TemporaryFile.remove) }
    var configuration = try CheckpointTests.configuration(.temporalCoherence(alpha: 1))
    configuration.network = try NetworkSpecification(
      patterns: configuration.network.patterns, stages: StagePartition(.largest, at: [128, 256]))
    for (number, path) in paths.enumerated() {
      configuration.seed = UInt64(number + 1)
      let trainer = try Trainer(configuration)
      try trainer.train(until: 100, reportGames: 100, shouldStop: { false }, onRound: { _ in })
      try trainer.save(to: path)
    }
    let played = try paths.map { try NTupleNetwork(path: $0).weights }
    let stored = try paths.map { try SafetensorsFile(path: $0).array(of: "weights.3", as: Float.self) }
    #expect(played[0].count == 9 << 16 && (0..<1 << 16).contains { stored[0][$0] == 0 && stored[1][$0] != 0 })
    for (inputs, networks) in [([paths[0]], [played[0]]), (paths, played)] {
      try ReplicaMerge.merge(inputs, by: .mean, to: output)
      let merged = try NTupleNetwork(path: output).weights
      let unequal = (0..<merged.count).count { index in
        let expected = networks.reduce(0.0) { $0 + Double($1[index].weight) } / Double(networks.count)
        return abs(Double(merged[index].weight) - expected) > 1e-3 * max(1, abs(expected))
      }
      #expect(unequal == 0, "\(inputs.count)")
    }
  }

  @Test func refusesWhatDoesNotFit() throws {
    let paths = [try Self.checkpoint(seed: 1), try Self.checkpoint(seed: 2, stepSize: .constant(alpha: 0.1))]
    let (other, output) = (TemporaryFile.path("other.safetensors"), TemporaryFile.path("merged.safetensors"))
    defer { (paths + [other]).forEach(TemporaryFile.remove) }
    try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01")])).save(to: other)
    #expect(throws: ReplicaMergeError.noVisits(path: paths[1])) {
      try ReplicaMerge.merge(paths, by: .visits, to: output)
    }
    #expect(throws: ReplicaMergeError.otherNetwork(path: other, first: paths[0])) {
      try ReplicaMerge.merge([paths[0], other], by: .mean, to: output)
    }
    #expect(throws: ReplicaMergeError.nothingToMerge) { try ReplicaMerge.merge([], by: .mean, to: output) }
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
