internal import ArgumentParser
internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows what a model file or checkpoint contains.",
    usage: "tupelo inspect <model> [<options>]",
    discussion: """
      Prints the network and the weights of a model, and also the configuration and the counters of a checkpoint. A \
      file that cannot be played with is shown as far as it can be read, and the command fails.

      Example:
        tupelo inspect models/small
      """)

  @Argument(help: "Model file, checkpoint or run folder.", completion: .models)
  var model: String

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  func run() throws {
    let file = try SafetensorsFile(path: ShippedModel.file(at: model))
    let identity = Progress.during("reading") { Identity(of: file) }
    if json {
      Terminal.line(try Progress.during("reading") { try InspectionJSON.text(of: file, identity) })
    } else {
      try show(file, identity)
    }
    if case .unplayable = identity { throw CommandEnd.told(.failure) }
  }

  private func show(_ file: SafetensorsFile, _ identity: Identity) throws {
    let description = try ModelDescription(in: file, of: .program)
    let isCheckpoint = file.tensors.contains { $0.name.hasPrefix("training.") }
    Terminal.line("file         \(file.path)")
    let kind =
      PortableState.isIn(file)
      ? "portable state (training can be resumed, not bit for bit)"
      : isCheckpoint ? "checkpoint (training can be resumed)" : "model (weights only)"
    Terminal.line("kind         \(kind)")
    Terminal.line("network      \(description.canonicalText)")
    Terminal.line("stored as    \(ModelFile.storage(of: file))")
    Terminal.line("structure    \(description.fingerprint)")
    Terminal.line("model        \(identity)")
    Terminal.line(
      "weights      \(Format.grouped(description.weightCount)), \(description.featureCount) per value, "
        + "\(Format.bytes(description.weightCount * 4)) to play")
    if isCheckpoint {
      let checkpoint = try Checkpoint(file: file, of: .program)
      Terminal.line(
        "trained      \(Format.counted(checkpoint.games, "game")), \(Format.counted(checkpoint.moves, "move"))")
      if !checkpoint.roundedAt.isEmpty {
        let times = checkpoint.roundedAt.map { Format.counted($0, "game") }.joined(separator: ", ")
        Terminal.line("rounded      after \(times)")
      }
      Terminal.line("configuration")
      for line in checkpoint.configuration.yaml.split(separator: "\n") { Terminal.line("  \(line)") }
    }
    if let best = Self.best(of: file, description.game) { Terminal.line("best of run  \(best)") }
    // Half precision and compact files are for play. Their weights are rounded, so their statistics would be blurred.
    let isWhole = file.tensor(named: "weights.0")?.type == .f32
    let diagnostics =
      isWhole ? try Progress.during("reading") { try WeightDiagnostics.diagnostics(of: file, in: .program) } : []
    let width = diagnostics.map(\.table.description.count).max() ?? 0
    if isWhole { Terminal.line("tables") }
    for table in diagnostics {
      let step = table.meanStepSize.map { ", mean step size \(String(format: "%.3f", $0)) of alpha" } ?? ""
      Terminal.line(
        "  \(Format.padded("\(table.table)", to: width))  norm \(Format.grouped(table.norm)), "
          + "\(Format.percent(table.visitedShare)) visited\(step)")
    }
    Terminal.line("tensors")
    for tensor in file.tensors {
      let axes = tensor.shape.prefix(16).map(String.init) + (tensor.shape.count > 16 ? ["..."] : [])
      let (name, shape) = (Spelling.printable(tensor.name), axes.joined(separator: "x"))
      Terminal.line("  \(name)  \(tensor.type.rawValue)  \(shape)  \(Format.bytes(tensor.byteCount))")
    }
  }

  /// The score that the best model of a run carries; `nil` for another file.
  private static func best(of file: SafetensorsFile, _ game: GameKind) -> String? {
    do throws(CheckpointError) {
      return try BestScore(of: file)?.text(of: game)
    } catch {
      return "cannot be read: \(error)"
    }
  }

  /// The hash of the weights. Weights that cannot be played with have no hash: the reason stands in its place, and the
  /// other facts of the file are still shown.
  enum Identity: CustomStringConvertible {
    case model(hash: String)
    case unplayable(reason: String)

    init(of file: SafetensorsFile) {
      do {
        self = .model(hash: try TrainedModel(file: file, of: .program).identity)
      } catch {
        self = .unplayable(reason: "\(error)")
      }
    }

    var description: String {
      switch self {
      case .model(let hash): hash + ", a hash of its weights"
      case .unplayable(let reason): "cannot be played with: \(reason)"
      }
    }
  }
}
