internal import ArgumentParser
internal import TupeloNetwork

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a model as a TDL2048+ weight file.",
    discussion: "Of a checkpoint with averaged weights, those are written. Training state stays behind.")

  @Argument(help: "Model file, checkpoint or run folder.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(name: .shortAndLong, help: "Where it goes: a file ending in .w.", completion: .file())
  var output: String

  func run() throws {
    let network = try NTupleNetwork(path: RunFolder.checkpoint(at: model))
    try network.saveTDLWeightFile(to: output)
    Terminal.line("saved \(output)")
  }
}
