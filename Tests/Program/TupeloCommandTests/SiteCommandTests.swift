import Foundation
import TestSupport
import Testing
import Tupelo
import TupeloNetwork

/// `tupelo site`: the files that it writes, and the files that it does not replace.
@Suite struct SiteCommandTests {
  private let folder: TemporaryFolder
  private let model: String

  init() throws {
    folder = try TemporaryFolder()
    model = folder.file("small.safetensors")
    try RandomModel.save(to: model, seed: 8)
  }

  @Test func writesASiteAndWritesItAgain() throws {
    let site = folder.file("public")
    for _ in 0..<2 {
      let result = try Program.run(["site", "-o", site, "--model", model])
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      #expect(result.output.contains("saved \(site), ") && result.output.contains("of a browser's memory"))
      #expect(result.output.contains("no model of Set: the hand-written heuristic plays"))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: site).sorted()
    let wanted = [
      "engine.js", "engine.wasm", "icon-192.png", "icon-512.png", "index.html", "learn.js", "learn.wasm",
      "manifest.webmanifest", "model.safetensors", "offline.js", "page.css", "page.js",
    ]
    #expect(names == wanted, "no first model and no model of Set are named")
    // A training file is packed: a weight changes by half a step at most.
    let (whole, packed) = (try NTupleNetwork(path: model), try NTupleNetwork(path: site + "/model.safetensors"))
    for index in stride(from: 0, to: 1 << 16, by: 77) {
      let difference = whole[pattern: 0, standardIndex: index] - packed[pattern: 0, standardIndex: index]
      #expect(abs(difference) <= 8)
    }
  }

  @Test func writesAModelOfSet() throws {
    let shipped = "models/set/model.safetensors"
    for arguments in [["-o", folder.file("public")], ["-o", folder.file("page.html"), "--single-file"]] {
      let result = try Program.run(["site", "--model", model, "--set-model", shipped] + arguments)
      #expect(result.status == 0 && result.output.contains("those of Set 15 MB more"), "\(result)")
    }
    #expect(try bytes(ofFile: folder.file("public/set.safetensors")) == bytes(ofFile: shipped))
    let page = String(decoding: try bytes(ofFile: folder.file("page.html")), as: UTF8.self)
    #expect(page.contains("id=\"set-model\">") && page.contains("\"title\":\"set\""))
    let wrong = try Program.run(["site", "-o", folder.file("x"), "--model", model, "--set-model", model])
    #expect(wrong.status == 1 && wrong.errors.contains("--set-model"), "\(wrong)")
  }

  @Test func writesOneFile() throws {
    let page = folder.file("tupelo.html")
    for _ in 0..<2 {
      let result = try Program.run(["site", "-o", page, "--single-file", "--model", model])
      #expect(result.status == 0, "\(result)")
    }
    let text = String(decoding: try bytes(ofFile: page), as: UTF8.self)
    #expect(text.hasPrefix("<!DOCTYPE html>") && text.contains("\"title\":\"small.safetensors\""))
    #expect(try folder.names == ["small.safetensors", "tupelo.html"], "no other file is left")
  }

  /// Without a model, one file contains the strongest small model, and a folder the strongest model that a page can
  /// hold.
  @Test(.slow) func takesTheShippedModels() throws {
    for (output, title) in [("one.html", "small"), ("folder", "medium")] {
      let options = output.hasSuffix(".html") ? "--single-file" : ""
      let result = try Program.shell(
        "env -u TUPELO_MODEL \(Program.quoted(Program.path)) site \(options) -o \(Program.quoted(folder.file(output)))")
      #expect(result.status == 0, "\(result)")
      let page = options.isEmpty ? "folder/index.html" : output
      let text = String(decoding: try bytes(ofFile: folder.file(page)), as: UTF8.self)
      #expect(text.contains("\"title\":\"\(title)\""), "\(output)")
      let first = text.contains("\"first\":{") && text.contains("\"title\":\"tiny\"")
      #expect(first == (title == "medium"), "the tiny one before the medium one: \(output)")
    }
  }

  @Test func replacesNothingElse() throws {
    let (page, note) = (folder.file("index.html"), Array("<!DOCTYPE html><p>mine".utf8))
    try write(note, toFile: page)
    let refused = try Program.run(["site", "-o", folder.path, "--model", model])
    #expect(refused.status == 1 && refused.errors.contains("is there already") && refused.errors.contains("--force"))
    let single = try Program.run(["site", "-o", page, "--single-file", "--model", model])
    #expect(single.status == 1 && single.errors.contains("is there already"), "\(single)")
    #expect(try bytes(ofFile: page) == note)
    #expect(try Program.run(["site", "-o", folder.path, "--model", model, "--force"]).status == 0)
    #expect(try bytes(ofFile: page) != note)

    let other = try TemporaryFolder()
    try write([1], toFile: other.file("page.css"))
    let styles = try Program.run(["site", "-o", other.path, "--model", model])
    #expect(styles.status == 1 && styles.errors.contains("page.css: is there already"), "\(styles)")
    #expect(try other.names == ["page.css"])
    let file = try Program.run(["site", "-o", model, "--model", model])
    #expect(file.status == 1 && file.errors.contains("is a file"), "\(file)")
  }

  @Test func refusesWhatAPageCannotPlay() throws {
    let wrong = try Program.run(["site", "-o", folder.file("x"), "--single-file", "--model", model])
    #expect(wrong.status == 64 && wrong.errors.contains(".html"), "\(wrong)")
    let first = try Program.run([
      "site", "-o", folder.file("x.html"), "--single-file", "--model", model, "--first-model", model,
    ])
    #expect(first.status == 64 && first.errors.contains("--first-model is for a folder"), "\(first)")
    let nowhere = try Program.run(["site", "-o", folder.file("x"), "--model", model, "--address", "example.org"])
    #expect(nowhere.status == 64 && nowhere.errors.contains("--address is example.org: give the whole"), "\(nowhere)")
    let below = try Program.run(["site", "-o", model + "/x", "--model", model])
    let refused = "Error: \(model)/x: the folder cannot be made in \(model): "
    #expect(below.status == 1 && below.errors.hasPrefix(refused), "\(below)")
    #expect(below.errors.hasSuffix(": name another folder\n") && !below.errors.contains("could"), "\(below)")
    let missing = try Program.run(["site", "-o", folder.file("x"), "--model", folder.file("none.safetensors")])
    #expect(missing.status == 1 && missing.errors.contains("none.safetensors"), "\(missing)")
    let none = try Program.run(["site", "-o", folder.file("x")])
    #expect(none.status == 1 && none.errors.contains("--model"), "\(none)")
    #expect(none.errors.contains("TUPELO_MODEL is none"), "\(none)")
    let small = folder.file("3x3.safetensors")
    let shape = try BoardShape(rows: 3, columns: 3)
    try NTupleNetwork(
      NetworkSpecification(patterns: [TuplePattern(text: "012", shape: shape)], shape: shape)
    ).save(to: small)
    let result = try Program.run(["site", "-o", folder.file("x"), "--model", small])
    #expect(result.status == 1 && result.errors.contains("4x4"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("x")))
  }
}
