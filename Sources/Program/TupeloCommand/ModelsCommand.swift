internal import ArgumentParser
internal import Foundation
internal import TupeloReports
internal import TupeloTraining
internal import TupeloRuns

struct ModelsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Lists, checks and describes model files.",
    discussion: """
      Use these commands to look after folders of models, such as the folder models of this repository.

      Example:
        tupelo models list
      """,
    subcommands: [List.self, Verify.self, Card.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Lists the models in a folder, and how well they play.",
      usage: "tupelo models list [<folder>]",
      discussion: """
        Looks into the folder and into the folders in it. Fails when a model or an evaluation cannot be read.

        Example:
          tupelo models list models
        """)

    @Argument(help: "The folder.", completion: .directory)
    var folder = "models"

    func run() throws {
      var isComplete = true
      var count = 0
      for folder in try ModelFolder.all(under: ShippedFile.found(folder)) {
        do {
          let entries = try folder.entries()
          for entry in entries { show(entry, in: folder) }
          let names = try folder.evaluationNames()
          var areOwn = names.map { show($0, in: folder, of: entries) }
          if names.isEmpty { areOwn.append(try showCard(of: folder, entries)) }
          isComplete = isComplete && entries.allSatisfy(\.isModel) && areOwn.allSatisfy { $0 }
          count += entries.count
        } catch {
          isComplete = false
          Terminal.line("CANNOT BE READ: \(error)")
        }
      }
      if count == 0, isComplete { Terminal.line("no model (*.safetensors) in \(folder)") }
      if !isComplete { throw CommandEnd.told(.failure) }
    }

    /// Prints an evaluation.
    ///
    /// - Returns: whether it can be read and belongs to one of the models
    private func show(_ name: String, in folder: ModelFolder, of entries: [ModelFolder.Entry]) -> Bool {
      do {
        let evaluation = try ModelEvaluation(path: folder.path + "/" + name, of: .program)
        let isOwn = try entries.contains { entry in
          let path = folder.path + "/" + entry.name
          return try entry.isModel
            && evaluation.isOf(checksum: entry.checksum, identity: TrainedModel(path: path, of: .program).identity)
        }
        Terminal.line(
          "  \(evaluation.agent), \(Format.counted(evaluation.games, "game")): "
            + (isOwn ? evaluation.score : "\(name) belongs to other weights: make it again"))
        return isOwn
      } catch {
        Terminal.line("  CANNOT BE READ: \(error)")
        return false
      }
    }

    /// Prints the scores of a card.
    ///
    /// - Returns: whether they belong to one of the models
    private func showCard(of folder: ModelFolder, _ entries: [ModelFolder.Entry]) throws -> Bool {
      guard let card = try folder.cardScores(), !card.scores.isEmpty else { return true }
      guard entries.contains(where: { $0.checksum == card.checksum }) else {
        Terminal.line("  \(ModelCard.cardName) belongs to other weights: make it again")
        return false
      }
      for line in card.scores {
        Terminal.line("  \(line.agent), \(Format.counted(line.games, "game")): \(line.score)")
      }
      return true
    }

    private func show(_ entry: ModelFolder.Entry, in folder: ModelFolder) {
      guard entry.isModel else {
        return Terminal.line("\(folder.path)/\(entry.name)  CANNOT BE READ: \(entry.network)")
      }
      Terminal.line("\(folder.path)/\(entry.name)  \(Format.bytes(entry.byteCount))  \(entry.title)")
      Terminal.line(Format.wrapped("  \(entry.storage)", indent: "    "))
      if let best = entry.best { Terminal.line(Format.wrapped("  best of run: \(best)", indent: "    ")) }
    }
  }

  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Checks the models in a folder against their checksums.",
      usage: "tupelo models verify [<folder>]",
      discussion: """
        Looks into the folder and into the folders in it. Fails unless every file that SHA256SUMS lists is there and \
        unchanged, and every model is listed. The checksums are in the format of sha256sum, so sha256sum -c SHA256SUMS \
        checks a model's folder, too.

        Example:
          tupelo models verify models
        """)

    @Argument(help: "The folder.", completion: .directory)
    var folder = "models"

    func run() throws {
      var wrong: [String] = []
      var count = 0
      var problem: (any Error)?
      for folder in try ModelFolder.all(under: ShippedFile.found(folder)) {
        do {
          for (name, verdict) in try folder.verify() {
            count += 1
            Terminal.line("\(folder.path)/\(name)  \(verdict.rawValue)")
            if verdict != .intact { wrong.append("\(folder.path)/\(name)") }
          }
        } catch {
          // The other folders are checked, too.
          problem = problem ?? error
        }
      }
      if let problem { throw problem }
      if count == 0 { Terminal.line("nothing is listed and no model is in \(folder)") }
      guard wrong.isEmpty else { throw ModelsProblem.notAsListed(wrong) }
    }
  }

  struct Card: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "card",
      abstract: "Completes a model's folder with its card, configuration and checksums.",
      usage: "tupelo models card <model> [<options>]",
      discussion: """
        The card, README.md, is Markdown with front matter for Hugging Face. Its facts come from the model's file and \
        from the evaluations beside it, evaluation*.json. The configuration, config.yaml, is the one that the model \
        was trained with.

        Example:
          tupelo train --layout 17x4 --games 2k --output runs/mine
          mkdir mine
          tupelo export runs/mine -o mine/model.safetensors --format compact
          tupelo evaluate mine/model.safetensors --json > mine/evaluation.json
          tupelo models card mine
        """)

    @Argument(help: "The model's folder, or the model file in it.", completion: .directory)
    var model: String

    @Option(name: .long, help: "The weights' licence, as Hugging Face calls it.")
    var license = "unknown"

    func run() throws {
      let card = try ModelCard(model: model, license: license)
      Terminal.line("wrote \(try card.write().joined(separator: ", "))")
      if card.evaluations.isEmpty {
        Terminal.line("note: the card has no scores, because there is no evaluation*.json beside the model")
      }
    }
  }
}

/// Readable models that differ from their checksums.
enum ModelsProblem: Error, CustomStringConvertible {
  case notAsListed([String])

  var description: String {
    switch self {
    case .notAsListed(let files):
      "\(files.joined(separator: ", ")): not equal to SHA256SUMS: get the files again, or if they were meant to "
        + "change, run tupelo models card"
    }
  }
}
