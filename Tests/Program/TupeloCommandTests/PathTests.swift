import Foundation
import TestSupport
import Testing

/// Paths mean the same file in every command, whatever their names are and wherever links lead.
@Suite(.serialized) final class PathTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("paths")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let text = """
      network: {patterns: "0123"}
      training: {games: 20}
      evaluation: {games: 0}
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/run.yaml"))
  }

  deinit { TemporaryFile.remove(folder) }

  private func names(in path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/" + path).sorted()
  }

  /// Runs a line of the shell in the folder, with `tupelo` as the program.
  private func shell(_ line: String) throws -> Program.Result {
    try Program.shell("cd '\(folder)' && tupelo() { '\(Program.path)' \"$@\"; } && \(line)")
  }

  /// A shell does not replace the `~` of `--output=~/run`. All commands then find the folder `~` that this makes.
  @Test func aTildeIsALetter() throws {
    for line in [
      "tupelo train --config run.yaml '--output=~/run'", "mv run.yaml '~'",
      "tupelo train --resume '~/run' --games 40", "tupelo train --config '~/run.yaml' '--output=~/other'",
      "tupelo runs '~'", "tupelo plot '~/run' -o '~/curve.svg'", "tupelo plot '~/run' -o '~/curve.svg'",
      "tupelo inspect '~/run'",
      "tupelo sweep --config '~/run.yaml' --seeds 1 --set evaluation.games=2 --output '~/sweep'",
      "tupelo export '~/run' -o '~/model.safetensors'", "tupelo export '~/run' -o '~/model.safetensors'",
      "tupelo evaluate '~/model.safetensors' --games 2 --json > '~/evaluation.json'", "tupelo models list '~'",
      "tupelo site -o '~/site' --model '~/model.safetensors'",
    ] {
      let result = try shell(line)
      #expect(result.status == 0, "\(line): \(result)")
    }
    #expect(try names() == ["~"])
    #expect(try shell("tupelo runs '~'").output.contains("run "))
  }

  /// One function makes the URL of a path. It is the only caller of the function of Foundation that replaces `~`.
  @Test func oneFunctionMakesURLsOfPaths() throws {
    let files = try #require(FileManager.default.enumerator(atPath: Repository.file("Sources")))
    var callers: [String] = []
    while let name = files.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      let text = try Repository.text(of: "Sources/" + name)
      if text.contains("URL(fileURLWithPath:") || text.contains("URL(filePath:") { callers.append(name) }
    }
    #expect(callers == ["Train/TupeloModels/FileURL.swift"])
  }
}
