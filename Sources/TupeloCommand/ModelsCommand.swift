internal import ArgumentParser
internal import Foundation
internal import TupeloTraining

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Lists, checks and describes model files.",
    subcommands: [List.self, Verify.self, Card.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "What the models in a folder are.",
      discussion: "Fails when one of them cannot be read.")

    @Argument(help: "The folder.", completion: .directory)
    var folder = "models"

    func run() throws {
      let entries = try ModelFolder(path: folder).entries()
      if entries.isEmpty { Terminal.line("no model (*.safetensors) in \(folder)") }
      for entry in entries {
        guard entry.isModel else {
          Terminal.line("\(entry.name)  CANNOT BE READ: \(entry.network)")
          continue
        }
        Terminal.line("\(entry.name)  \(Format.bytes(entry.byteCount))  \(entry.network)  \(entry.storage)")
      }
      if entries.contains(where: { !$0.isModel }) { throw ExitCode.failure }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify", abstract: "Compares models with their checksums.",
      discussion: """
        The folder's SHA256SUMS is as `sha256sum *.safetensors > SHA256SUMS` writes it. Fails unless every file that is listed is there \
        and unchanged, and every model is listed.
        """)

    @Argument(help: "The folder.", completion: .directory)
    var folder = "models"

    func run() throws {
      let verdicts = try ModelFolder(path: folder).verify()
      for (name, verdict) in verdicts { Terminal.line("\(name)  \(verdict.rawValue)") }
      if verdicts.isEmpty { Terminal.line("nothing is listed and no model is there") }
      if verdicts.contains(where: { $0.verdict != .intact }) { throw ExitCode.failure }
    }
  }

  struct Card: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "card", abstract: "Writes a model card, from a model and its evaluations.",
      discussion: """
        Markdown with front matter for Hugging Face:
          tupelo evaluate model.safetensors --games 10000 --json > greedy.json
          tupelo models card model.safetensors --evaluation greedy.json > README.md
        """)

    @Argument(help: "Model file, checkpoint or run folder.", completion: .file(extensions: ["safetensors"]))
    var model: String

    @Option(
      name: .long, parsing: .upToNextOption, help: "Files that tupelo evaluate --json printed.", completion: .file())
    var evaluation: [String] = []

    @Option(name: .long, help: "The weights' licence, as Hugging Face calls it.")
    var license = "other"

    func run() throws {
      let card = try ModelCard(model: RunFolder.checkpoint(at: model), evaluations: evaluation, license: license)
      Terminal.write(card.markdown)
    }
  }
}
