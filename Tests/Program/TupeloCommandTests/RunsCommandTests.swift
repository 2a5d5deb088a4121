import Foundation
import TestSupport
import Testing

/// `tupelo runs`, the list of runs by score.
@Suite(.serialized) final class RunsCommandTests {
  private let folder = TemporaryFile.path("listed")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  @Test func runsAreListedByScore() throws {
    let names = ["one", "sweep/two", "sweep/three"]
    let options = [[], ["--alpha", "0.001"], ["--seed", "7"]]
    let paths = try zip(names, options).map { try ShortRun.train(folder + "/" + $0, $1) }
    let scores = try paths.map(ShortRun.score)
    let order = scores.indices.sorted { scores[$0] > scores[$1] }
    let result = try Program.run(["runs", folder])
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(result.status == 0 && result.errors.isEmpty && lines.count == 4, "\(result)")
    #expect(lines[0].split(separator: " ") == ["run", "games", "score", "(95%)", "best", "seed", "alpha"])
    for (line, index) in zip(lines.dropFirst(), order) {
      #expect(line.hasPrefix(names[index] + " "), "\(result)")
      let digits = ShortRun.grouped(scores[index])
      #expect(line.contains(" \(digits) ± "), "\(line) has no \(digits)")
      #expect(line.hasSuffix(index == 1 ? "0.001" : "1.0"))
    }
    let csv = try Program.run(["runs", folder, "--csv"]).output.split(separator: "\n")
    #expect(csv.count == 4 && csv[0].hasSuffix(",best_after_games,seed,learner.alpha"))
    #expect(csv[1].hasPrefix("\(paths[order[0]]),run,2048,200,\(scores[order[0]]),"))
    let json = try Program.run(["runs", folder, "--json"]).output
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let means = (list?["runs"] as? [[String: Any]])?.map { ($0["score"] as? [String: Any])?["score_mean"] as? Double }
    #expect(means == order.map { scores[$0] })
    // A run that cannot be read is reported by name, and the command fails.
    try Data("x".utf8).write(to: URL(fileURLWithPath: paths[0] + "/config.yaml"))
    let broken = try Program.run(["runs", folder])
    #expect(broken.status == 1 && broken.output.split(separator: "\n").count == 3, "\(broken)")
    #expect(broken.errors.hasPrefix("warning: \(paths[0])/config.yaml"))
  }

