internal import ArgumentParser
internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a model to play with, in full, small, or for TDL2048+.",
    usage: "tupelo export <model> --output <output> [<options>]",
    discussion: """
      The averaged weights of a checkpoint are written when it has them, and only a state has training state. A model \
      that is made from another model records which model that was. The formats are:
        f32      every weight in single precision, the default
        f16      every weight in half precision
        compact  weights as multiples of --step, compressed, without the weights that
                 training with temporal coherence hardly used
        state    the run in about 1/40 of its checkpoint, which train --resume continues
        w        a TDL2048+ weight file, the default for a name that ends in .w

      With --megabytes, a compact file is at most this large. It keeps the weights that play needs most, counted in a \
      few hundred greedy games. So a network that is too large for a device stays a strong one.

      A state is for moving a run to another machine. It keeps the weights that were updated often, so --megabytes \
      makes it larger or smaller. Training continues from it, but not bit for bit as from a checkpoint.

      Example:
        tupelo export models/17x4 -o small.safetensors --format compact --megabytes 1
        tupelo train quickstart --output runs/first
        tupelo export runs/first -o first.safetensors --format state
      """)

  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case f32, f16, compact, state, w
  }

  @Argument(help: "Model file, checkpoint or run folder.", completion: .models)
  var model: String

  @Option(name: .shortAndLong, help: "The file to write.", completion: .file())
  var output: String

  @Option(name: .long, help: "How weights are stored.")
  var format: Kind?

  @Option(
    name: .long,
    help: "For compact: kept weights are off by at most half of this (default: 16 points; less for small weights).")
  var step: Float?

  @Option(name: .long, help: "For compact: smaller weights become 0, in points (default: 0).")
  var drop: Float?

  @Option(name: .long, help: "For compact and state: drop the weights that matter least, until the file has this size.")
  var megabytes: Double?

  @Option(name: .long, help: "For --megabytes: games that count how often play uses each weight (default: 500).")
  var games: Count?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "For compact, from a checkpoint of temporal coherence: leave out weights that training hardly used, until the "
        + "value of a feature is off by this many points on average (default: \(Int(usualLoss)), with --drop 0).",
      valueName: "points"))
  var loss: Float?

  /// The loss of a checkpoint when neither `--loss` nor `--drop` is given: it costs no measurable score.
  private static let usualLoss: Float = 2

  @OptionGroup var force: ForceOption

  func validate() throws {
    if let loss, !(loss >= 0 && loss.isFinite) { throw CommandEnd.wrong("--loss is \(loss): give points from 0 on") }
    if let step, !(step > 0 && step.isFinite) { throw CommandEnd.wrong("--step is \(step): give points above 0") }
    if let drop, !(drop >= 0 && drop.isFinite) { throw CommandEnd.wrong("--drop is \(drop): give points from 0 on") }
    if step != nil || drop != nil || loss != nil, resolved != .compact {
      throw CommandEnd.wrong("--step, --drop and --loss are for --format compact: add it, or leave them out")
    }
    if let megabytes, !(megabytes > 0 && megabytes <= 1e6) {
      throw CommandEnd.wrong("--megabytes is \(megabytes): give megabytes above 0, at most a million")
    }
    if megabytes != nil, resolved != .compact, resolved != .state {
      throw CommandEnd.wrong("--megabytes is for --format compact or state: add it, or leave it out")
    }
    if megabytes != nil, drop != nil || loss != nil {
      throw CommandEnd.wrong("--megabytes decides what is dropped: leave out --drop and --loss")
    }
    if games != nil, megabytes == nil || resolved != .compact {
      throw CommandEnd.wrong("--games is for --format compact with --megabytes: add them, or leave it out")
    }
    if let games, games.value < 1 { throw CommandEnd.wrong("--games is \(games.value): give 1 or more") }
    let ending = (output as NSString).pathExtension
    guard ["", "safetensors", "w"].contains(ending) else {
      throw CommandEnd.wrong("--output is \(output): models end in .safetensors, and files of TDL2048+ in .w")
    }
    if output.hasSuffix(".w") != (resolved == .w) {
      throw CommandEnd.wrong(
        "--output is \(output): files of TDL2048+, and no others, end in .w, and --format is \(resolved)")
    }
  }

  private var resolved: Kind { format ?? (output.hasSuffix(".w") ? .w : .f32) }

  func run() throws {
    let kind = resolved == .w ? OutputFile.Kind.weightFile : .model
    let output = try OutputFile(output, for: kind, force: force.force).path
    try write(to: output)
    let size = try FileManager.default.attributesOfItem(atPath: realPath(of: output))[.size] as? Int
    Terminal.line("saved \(output)\(size.map { ", \(Format.bytes($0))" } ?? "")")
  }

  /// Writes the file in its format.
  private func write(to output: String) throws {
    switch resolved {
    case .f32: try save(.f32, Original(at: model), to: output)
    case .f16: try save(.f16, Original(at: model), to: output)
    case .compact:
      let original = try Original(at: model)
      if let megabytes { return try writeSmall(original, Int(megabytes * 1e6), to: output) }
      let loss = try Progress.during("exporting") { try dropLittleUsed(of: original) }
      try save(.compact(step: step, drop: drop ?? 0), original, loss: loss, to: output)
    case .state: try writeState(to: output)
    case .w:
      let trained = try Original(at: model).trained
      try Progress.during("exporting") { try trained.saveTDLWeightFile(to: output) }
    }
  }

  /// The model that is exported.
  private struct Original {
    let file: SafetensorsFile
    let trained: TrainedModel
    /// What the new file says about its origin.
    let origin: [String: String]

    init(at path: String) throws {
      file = try SafetensorsFile(path: ShippedModel.file(at: path))
      trained = try TrainedModel(file: file, of: .program)
      origin = try ModelOrigin.metadata(of: file, in: .program)
        .merging(ModelOrigin.source(of: file, identity: trained.identity, name: ModelName.short(path))) { $1 }
    }
  }

  private func save(_ format: PlayFormat, _ original: Original, loss: Float = 0, to output: String) throws {
    let metadata = original.origin.merging(loss > 0 ? [ModelFile.Key.loss: "\(loss)"] : [:]) { $1 }
    try Progress.during("exporting") { try original.trained.save(to: output, format: format, metadata: metadata) }
  }

  /// Writes the state of a run, of any game with tables, also of a game that only another program knows.
  private func writeState(to output: String) throws {
    let file = try SafetensorsFile(path: ShippedModel.checkpointFile(at: model))
    try Progress.during("exporting") {
      try Checkpoint.savePortable(file, to: output, bytes: megabytes.map { Int($0 * 1e6) })
    }
  }

  /// Writes the weights that play needs most, as many as fit.
  private func writeSmall(_ original: Original, _ bytes: Int, to output: String) throws {
    let network = try original.trained.board(path: model).patterns(path: model)
    let (games, step) = (games?.value ?? 500, try step ?? network.compactStep(path: output))
    let progress = Progress.Counted("counting", of: games)
    var played = 0
    let rules = try Rules(shape: network.specification.shape)
    let usage = try WeightUsage(playing: network, games: games, seed: 1, rules: rules) {
      played += 1
      progress.show(played)
    }
    progress.finish()
    var metadata = original.origin
    metadata[ModelFile.Key.megabytes] = "\(Double(bytes) / 1e6)"
    metadata[ModelFile.Key.usageGames] = "\(games)"
    let pruned = try Progress.during("exporting") {
      try network.pruned(toFileOf: bytes, step: step, by: usage, metadata: metadata, path: output)
    }
    try pruned.save(to: output, format: .compact(step: step, drop: 0), metadata: metadata)
  }

  /// Leaves out weights that training hardly used, if the file has the counts.
  ///
  /// - Returns: the loss in points.
  private func dropLittleUsed(of original: Original) throws -> Float {
    let file = original.file
    guard let network = original.trained.base as? NTupleNetwork, NTupleNetwork.knowsUse(file) else {
      guard loss ?? 0 == 0 else {
        throw CommandEnd.failure(
          "\(file.path): does not say how much its weights were used, as a checkpoint of temporal coherence does: "
            + "leave --loss out")
      }
      return 0
    }
    let loss = loss ?? (drop == nil ? Self.usualLoss : 0)
    if loss > 0 { try network.dropLittleUsed(in: file, loss: loss) }
    return loss
  }
}
