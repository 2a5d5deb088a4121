public import ArgumentParser
internal import TupeloNetwork
internal import TupeloRuns
public import TupeloTraining

struct AverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "average",
    abstract: "Makes one model of several of the same network.",
    discussion:
      "For replicas trained with different seeds, or checkpoints of one run. The result is a model to play with.")

  @Argument(help: "Models, checkpoints or run folders.", completion: .file(extensions: ["safetensors"]))
  var models: [String]

  @Option(name: .shortAndLong, help: "Where the model goes.", completion: .file(extensions: ["safetensors"]))
  var output: String

  @Option(name: .long, help: "mean: all count the same; visits: each weight by how much it was updated.")
  var by = ReplicaMerge.Weighting.mean

  @OptionGroup var force: ForceOption

  func run() throws {
    let output = try OutputFile(output, for: .model, force: force.force).path
    try Progress.during("averaging") {
      try ReplicaMerge.merge(models.map(ModelPath.file), by: by, to: output, of: .program)
    }
    Terminal.line("saved \(output), the average of \(Format.counted(models.count, "model"))")
  }
}

extension ReplicaMerge.Weighting: ExpressibleByArgument {}