  /// The setting that varies most is the first one, and a layout has its name.
  @Test func theSettingThatVariesComesFirst() throws {
    for (number, alpha) in [0.25, 0.5, 1].enumerated() {
      let path = folder + "/\(number)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let lambda = number == 2 ? "lambda: 0.5, steps: episode" : "lambda: 0, steps: 1"
      let layout = number == 0 ? "4x6" : "8x6"
      let settings = "network.layout: \(layout)\nlearner: {\(lambda), alpha: \(alpha)}\n"
      try Data(settings.utf8).write(to: URL(fileURLWithPath: path + "/config.yaml"))
      let line = #"{"games":1000,"moves":1,"seconds":1,"time":0}"#
      try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: path + "/metrics.jsonl"))
    }
    let lines = try Program.run(["runs", folder]).output.split(separator: "\n").map { $0.split(separator: " ") }
    // No run has a score, so there is no column of scores.
    #expect(lines[0].prefix(4) == ["run", "games", "alpha", "patterns"], "\(lines[0])")
    #expect(lines[1...].map { $0[3] } == ["4x6", "8x6", "8x6"], "\(lines)")
  }

  /// A run that was trained after its evaluation has a mark at its score.
  @Test func aScoreOfFewerGamesIsMarked() throws {
    let path = folder + "/older"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("network.patterns: \"0123\"\n".utf8).write(to: URL(fileURLWithPath: path + "/config.yaml"))
    let evaluated = #"{"games":1000,"moves":1,"seconds":1,"time":0,"final/score_mean":500,"final/games":50}"#
    let trained = #"{"games":2000,"moves":2,"seconds":2,"time":0}"#
    try Data("\(evaluated)\n\(trained)\n".utf8).write(to: URL(fileURLWithPath: path + "/metrics.jsonl"))
    let result = try Program.run(["runs", folder])
    #expect(result.status == 0 && result.output.contains("500 ~"), "\(result)")
    #expect(result.output.hasSuffix("\n~ the run has trained since this evaluation\n"), "\(result)")
  }

  @Test func aFolderWithoutRuns() throws {
    let empty = try Program.run(["runs", folder])
    #expect(empty.status == 0 && empty.output == "no run (metrics.jsonl) in \(folder)\n")
    let none = try Program.run(["runs", folder + "/none"])
    #expect(none.status == 1 && none.errors.hasPrefix("Error: \(folder)/none: there is no such folder: "))
    #expect(try Program.run(["runs", folder, "--csv", "--json"]).status == 64)
  }

  private static let hasPython = (try? Python.run("import pty, termios, fcntl")) != nil

  /// The lines of `tupelo runs` on a terminal with `width` columns.
  private func lines(width: Int) async throws -> [String] {
    let script = """
      import fcntl, os, pty, struct, sys, termios
      program, width, folder = sys.argv[1:]
      child, terminal = pty.fork()
      if child == 0:
          fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(width), 0, 0))
          os.execv(program, [program, "runs", folder])
      text = b""
      while True:
          try: data = os.read(terminal, 65536)
          except OSError: break
          if not data: break
          text += data
      assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
      sys.stdout.write(text.decode().replace("\\r", ""))
      """
    let folder = folder
    let output = try await OwnThread.run { try Python.run(script, Program.path, "\(width)", folder) }
    return output.split(separator: "\n").map(String.init)
  }

  /// Fields that do not fit are left out whole, and a line names them.
  @Test(.slow, .enabled(if: hasPython, "python3 is not installed: narrow terminals are not tested"))
  func narrowTerminalsGetWholeFields() async throws {
    let patterns = ["0123 4567 89ab cdef 0145", "0123"]
    for (name, (score, pattern)) in zip(["long-name-of-a-run", "b"], zip([70_123, 60_456], patterns)) {
      let path = folder + "/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let alpha = name == "b" ? 1.0 : 0.25
      try Data("network.patterns: \"\(pattern)\"\nlearner.alpha: \(alpha)\n".utf8)
        .write(to: URL(fileURLWithPath: path + "/config.yaml"))
      let line =
        #"{"games":1000,"moves":1,"seconds":1,"time":0,"final/score_mean":\#(score),"final/score_low":\#(score - 789),"#
        + #""final/score_high":\#(score + 789),"final/games":50}"#
      try Data((line + "\n").utf8).write(to: URL(fileURLWithPath: path + "/metrics.jsonl"))
    }
    let wide = try await lines(width: 120)
    #expect(
      wide == [
        "run                 games   score (95%)                    patterns  alpha",
        "long-name-of-a-run  1,000  70,123 ± 789  \"0123 4567 89ab cdef 0145\"   0.25",
        "b                   1,000  60,456 ± 789                      \"0123\"    1.0",
      ])
    // The widths leave room for all but the patterns; then without the settings; then for a name and its numbers on two
    // lines.
    #expect(
      try await lines(width: 60) == [
        "run                 games   score (95%)  alpha",
        "long-name-of-a-run  1,000  70,123 ± 789   0.25",
        "b                   1,000  60,456 ± 789    1.0",
        "no room for patterns; --csv and --json have all",
      ])
    let narrow = try await lines(width: 40)
    #expect(narrow.prefix(2) == ["run                 games   score (95%)", "long-name-of-a-run  1,000  70,123 ± 789"])
    let narrower = try await lines(width: 22)
    #expect(narrower.prefix(4) == ["run", "  games   score (95%)", "long-name-of-a-run", "  1,000  70,123 ± 789"])
  }
}
