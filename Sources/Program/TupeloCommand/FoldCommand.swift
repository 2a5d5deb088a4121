internal import ArgumentParser
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloTraining

struct FoldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fold",
    abstract: "Makes play faster: adds small patterns to larger ones.",
    usage: "tupelo fold <model> --output <output> [<options>]",
    discussion: """
      Use it for a network that was trained with a redundant encoding: small patterns beside large ones that contain \
      them. The result is a model to play with. Its values are equal to those of the original network, up to rounding.

      Example:
        tupelo train --set "network.patterns=0123 012" --games 1k --output runs/fold
        tupelo fold runs/fold -o folded.safetensors
      """)

  @Argument(help: "Model file, checkpoint or run folder.", completion: .models)
  var model: String

  @Option(name: .shortAndLong, help: "The file to write.", completion: .file(extensions: ["safetensors"]))
  var output: String

  @OptionGroup var force: ForceOption

  func run() throws {
    let output = try OutputFile(output, for: .model, force: force.force).path
    let (before, after) = try Progress.during("folding") {
      let path = try ShippedModel.file(at: model)
      let trained = try TrainedModel(path: path, of: .program).board(path: path).patterns(path: model)
      let folded = try trained.folded()
      try folded.save(to: output)
      return (trained.specification.patterns.count, folded.specification.patterns.count)
    }
    Terminal.line("saved \(output): \(Format.counted(after, "pattern")) instead of \(before)")
  }
}
