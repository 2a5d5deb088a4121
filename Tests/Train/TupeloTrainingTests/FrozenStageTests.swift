import Safetensors
import TestSupport
import Testing
import TupeloEngine
import TupeloLearning
import TupeloNetwork
import TupeloTables
import TupeloTraining

/// No bit of a frozen stage changes, in whatever way training changes the weights of other stages.
@Suite struct FrozenStageTests {
  private static let patterns = ["0123", "15", "02"]

  /// A way in which training changes weights, as a change of the configuration.
  struct Way: Sendable, CustomStringConvertible {
    let description: String
    let change: @Sendable (inout RunConfiguration) -> Void

    init(_ description: String, _ change: @escaping @Sendable (inout RunConfiguration) -> Void) {
      (self.description, self.change) = (description, change)
    }
  }

  static let ways = [
    Way("updates") { $0.stages.promotion = .none }, Way("promotion") { $0.stages.promotion = .weight },
    Way("a delay") { $0.returns = LambdaReturn(lambda: 0.5, steps: 3) },
    Way("whole episodes") { $0.returns = LambdaReturn(lambda: 0.5, steps: nil) }, Way("batches") { $0.batch = 5 },
    Way("decay") {
      $0.decay.share = 0.25
      $0.decay.everyGames = 25
    },
    Way("copies of the first stage") { $0.stages.afterGames = 70 },
    Way("replicas") {
      $0.training.replicas = 2
      $0.training.mergeMoves = 1000
    },
  ]

  /// The bytes of the weights, their sums and their average in each stage of a checkpoint.
  private static func stages(_ path: String) throws -> [[String: [UInt8]]] {
    let file = try SafetensorsFile(path: path)
    return try (0..<3).map { stage in
      var bytes: [String: [UInt8]] = [:]
      for tensor in file.tensors where tensor.type == .f32 {
        let number = try #require(tensor.name.split(separator: ".").last.flatMap { Int($0) })
        guard number / patterns.count == stage else { continue }
        bytes[tensor.name] = try file.withBytes(of: tensor.name) { bytes in bytes.withUnsafeBytes { [UInt8]($0) } }
      }
      return bytes
    }
  }

  @Test(arguments: ways, [RunConfiguration.StepSize.temporalCoherence(alpha: 1), .constant(alpha: 0.1)])
  func noBitChanges(_ way: Way, _ stepSize: RunConfiguration.StepSize) throws {
    let path = TemporaryFile.path("frozen.safetensors")
    defer { TemporaryFile.remove(path) }
    var configuration = try CheckpointTests.configuration(stepSize, patterns: Self.patterns)
    configuration.network = try NetworkSpecification(
      patterns: configuration.network.patterns, stages: StagePartition(.largest, at: [32, 64]))
    configuration.averaging.everyGames = 10
    configuration.stages.promotion = .none
    let first = try Trainer(configuration)
    try CheckpointTests.train(first, until: 40)
    try first.save(to: path)
    let before = try Self.stages(path)
    way.change(&configuration)
    for frozen in [[0, 2], [1]] {
      configuration.stages.frozen = frozen
      let second = try Checkpoint(path: path).resume(with: configuration, allowingChanges: true)
      try CheckpointTests.train(second, until: 80)
      let output = TemporaryFile.path("trained.safetensors")
      defer { TemporaryFile.remove(output) }
      try second.save(to: output)
      let after = try Self.stages(output)
      for stage in 0..<3 {
        #expect(before[stage].count == (stepSize.rule == .constant ? 2 : 4) * Self.patterns.count)
        for (name, bytes) in before[stage] where frozen.contains(stage) {
          #expect(after[stage][name] == bytes, "\(name)")
        }
        #expect(frozen.contains(stage) || after[stage] != before[stage])
        for (name, bytes) in before[stage] where name.hasPrefix("average.") && !frozen.contains(stage) {
          #expect(after[stage][name] != bytes, "\(name)")
        }
      }
    }
  }

  /// A frozen stage plays by the weights of the stage before where it has none of its own, and does not take them over.
  @Test func promotionOnlyCountsInAFrozenStage() throws {
    let specification = try NetworkSpecification(
      patterns: [TuplePattern(text: "01")], stages: StagePartition(.largest, at: [32]))
    let indexer = TupleIndexer(specification)
    var values: [Float] = []
    for frozen in [[], [1]] as [Set<Int>] {
      let weights = try WeightStorage<PlainCell>(count: specification.weightCount)
      for index in 0..<specification.weightCount {
        weights[index].weight = index < 256 ? Float(index) : index % 2 == 0 ? 1000 : 0
      }
      let table = ValueTable(
        weights: weights, rule: ConstantStepSize(alpha: 0.5), featureCount: indexer.featureCount,
        stages: StageRules(size: 256, promotes: true, frozen: frozen))
      var features = indexer.makeBuffer(slots: 1)
      indexer.write(Afterstate(bits: 0x6105_0321_0040_1120), into: &features, slot: 0)
      values.append(table.promotedValue(features, slot: 0))
      let takenOver = (256..<512).contains { weights[$0].weight != ($0 % 2 == 0 ? 1000 : 0) }
      #expect(takenOver == frozen.isEmpty)
      if frozen.isEmpty { continue }
      #expect(table.learn(features, slot: 0, value: 7, target: 9) == 2)
      #expect(table.update(features, slot: 0, error: 5) == values[0])
      var batch = BatchUpdate(table, layout: indexer.layout, capacity: 1)
      #expect(batch.append(features, slot: 0, target: 3) == 0)
      #expect((256..<512).allSatisfy { weights[$0].weight == ($0 % 2 == 0 ? 1000 : 0) })
    }
    #expect(values[0] == values[1] && values[0] != 0)
  }
}
