import Foundation
import TestSupport
import Testing

/// The program under `mpirun`. These tests need Open MPI and a build with `--traits MPI`.
@Suite(.serialized, .enabled(if: RankLauncher.isThere, "no mpirun, or no trait MPI: ranks are not tested"))
final class RankTests {
  private let launcher: RankLauncher

  init() throws { launcher = try RankLauncher() }

  /// A report without the time that it took.
  private static func report(_ text: String) throws -> NSDictionary {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let report = try #require(object as? [String: Any])
    return timeless(report) as NSDictionary
  }

  private static func timeless(_ report: [String: Any]) -> [String: Any] {
    report.filter { $0.key != "seconds" && $0.key != "moves_per_second" }.mapValues { value in
      (value as? [[String: Any]]).map { $0.map(timeless) } ?? value
    }
  }

  @Test(arguments: [2, 5]) func evaluationsAreThoseOfOneProcess(_ ranks: Int) throws {
    let line = "\(RankLauncher.program) evaluate --agent random --games 52 --seed 9 --threads 1 --json"
    let (alone, together) = try (Program.shell(line), Program.shell("\(RankLauncher.mpirun) -n \(ranks) \(line)"))
    #expect(alone.status == 0 && together.status == 0, "\(alone) \(together)")
    #expect(try Self.report(together.output) == Self.report(alone.output))
  }

  /// Arenas are equal also with more ranks than games.
  @Test(arguments: [(2, 31), (5, 3)]) func arenasAreThoseOfOneProcess(_ ranks: Int, _ games: Int) throws {
    let line =
      "\(RankLauncher.program) arena random 'expectimax(plies: 1)' --games \(games) --seed 9 --threads 1 --json"
    let (alone, together) = try (Program.shell(line), Program.shell("\(RankLauncher.mpirun) -n \(ranks) \(line)"))
    #expect(alone.status == 0 && together.status == 0, "\(alone) \(together)")
    let report = try Self.report(together.output)
    #expect(try report == Self.report(alone.output))
    #expect((report["players"] as? [[String: Any]])?.map { $0["games"] as? Int } == [games, games])
  }

  /// The runs of a sweep equal those of one process, whichever rank trains them. Later, ranks continue with unfinished
  /// runs.
  @Test func ranksShareTheRunsOfASweep() throws {
    func line(_ name: String) -> String {
      "\(RankLauncher.program) sweep --set network.patterns=0123 --set evaluation.games=20 --games 200 --seeds 1-3 "
        + "--set name=few --output \(Program.quoted(launcher.path(name)))"
    }
    func scores(_ name: String) throws -> [Double?] {
      let data = try Data(contentsOf: URL(fileURLWithPath: launcher.path(name) + "/summary.json"))
      let summary = try JSONSerialization.jsonObject(with: data) as? [String: [[String: Any]]]
      return try #require(summary?["runs"]).map { $0["score_mean"] as? Double }
    }
    let alone = try Program.shell(line("alone"))
    let together = try Program.shell("\(RankLauncher.mpirun) -n 2 \(line("together"))")
    #expect(alone.status == 0 && together.status == 0, "\(alone) \(together)")
    #expect(try scores("alone").allSatisfy { $0 != nil } && scores("together") == scores("alone"))
    #expect(together.output.contains(", 1 at a time on each of 2 ranks\n"), "\(together)")
    for (rank, seed) in [(0, 1), (1, 2), (0, 3)] {
      #expect(together.output.contains("rank \(rank): finished: few__seed=\(seed): "), "\(together)")
    }
    try FileManager.default.removeItem(atPath: launcher.path("together") + "/few__seed=2/evaluation.json")
    let rest = try Program.shell("\(RankLauncher.mpirun) -n 2 \(line("together"))")
    #expect(rest.status == 0 && rest.output.contains("2 finished before, 1 to resume"), "\(rest)")
    #expect(rest.output.contains("rank 0: resumed: few__seed=2\n"), "\(rest)")
    #expect(try scores("together") == scores("alone"))
  }

  /// A run that fails on another rank is in the summary, and fails the sweep.
  @Test func aRunThatFailsOnAnotherRankIsTold() throws {
    let output = launcher.path("sweep")
    let line =
      "\(RankLauncher.program) sweep --set network.patterns=0123 --set evaluation.games=20 --games 200 --seeds 1-2 "
      + "--set name=few --output \(Program.quoted(output))"
    try FileManager.default.createDirectory(
      atPath: output + "/few__seed=2/config.yaml", withIntermediateDirectories: true)
    let result = try Program.shell("\(RankLauncher.mpirun) -n 2 \(line)")
    #expect(result.status == 1 && result.errors.contains("Error: 1 of 2 runs failed"), "\(result)")
    #expect(result.output.contains("rank 1: FAILED: few__seed=2: exit status 1: "), "\(result)")
    let summary = try String(contentsOfFile: output + "/summary.json", encoding: .utf8)
    #expect(summary.contains("\"state\" : \"failed\"") && summary.contains("\"state\" : \"finished\""), "\(summary)")
  }

  /// A run of several ranks gives the same bits every time, and another number of ranks can resume it.
  @Test func ranksTrainTogether() throws {
    for name in ["a", "b"] {
      let result = try Program.shell(
        "\(RankLauncher.mpirun) -n 3 \(launcher.training(name, "--set training.replicas=2"))")
      #expect(result.status == 0 && result.output.contains("3 ranks with 2 replicas each"), "\(result)")
      #expect(result.output.components(separatedBy: "saved ").count == 2, "\(result)")
    }
    let bytes = try launcher.checkpoint("a")
    // The configuration in the file contains the folder's name.
    #expect(try bytes.suffix(3 << 18) == launcher.checkpoint("b").suffix(3 << 18))
    let more = "\(RankLauncher.program) train --resume \(Program.quoted(launcher.path("a"))) --games"
    let two = try Program.shell("\(RankLauncher.mpirun) -n 2 \(more) 700")
    #expect(two.status == 0 && two.output.contains("resuming after 600 games"), "\(two)")
    let alone = try Program.shell("\(more) 750")
    #expect(alone.status == 0 && alone.output.contains("resuming after 700 games"), "\(alone)")
  }
}
