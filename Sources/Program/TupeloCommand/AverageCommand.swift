public import ArgumentParser
internal import TupeloNetwork
internal import TupeloReports
public import TupeloTraining

struct AverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "average",
    abstract: "Averages several models of the same network into one model.",
    usage: "tupelo average <models> ... --output <output> [<options>]",
    discussion: """
      Use it for runs that were trained with different seeds, or for checkpoints of one run. The result is a model to \
      play with, without training state.

      Example:
        tupelo train --layout 17x4 --games 2k --seed 1 --output runs/one
        tupelo train --layout 17x4 --games 2k --seed 2 --output runs/two
        tupelo average runs/one runs/two -o both.safetensors
      """)

  @Argument(help: "Models, checkpoints or run folders.", completion: .models)
  var models: [String]

  @Option(name: .shortAndLong, help: "The file to write.", completion: .file(extensions: ["safetensors"]))
  var output: String

  @Option(name: .long, help: "mean: all models count equally; visits: each weight counts by how much it was updated.")
  var by = ReplicaMerge.Weighting.mean

  @OptionGroup var force: ForceOption

  func run() throws {
    let output = try OutputFile(output, for: .model, force: force.force).path
    try Progress.during("averaging") {
      try ReplicaMerge.merge(models.map(ShippedModel.file), by: by, to: output, of: .program)
    }
    Terminal.line("saved \(output), the average of \(Format.counted(models.count, "model"))")
  }
}

extension ReplicaMerge.Weighting: ExpressibleByArgument {}
