import Foundation
import Safetensors
import Testing
import TupeloTraining

/// The configurations of all sessions are kept, so that a run whose settings were changed can be made again.
@Suite struct SessionTests {
  private let run = RunFolder()

  private func text(_ name: String) throws -> String { try String(decoding: run.bytes(name), as: UTF8.self) }

  private func kept() throws -> [String] { try run.names().filter { $0.hasSuffix(".yaml") }.sorted() }

  @Test func changedConfigurationsStay() throws {
    try run.train(run.start(run.configuration(games: 40)))
    let first = try text("config.yaml")
    // A session without changes leaves no file.
    try run.train(run.resume())
    #expect(try kept() == ["config.yaml"])
    func changed(_ configuration: inout RunConfiguration) {
      configuration.stepSize = .temporalCoherence(alpha: 0.25)
      configuration.training.games = 80
    }
    try run.train(run.resume(changed))
    let second = try text("config.yaml")
    try run.train(run.resume { $0.training.games = 100 })
    #expect(try kept() == ["config-2.yaml", "config-3.yaml", "config.yaml"])
    #expect(try text("config-2.yaml") == first && text("config-3.yaml") == second && first != second)

    // The run is repeated from the files in its folder.
    let again = RunFolder()
    try again.train(
      again.start(
        RunConfiguration.load(
          file: run.path + "/config-2.yaml", environment: [:], overrides: ["output.directory=\(again.path)"])))
    try again.train(again.resume(changed))
    try again.train(again.resume { $0.training.games = 100 })
    let files = try [run, again].map { try SafetensorsFile(path: $0.checkpointPath) }
    #expect(files[0].tensors.map(\.name) == files[1].tensors.map(\.name))
    for tensor in files[0].tensors where tensor.type == .f32 {
      let arrays = try files.map { try $0.array(of: tensor.name, as: Float.self) }
      #expect(arrays[0] == arrays[1], "\(tensor.name)")
    }
    #expect(try files.map { try $0.array(of: "training.random", as: UInt64.self) }.allSatisfy { $0.count == 4 })
  }

  /// A run that starts from the beginning, in the folder of a run without a checkpoint, is the first session again.
  @Test func aFreshRunKeepsNothing() throws {
    try run.train(run.start(run.configuration(games: 20)))
    try FileManager.default.removeItem(atPath: run.checkpointPath)
    try run.train(run.start(run.configuration(games: 20) { $0.seed = 2 }))
    #expect(try kept() == ["config.yaml"])
  }
}
