import Foundation
import TestSupport
import Testing

/// The words that bash offers when a person presses Tab, by its own completion functions.
@Suite(.serialized) final class CompletionTests {
  private let folder = TemporaryFile.path("completion")

  init() throws {
    for name in ["models/own", "configs", "runs/first"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    for name in ["models/own/model.safetensors", "own.safetensors", "own.txt", "mine.yaml", "configs/shipped.yaml"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
  }

  deinit { TemporaryFile.remove(folder) }

  /// The words for the last one of a command line, in a folder with models, configurations and a run.
  private func offered(_ words: String...) throws -> Set<String> {
    let line = (["tupelo"] + words).map(Program.quoted).joined(separator: " ")
    let path = Program.quoted((Program.path as NSString).deletingLastPathComponent)
    let result = try Program.shell(
      """
      cd \(Program.quoted(folder)) && PATH=\(path):$PATH bash -c '
      source <(tupelo --generate-completion-script bash)
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      _tupelo tupelo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf "%s\\n" "${COMPREPLY[@]}"' bash \(line)
      """)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  @Test func modelsAndConfigurationsAreOffered() throws {
    #expect(try offered("train", "").isSuperset(of: ["shipped", "quickstart", "mine.yaml", "runs"]))
    #expect(try offered("train", "ship") == ["shipped"])
    #expect(try offered("sweep", "--config", "ship") == ["shipped"])
    for command in ["evaluate", "play", "serve", "export", "inspect", "average", "review"] {
      let words = try offered(command, "")
      #expect(words.isSuperset(of: ["models/own", "models/small", "own.safetensors", "runs"]), "\(command): \(words)")
      #expect(words.contains("own.txt") == (command == "review"), "\(command): \(words)")
      #expect(try offered(command, "runs/") == ["runs/first"])
      #expect(try offered(command, "models/o") == ["models/own"])
    }
    #expect(try offered("arena", "greedy", "--model", "models/o") == ["models/own"])
  }

  @Test func valuesOfOptionsAndCommandsAfterHelpAreOffered() throws {
    #expect(try offered("evaluate", "--agent", "exp") == ["expectimax(plies: 3)"])
    #expect(try offered("train", "--layout", "17") == ["17x4"])
    #expect(try offered("bench", "--layouts", "17") == ["17x4"])
    #expect(try offered("export", "--format", "").isSuperset(of: ["f32", "f16", "compact", "w"]))
    #expect(try offered("plot", "--metric", "").contains("rollout/score_mean"))
    #expect(try offered("help", "").isSuperset(of: ["train", "evaluate", "agents"]))
    #expect(try offered("help", "ev") == ["evaluate"])
    for shell in ["zsh", "fish"] {
      let script = try Program.run(["--generate-completion-script", shell]).output
      #expect(script.contains("train sweep runs compare plot evaluate"), "\(shell)")
    }
  }

  /// Bash expands the words that it is offered, so a name that it would execute is not among them.
  @Test func aHostileNameIsNotExecuted() throws {
    let name = "$(touch executed)"
    try FileManager.default.createDirectory(atPath: "\(folder)/runs/\(name)", withIntermediateDirectories: true)
    #expect(try offered("evaluate", "runs/") == ["runs/first"])
    #expect(!FileManager.default.fileExists(atPath: folder + "/executed"))
  }
}
