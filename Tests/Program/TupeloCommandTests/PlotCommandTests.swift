import Foundation
import TestSupport
import Testing

/// `tupelo plot` as a process, on runs that consist of files only.
@Suite final class PlotCommandTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("plot")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, seed) in [("one", 1), ("two", 2)] {
      let lines = (1...30).map { games in
        #"{"games":\#(games * 1000),"moves":\#(games * 9000),"seconds":\#(games),"time":0,"#
          + #""rollout/score_mean":\#(games * 100 * seed)}"#
      }
      try write(lines.joined(separator: "\n") + "\n", to: "\(name)/metrics.jsonl")
      try write("name: both\nseed: \(seed)\n", to: "\(name)/config.yaml")
    }
    try write("", to: "empty/metrics.jsonl")
    try write("", to: "bare/file")
    try write("{\n{\n", to: "damaged/metrics.jsonl")
  }

  deinit { TemporaryFile.remove(folder) }

  private func write(_ text: String, to name: String) throws {
    let url = URL(fileURLWithPath: folder + "/" + name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func run(_ arguments: [String]) throws -> Program.Result {
    try Program.run(["plot"] + arguments.map { $0.replacingOccurrences(of: "F/", with: folder + "/") })
  }

  @Test func drawsRunsAndGroups() throws {
    let file = folder + "/out.svg"
    let result = try run(["F/one", "F/two/metrics.jsonl", "-o", "F/out.svg", "--title", "<A & B>"])
    #expect(result.status == 0 && result.output == "saved \(file)\n" && result.errors.isEmpty, "\(result)")
    let svg = try String(contentsOfFile: file, encoding: .utf8)
    for part in [">one<", ">two<", ">3.000k<", ">6.000k<", "&lt;A &amp; B&gt;", ">30k<"] {
      #expect(svg.contains(part), "\(part)")
    }
    let group = try run(["F/one", "F/two", "--group", "--smooth", "3", "--x", "seconds", "-o", "-"])
    #expect(group.status == 0 && group.output.hasPrefix("<svg ") && group.output.hasSuffix("</svg>\n"))
    for part in [">both, 2 runs<", "training time in seconds", "mean of 3 records", "deviation between runs"] {
      #expect(group.output.contains(part), "\(part)")
    }
    let page = try run(["F/one", "-o", "F/out.html"])
    #expect(page.status == 0)
    #expect(try String(contentsOfFile: folder + "/out.html", encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
  }

  /// A folder of runs stands for those that have begun; the other ones are named in a message.
  @Test func aFolderOfRunsStandsForThem() throws {
    try FileManager.default.removeItem(atPath: folder + "/damaged")
    let result = try run(["F/", "--group", "-o", "-"])
    #expect(result.status == 0 && result.output.contains(">both, 2 runs<"), "\(result)")
    #expect(result.errors.hasSuffix("/empty: has no record yet and is left out\n"), "\(result)")
  }

  @Test func listsTheMetrics() throws {
    let result = try run(["--list-metrics"])
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 2 * 27 && lines[0] == "rollout/score_mean (points)", "\(result)")
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  /// The program prints one clear line, its status is not zero, and there is no file.
  @Test(
    arguments: [
      (["F/none"], "no metrics.jsonl there"),
      (["F/bare"], "no metrics.jsonl there"),
      (["F/"], "damaged/metrics.jsonl:1: is not a JSON object"),
      (["F/empty"], "has no record yet"),
      (["F/damaged"], "metrics.jsonl:1: is not a JSON object"),
      (["F/one", "F/empty"], "has no record yet"),
      (["F/one", "--metric", "rollout/scoremean"], "did you mean rollout/score_mean?"),
      (["F/one", "--metric", "loss"], "choose one with --metric: rollout/score_mean"),
      (["F/one", "F/one/"], "is given twice"),
      (["F/one", "--x", "epochs"], "epochs"),
      (["F/one", "--smooth", "0"], "--smooth is 0"),
      (["F/one", "-o", "F/one/metrics.jsonl"], "give a name that ends in .svg or .html"),
      (["F/one", "-o", "F/no/x.svg"], "no/x.svg"),
      ([], "<runs>"),
    ] as [([String], String)]) func refusesBadInput(_ arguments: [String], _ fact: String) throws
  {
    let output = arguments.contains("-o") ? [] : ["-o", "F/never.svg"]
    let result = try run(arguments + output)
    #expect(result.status != 0 && result.errors.contains(fact), "\(result)")
    #expect(result.errors.split(separator: "\n").first?.contains(fact) == true, "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder + "/never.svg"))
    let metrics = try String(contentsOfFile: folder + "/one/metrics.jsonl", encoding: .utf8)
    #expect(metrics.hasPrefix("{\"games\":1000,"))
  }
}
