internal import ArgumentParser
internal import TupeloNetwork

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Makes a model from a TDL2048+ weight file.",
    usage: "tupelo import <file> --output <output> [<options>]",
    discussion: """
      The names of the tables in the file are the patterns of the network. Weights are copied exactly; sums of \
      temporal coherence are left out. The result is a model to play with.

      Example:
        tupelo export models/17x4 -o 17x4.w
        tupelo import 17x4.w -o model.safetensors
      """)

  @Argument(help: "Weight file (.w).", completion: .file(extensions: ["w"]))
  var file: String

  @Option(name: .shortAndLong, help: "The file to write.", completion: .file(extensions: ["safetensors"]))
  var output: String

  @Flag(
    name: .long, inversion: .prefixedNo,
    help: """
      Use the tables on the board alone, as in 8x4patt and 9x4patt, or on all symmetric boards. The file does not \
      record it (default: as the layout with these patterns does).
      """)
  var separate: Bool?

  @OptionGroup var force: ForceOption

  func run() throws {
    let output = try OutputFile(output, for: .model, force: force.force).path
    let network = try Progress.during("importing") {
      let network = try NTupleNetwork(tdlWeightFile: file, sharesSymmetries: separate.map { !$0 })
      try network.save(to: output)
      return network
    }
    Terminal.line("saved \(output): \(network.specification.canonicalText)")
  }
}
