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

  /// A file keeps its protection when a link leads to it: a checkpoint, a file with a checksum, a file of other kind.
  @Test func aLinkProtectsItsFile() throws {
    let begin = try shell("mkdir m && tupelo train --config run.yaml --output run")
    #expect(begin.status == 0, "\(begin)")
    #expect(try shell("tupelo export run -o m/a.safetensors").status == 0)
    #expect(try shell("cd m && { \(Program.checksums("a.safetensors")); } > SHA256SUMS").status == 0)
    let files = ["run/checkpoint.safetensors", "m/a.safetensors", "run.yaml"]
    let before = try shell(Program.checksums(files.joined(separator: " ")))
    for (link, file) in zip(["link", "chain", "page.svg"], files) {
      #expect(try shell("ln -s \(file) \(link)-0 && ln -s \(link)-0 \(link)").status == 0)
    }
    for (line, text) in [
      ("export m/a.safetensors -o link", "link: is a checkpoint"),
      ("export m/a.safetensors -o link --force", "link: is a checkpoint"),
      ("average run run -o link", "link: is a checkpoint"), ("fold run -o link", "link: is a checkpoint"),
      ("autoplay run --record link", "link: is a checkpoint"),
      ("export run -o chain", "chain: is listed in SHA256SUMS"),
      ("plot run -o page.svg", "page.svg: is there already and would be lost"),
      ("autoplay --agent random --record page.svg", "page.svg: is there already and would be lost"),
    ] {
      let result = try shell("tupelo \(line)")
      #expect(result.status == 1 && result.errors.hasPrefix("Error: \(text)"), "\(line): \(result)")
    }
    #expect(before.status == 0)
    #expect(try shell(Program.checksums(files.joined(separator: " "))).output == before.output)
    // A file that may be replaced is replaced where the link leads, and its size is printed.
    let replaced = try shell("cp m/a.safetensors b && ln -s b free && tupelo export run -o free")
    let size = try #require(FileManager.default.attributesOfItem(atPath: folder + "/b")[.size] as? Int)
    #expect(replaced.output.hasSuffix("saved free, \((size + 999) / 1000) kB\n"), "\(replaced)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/free") == "b")
  }

  /// A run resumes where a link leads to its checkpoint, again and again, also through several links.
  @Test func aLinkedCheckpointResumesItsRun() throws {
    #expect(try shell("mkdir runs links && tupelo train --config run.yaml --output runs/a").status == 0)
    #expect(try shell("ln -s runs/a/checkpoint.safetensors latest && ln -s ../latest links/of-a-link").status == 0)
    for (number, link) in ["latest", "links/of-a-link", "./latest", folder + "/latest"].enumerated() {
      let result = try shell("tupelo train --resume \(link) --games \(20 * number + 40)")
      #expect(result.status == 0 && result.output.contains("resuming after \(20 * number + 20) games"), "\(result)")
      #expect(result.output.contains("runs/a/checkpoint.safetensors\n"), "\(result)")
    }
    #expect(try names() == ["latest", "links", "run.yaml", "runs"] && names(in: "links") == ["of-a-link"])
    #expect(try names(in: "runs") == ["a"])
  }

  /// The checkpoint of a run's folder may lie on another disk. The run stays in its folder.
  @Test func aRunResumesBesideALinkToAnotherDisk() throws {
    #expect(try shell("mkdir disk && tupelo train --config run.yaml --output run").status == 0)
    #expect(try shell("mv run/checkpoint.safetensors disk/a && ln -s ../disk/a run/checkpoint.safetensors").status == 0)
    #expect(try shell("ln -s run/checkpoint.safetensors latest").status == 0)
    for (number, name) in ["run", "run/checkpoint.safetensors", "latest"].enumerated() {
      let result = try shell("tupelo train --resume \(name) --games \(20 * number + 40)")
      #expect(result.status == 0 && result.output.contains("resuming after \(20 * number + 20) games"), "\(result)")
    }
    #expect(try names(in: "disk") == ["a"] && names() == ["disk", "latest", "run", "run.yaml"])
  }

  /// A file or folder that cannot be read has a row, and the other models are listed.
  @Test func oneFileDoesNotHideTheModels() throws {
    #expect(try shell("mkdir m m/x.safetensors m/sub && tupelo train --config run.yaml --output run").status == 0)
    #expect(try shell("tupelo export run -o m/good.safetensors && cp m/good.safetensors m/sub/").status == 0)
    let ready = try shell(
      "cd m && ln -s nowhere link.safetensors && mkfifo pipe.safetensors && echo text > text.safetensors "
        + "&& echo damaged > SHA256SUMS")
    #expect(ready.status == 0)
    let list = try shell("tupelo models list m")
    let rows = list.output.split(separator: "\n")
    #expect(list.status == 1, "\(list)")
    for name in ["m/good", "m/sub/good"] {
      #expect(rows.contains { $0.hasPrefix("\(name).safetensors  ") && !$0.contains("CANNOT BE READ") }, "\(list)")
    }
    for name in ["link", "pipe", "text", "x"] {
      #expect(rows.contains { $0.hasPrefix("m/\(name).safetensors  CANNOT BE READ: ") }, "\(name): \(list)")
    }
    let checked = try shell("tupelo models verify m")
    #expect(checked.status == 1 && checked.errors.hasPrefix("Error: m/SHA256SUMS:1: is not a checksum"), "\(checked)")
    #expect(checked.output == "m/sub/good.safetensors  NOT LISTED\n", "\(checked)")
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
