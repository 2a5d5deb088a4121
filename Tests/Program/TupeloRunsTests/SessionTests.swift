import Foundation
import Safetensors
import TestSupport
import Testing
import TupeloNetwork
import TupeloRuns
import TupeloTraining

/// The configurations of all sessions are kept, so that a run whose settings were changed can be made again.
@Suite final class SessionTests {
  private let folder = TemporaryFile.path("sessions")
  private var run: String { folder + "/run" }

  deinit { TemporaryFile.remove(folder) }

  private func start(_ configuration: RunConfiguration) throws {
    try TrainingRun(Trainer(configuration), in: RunDirectory.create(for: configuration), arguments: [])
      .train(shouldStop: { false })
  }

  private func resume(_ run: String, _ change: (inout RunConfiguration) -> Void = { _ in }) throws {
    let checkpoint = try Checkpoint(path: run + "/checkpoint.safetensors")
    var configuration = checkpoint.configuration
    change(&configuration)
    let directory = try RunDirectory.resume(checkpoint, with: configuration)
    try TrainingRun(checkpoint.resume(with: configuration, allowingChanges: true), in: directory, arguments: [])
      .train(shouldStop: { false })
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: run + "/" + name, encoding: .utf8)
  }

  private func kept() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: run).filter { $0.hasSuffix(".yaml") }.sorted()
  }

  @Test func changedConfigurationsStay() throws {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(patterns: [TuplePattern(text: "0123")])
    configuration.averaging.everyGames = 0
    configuration.training.games = 40
    configuration.evaluation.games = 0
    configuration.output.directory = run
    try start(configuration)
    let first = try text("config.yaml")
    // A session without changes leaves no file.
    try resume(run)
    #expect(try kept() == ["config.yaml"])
    func changed(_ configuration: inout RunConfiguration) {
      configuration.stepSize = .temporalCoherence(alpha: 0.25)
      configuration.training.games = 80
    }
    try resume(run, changed)
    let second = try text("config.yaml")
    try resume(run) { $0.training.games = 100 }
    #expect(try kept() == ["config-2.yaml", "config-3.yaml", "config.yaml"])
    #expect(try text("config-2.yaml") == first && text("config-3.yaml") == second && first != second)

    // The run is repeated from the files in its folder.
    let again = folder + "/again"
    try start(
      RunConfiguration.load(
        file: run + "/config-2.yaml", environment: [:], overrides: ["output.directory=\(again)"]))
    try resume(again, changed)
    try resume(again) { $0.training.games = 100 }
    let files = try [run, again].map { try SafetensorsFile(path: $0 + "/checkpoint.safetensors") }
    #expect(files[0].tensors.map(\.name) == files[1].tensors.map(\.name))
    for tensor in files[0].tensors where tensor.type == .f32 {
      let arrays = try files.map { try $0.array(of: tensor.name, as: Float.self) }
      #expect(arrays[0] == arrays[1], "\(tensor.name)")
    }
    #expect(try files.map { try $0.array(of: "training.random", as: UInt64.self) }.allSatisfy { $0.count == 4 })
  }

  /// A run that starts from the beginning, in the folder of a run without a checkpoint, is the first session again.
  @Test func aFreshRunKeepsNothing() throws {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(patterns: [TuplePattern(text: "0123")])
    configuration.training.games = 20
    configuration.output.directory = run
    try start(configuration)
    try FileManager.default.removeItem(atPath: run + "/checkpoint.safetensors")
    configuration.seed = 2
    try start(configuration)
    #expect(try kept() == ["config.yaml"])
  }
}
