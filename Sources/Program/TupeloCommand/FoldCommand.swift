internal import ArgumentParser
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloTraining

struct FoldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fold",
    abstract: "Adds patterns that lie within others into them, so that play looks up less.",
    discussion: """
      For networks trained with a redundant encoding: small patterns beside the large ones that contain them. The \
      result is a model to play with, and says the same of every position up to rounding.
      """)

  @Argument(help: "Model file, checkpoint or run folder.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(name: .shortAndLong, help: "Where the model goes.", completion: .file(extensions: ["safetensors"]))
  var output: String

  @OptionGroup var force: ForceOption

  func run() throws {
    let output = try OutputFile(output, for: .model, force: force.force).path
    let (before, after) = try Progress.during("folding") {
      let path = try ModelPath.file(at: model)
      let trained = try TrainedModel(path: path, of: .program).board(path: path).patterns(path: model)
      let folded = try trained.folded()
      try folded.save(to: output)
      return (trained.specification.patterns.count, folded.specification.patterns.count)
    }
    Terminal.line("saved \(output): \(Format.counted(after, "pattern")) instead of \(before)")
  }
}
