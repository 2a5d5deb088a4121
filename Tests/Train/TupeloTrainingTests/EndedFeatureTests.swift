import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloLearning
import TupeloNetwork
import TupeloTraining

/// Files that use a feature that has ended are refused. All other files are read as before.
@Suite final class EndedFeatureTests {
  private let path = TemporaryFile.path("old.safetensors")

  deinit { TemporaryFile.remove(path) }

  /// The keys are refused in a file, on the command line and in the environment.
  @Test(
    arguments: [
      ("learner.visit_bonus", "300", "counted exploration"),
      ("learner.visit_restarts", "[20k, 100k]", "counted exploration"),
      ("states.bits", "23", "weights for whole states"), ("states.after_games", "100k", "weights for whole states"),
      ("states.optimism", "1.25", "weights for whole states"),
      ("states.trial_visits", "500", "weights for whole states"),
      ("network.state_bits", "20", "weights for whole states"),
      ("learner.states_after_games", "10", "weights for whole states"),
      ("learner.states_optimism", "1.0", "weights for whole states"),
      ("learner.states_trial_visits", "5", "weights for whole states"),
    ] as [(String, String, String)])
  func keysAreRefused(_ key: String, _ value: String, _ feature: String) {
    let text =
      "a key of \(feature), which tupelo no longer has: leave it out (version 0.1.0 was the last that reads it)"
    #expect(configurationProblems(yaml: "seed: 1\n\(key): \(value)") == ["x.yaml:2: \(key): \(text)"])
    #expect(configurationProblems(overrides: ["\(key)=\(value)"]) == ["--set \(key): \(text)"])
    let variable = ConfigurationKey.variable(of: key)
    #expect(configurationProblems(environment: [variable: value]) == ["environment \(variable): \(text)"])
  }

  @Test func keysOfASectionAreRefusedOneByOne() {
    let problems = configurationProblems(yaml: "states:\n  bits: 23\n  after_games: 100k")
    #expect(
      problems.map { $0.prefix { $0 != "," } } == [
        "x.yaml:2: states.bits: a key of weights for whole states",
        "x.yaml:3: states.after_games: a key of weights for whole states",
      ])
  }

  /// Every run wrote these keys, even if the features were off.
  @Test func keysWithoutEffectAreRead() throws {
    let yaml = "learner: {alpha: 0.5, visit_bonus: 0.0, visit_restarts: []}\nstates: {bits: 0}"
    let old = try RunConfiguration.parse(yaml: yaml, sourceName: "x.yaml")
    #expect(try old == RunConfiguration.parse(yaml: "learner.alpha: 0.5", sourceName: "x.yaml"))
    #expect(try configurationWarnings(yaml: yaml) == [])
    #expect(!old.yaml.contains("visit") && !old.yaml.contains("states"))
  }

  /// Writes a model file by hand, whose numbers are all zero.
  private func write(_ network: String, _ tensors: [TensorDescription]) throws {
    try SafetensorsWriter.write(to: path, metadata: ModelFile.metadata(for: network), tensors: tensors) {
      tensor, sink in
      let bytes = [UInt8](repeating: 0, count: tensor.byteCount)
      try sink.write(bytes.span.bytes)
    }
  }

  @Test func modelsWithWeightsForStatesAreRefused() throws {
    try write(
      "2x3 shared 012 states=10",
      [
        TensorDescription(name: "weights.0", type: .f32, shape: [16, 16, 16]),
        TensorDescription(name: "weights.1", type: .f32, shape: [1024]),
        TensorDescription(name: "states", type: .u32, shape: [1024]),
      ])
    let error = ModelFileError.ended(path: path, .wholeStates)
    #expect(
      "\(error)"
        == "\(path): a file made with weights for whole states, which tupelo no longer has (version 0.1.0 was the last "
        + "that reads it)")
    #expect(throws: error) { try TrainedModel(path: self.path) }
    #expect(throws: error) { try NTupleNetwork(path: self.path) }
    #expect(throws: error) { try SparseNetwork(path: self.path) }
    #expect(throws: error) { try Checkpoint(path: self.path) }
    #expect(throws: error) { try ReplicaMerge.merge([self.path], by: .mean, to: self.path + ".merged") }
  }

  @Test func checkpointsWithVisitCountsAreRefused() throws {
    try write(
      "4x4 shared 01",
      [
        TensorDescription(name: "weights.0", type: .f32, shape: [16, 16]),
        TensorDescription(name: "training.visit_counts", type: .f32, shape: [1024]),
      ])
    let error = ModelFileError.ended(path: path, .countedExploration)
    #expect(
      "\(error)"
        == "\(path): a file made with counted exploration, which tupelo no longer has (version 0.1.0 was the last that "
        + "reads it)")
    #expect(throws: error) { try TrainedModel(path: self.path) }
    #expect(throws: error) { try NTupleNetwork(path: self.path) }
    #expect(throws: error) { try Checkpoint(path: self.path) }
  }

  private static func small() throws -> Trainer {
    let trainer = try Trainer(CheckpointTests.configuration(.temporalCoherence(alpha: 1), patterns: ["01"]))
    try CheckpointTests.train(trainer, until: 5)
    return trainer
  }

  /// Writes a checkpoint whose configuration is the text of version 0.1.0, with keys that have ended.
  private func save(_ trainer: Trainer, bonus: String) throws {
    try trainer.save(to: path)
    let yaml = trainer.configuration.yaml
      .replacing("learner:\n", with: "learner:\n  visit_bonus: \(bonus)\n  visit_restarts: []\n")
      .replacing("episodes:\n", with: "states:\n  bits: 0\nepisodes:\n")
    #expect(yaml.contains("visit_bonus") && yaml.contains("states"))
    try ChangedCheckpointTests.change(path, metadata: ["tupelo.configuration": yaml])
  }

  @Test func configurationsInCheckpointsAreRefused() throws {
    try save(Self.small(), bonus: "300.0")
    let error = #expect(throws: CheckpointError.self) { try Checkpoint(path: self.path) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.hasPrefix(path) && text.contains("learner.visit_bonus: a key of counted exploration"), "\(text)")
    #expect(text.contains("version 0.1.0") && !text.contains("\n"), "\(text)")
  }

  /// A checkpoint of version 0.1.0 without these features is resumed with the same results, bit for bit.
  @Test func plainCheckpointsGoOn() throws {
    let (straight, other) = (try Self.small(), TemporaryFile.path("other.safetensors"))
    defer { TemporaryFile.remove(other) }
    try save(straight, bonus: "0.0")
    let resumed = try Checkpoint(path: path).resume()
    for trainer in [straight, resumed] { try CheckpointTests.train(trainer, until: 20) }
    try straight.save(to: path)
    try resumed.save(to: other)
    #expect(FileManager.default.contentsEqual(atPath: path, andPath: other))
  }
}
