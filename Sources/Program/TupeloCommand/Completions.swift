internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloSearch

/// The words that a shell offers for the arguments of a command.
extension CompletionKind {
  /// Model files, folders, and the models that come with the program.
  static var models: CompletionKind {
    words { try ShippedModel.names() + paths($0, ["safetensors"]) }
  }

  /// Model files and all other files, for a command that takes a record after the model.
  static var modelsAndFiles: CompletionKind {
    words { try ShippedModel.names() + paths($0, nil) }
  }

  /// Configuration files, folders, and the configurations that come with the program.
  static var configurations: CompletionKind {
    words {
      let names = try ShippedFile.names(in: "configs").filter { $0.hasSuffix(".yaml") }
      return try names.map { String($0.dropLast(".yaml".count)) } + paths($0, ["yaml", "yml"])
    }
  }

  /// The agents of 2048, each with an example of its settings.
  static var agents: CompletionKind { words { _ in AgentName.allCases.map(\.row.example) } }

  private static func words(_ all: @escaping @Sendable (String) throws -> [String]) -> CompletionKind {
    .custom { _, _, prefix in
      do {
        let words = try Set(all(prefix)).filter { $0.hasPrefix(prefix) && isPlain($0) }.sorted()
        // In zsh, a description follows a colon.
        return CompletionShell.requesting == .zsh ? words.map { $0.replacing(":", with: "\\:") } : words
      } catch {
        // A shell has no place for an error: the command itself reports it.
        return []
      }
    }
  }

  /// Whether a shell takes a word as it is. Bash expands the words that it is offered, and would run `$(command)`.
  private static func isPlain(_ word: String) -> Bool {
    word.allSatisfy { !"$`\\\"'".contains($0) && Spelling.isPrintable($0.unicodeScalars.first ?? "\0") }
  }

  /// The files with one of the endings, and the folders, where a path that is being typed leads.
  private static func paths(_ typed: String, _ endings: Set<String>?) throws -> [String] {
    let start = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let folder = start.isEmpty ? "." : (start as NSString).expandingTildeInPath
    guard isFolder(folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      let isMeant = endings?.contains((name as NSString).pathExtension) ?? true
      return !name.hasPrefix(".") && (isMeant || isFolder(folder + "/" + name))
    }.map { start + $0 }
  }
}

/// The script that `tupelo --generate-completion-script` prints.
enum CompletionScript {
  /// The script of the parser with the words that may follow `tupelo help`, which the parser leaves out.
  static func completed(_ script: String) -> String {
    let words = (CommandLineCheck.names + [AgentGuide.topic]).joined(separator: " ")
    let bash = "_tupelo_help() {\n    repeating_flags"
    let text = script.replacing(
      bash,
      with: bash.replacing("{\n", with: "{\n    COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n")
    ).replacing("'*:subcommands:'", with: "'*:subcommands:(\(words))'")
    guard text == script else { return text }
    return script + "\ncomplete -c 'tupelo' -n '__fish_seen_subcommand_from help' -fa '\(words)'"
  }
}
