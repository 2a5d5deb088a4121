import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloNetwork
import TupeloTraining

/// Runs that learn in batches, and runs whose weights decay.
@Suite struct BatchTrainingTests {
  /// Right after the games at which decay is due, weights are smaller by its share than without decay; the sums are
  /// equal.
  @Test func decayTakesItsShareInTime() throws {
    var weights: [[Float]] = []
    var sums: [[Float]] = []
    let path = TemporaryFile.path("decay.safetensors")
    defer { TemporaryFile.remove(path) }
    for share: Float in [0, 0.25] {
      var configuration = try CheckpointTests.configuration(.temporalCoherence(alpha: 1))
      configuration.decay.share = share
      configuration.decay.everyGames = 50
      let trainer = try Trainer(configuration)
      try CheckpointTests.train(trainer, until: 50)
      try trainer.save(to: path)
      let file = try SafetensorsFile(path: path)
      weights.append(try file.array(of: "weights.0", as: Float.self))
      sums.append(try file.array(of: "coherence.error.0", as: Float.self))
    }
    #expect(weights[1] == weights[0].map { $0 * 0.75 } && weights[0].contains { $0 != 0 })
    #expect(sums[0] == sums[1])
  }
}

/// Diagnostics of weights in memory and in files.
@Suite struct WeightDiagnosticsTests {
  @Test func filesAndMemoryAgreeWithSumsInDoublePrecision() throws {
    let path = TemporaryFile.path("diagnostics.safetensors")
    defer { TemporaryFile.remove(path) }
    for stepSize in [RunConfiguration.StepSize.constant(alpha: 0.1), .temporalCoherence(alpha: 1)] {
      let trainer = try Trainer(CheckpointTests.configuration(stepSize, patterns: ["0123", "4567", "01245"]))
      try trainer.train(until: 100, reportGames: 100, shouldStop: { false }, onRound: { _ in })
      try trainer.save(to: path)
      let file = try SafetensorsFile(path: path)
      let (inFile, inMemory) = (try WeightDiagnostics.diagnostics(of: file), trainer.diagnostics())
      #expect(inFile.map(\.table.description) == ["0123", "4567", "01245"] && inMemory.count == 3)
      for (number, (found, other)) in zip(inFile, inMemory).enumerated() {
        let weights = try file.array(of: "weights.\(number)", as: Float.self).map(Double.init)
        let norm = weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
        #expect(abs(found.norm - norm) < 1e-9 * norm && abs(other.norm - norm) < 1e-9 * norm && norm > 0)
        #expect(found.visitedShare == other.visitedShare)
        guard stepSize.rule == .temporalCoherence else {
          #expect(found.visitedShare == Double(weights.count { $0 != 0 }) / Double(weights.count))
          #expect(found.meanStepSize == nil && other.meanStepSize == nil)
          continue
        }
        let errors = try file.array(of: "coherence.error.\(number)", as: Float.self)
        let absolute = try file.array(of: "coherence.absolute_error.\(number)", as: Float.self)
        let visited = absolute.indices.filter { absolute[$0] > 0 }
        #expect(found.visitedShare == Double(visited.count) / Double(weights.count))
        let step = visited.reduce(0.0) { $0 + Double(abs(errors[$1]) / absolute[$1]) } / Double(visited.count)
        for size in [found.meanStepSize, other.meanStepSize] { #expect(abs(size! - step) < 1e-6) }
      }
    }
  }

  /// Each call compares the weights with those of the previous call. WholeTableTests checks the error of the estimate.
  @Test func updateNormIsSinceTheLastLook() throws {
    let trainer = try Trainer(CheckpointTests.configuration(.temporalCoherence(alpha: 1)))
    #expect(trainer.updateNorm() == nil)
    #expect(trainer.updateNorm() == 0)
    try trainer.train(until: 200, reportGames: 100, shouldStop: { false }, onRound: { _ in })
    let norm = try #require(trainer.updateNorm())
    #expect(norm > 0)
    #expect(trainer.updateNorm() == 0)
  }

  @Test func refusesOtherShapes() throws {
    let path = TemporaryFile.path("shape.safetensors")
    defer { TemporaryFile.remove(path) }
    try NTupleNetwork(NetworkSpecification(patterns: [TuplePattern(text: "01")])).save(to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let range = try #require(bytes.range(of: Data("[16,16]".utf8)))
    bytes.replaceSubrange(range, with: Data("[8, 32]".utf8))
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ModelFileError.self) {
      try WeightDiagnostics.diagnostics(of: SafetensorsFile(path: path))
    }
    #expect(error == .wrongShape(path: path, name: "weights.0", found: [8, 32], expected: [16, 16]))
  }
}
