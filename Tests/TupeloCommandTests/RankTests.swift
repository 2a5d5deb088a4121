import Foundation
import TestSupport
import Testing

/// Whether the tests can start ranks.
enum RankLauncher {
  static let isThere: Bool = {
    #if MPI
      do {
        return try Program.shell("command -v mpirun").status == 0
      } catch {
        return false
      }
    #else
      return false
    #endif
  }()
}

/// The program under `mpirun`. These tests need Open MPI and a build with `--traits MPI`.
@Suite(.serialized, .enabled(if: RankLauncher.isThere, "no mpirun, or no trait MPI: ranks are not tested"))
final class RankTests {
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("ranks")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  private static let settings = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
  private static let launcher = "\(settings) mpirun --oversubscribe"
  private static let program = Program.quoted(Program.path)

  /// A small training, as a command line.
  private func training(_ name: String, _ options: String = "") -> String {
    "\(Self.program) train --set network.patterns='0123 4567 0145' --set evaluation.games=10 "
      + "--set training.solo_games=50 --set training.merge_moves=3000 --games 600 "
      + "--output \(Program.quoted(folder + "/" + name)) \(options)"
  }

  private func checkpoint(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name + "/checkpoint.safetensors"))
  }

  /// The report of an evaluation, without how long it took.
  private static func report(_ text: String) throws -> NSDictionary {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let report = try #require(object as? [String: Any])
    return report.filter { $0.key != "seconds" && $0.key != "moves_per_second" } as NSDictionary
  }

  @Test(arguments: [2, 5]) func evaluationsAreThoseOfOneProcess(_ ranks: Int) throws {
    let line = "\(Self.program) evaluate --agent random --games 52 --seed 9 --threads 1 --json"
    let (alone, together) = try (Program.shell(line), Program.shell("\(Self.launcher) -n \(ranks) \(line)"))
    #expect(alone.status == 0 && together.status == 0, "\(alone) \(together)")
    #expect(try Self.report(together.output) == Self.report(alone.output))
  }

  /// The same bits every time, and another number of ranks goes on.
  @Test func ranksTrainTogether() throws {
    for name in ["a", "b"] {
      let result = try Program.shell("\(Self.launcher) -n 3 \(training(name, "--set training.replicas=2"))")
      #expect(result.status == 0 && result.output.contains("3 ranks with 2 replicas each"), "\(result)")
      #expect(result.output.components(separatedBy: "saved ").count == 2, "\(result)")
    }
    let bytes = try checkpoint("a")
    // The folder's name is a part of the configuration in the file.
    #expect(try bytes.suffix(3 << 18) == checkpoint("b").suffix(3 << 18))
    let more = "\(Self.program) train --resume \(Program.quoted(folder + "/a")) --games"
    let two = try Program.shell("\(Self.launcher) -n 2 \(more) 700")
    #expect(two.status == 0 && two.output.contains("resuming after 600 games"), "\(two)")
    let alone = try Program.shell("\(more) 750")
    #expect(alone.status == 0 && alone.output.contains("resuming after 700 games"), "\(alone)")
  }

  /// A rank of another configuration is refused before a game is played, and so is one that cannot read its own.
  @Test(arguments: [
    ("--seed 2", "rank 1 differs from rank 0: seed is 2 there and 1 here"),
    ("--set learner.alpha=0.5", "rank 1 differs from rank 0: learner.alpha is 0.5 there and 1.0 here"),
    ("--config nowhere.yaml", "rank 1: nowhere.yaml: no such file"),
  ]) func otherRanksAreRefused(_ options: String, _ text: String) throws {
    let result = try Program.shell(
      "\(Self.launcher) -n 1 \(training("refused")) : -n 1 \(training("refused", options))")
    #expect(result.status == 1 && result.errors.contains("Error: \(text)"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: folder + "/refused"))
  }

  /// What several processes cannot train together is refused by the first one.
  @Test func whatCannotBeMergedIsRefused() throws {
    let result = try Program.shell("\(Self.launcher) -n 2 \(training("dense", "--set network.dense.hidden=8"))")
    #expect(result.status == 1 && result.errors.contains("cannot train together with network.dense"), "\(result)")
  }

  /// A killed rank ends the job. The last checkpoint is whole, and training goes on from it.
  @Test func aKilledRankLosesNothingThatWasSaved() throws {
    let endless = training("killed", "--games 100M --set output.checkpoint_games=200")
    let pid = folder + "/pid"
    let line =
      "\(Self.launcher) -n 1 \(endless) : -n 1 sh -c \"echo \\$\\$ > '\(pid)'; exec \(endless)\" & "
      + "while [ ! -s '\(folder)/killed/checkpoint.safetensors' ]; do sleep 0.1; done; "
      + "kill -9 $(cat '\(pid)'); wait $!"
    let result = try Program.shell(line)
    #expect(result.status != 0, "\(result)")
    let resumed = try Program.shell(
      "\(Self.program) train --resume '\(folder)/killed' --minutes 0.01 --set evaluation.games=0")
    #expect(resumed.status == 0 && resumed.output.contains("resuming after "), "\(resumed)")
  }

  /// A signal to the first rank saves and ends the whole job.
  @Test func theFirstRankStopsTheJob() throws {
    let endless = training("stopped", "--games 100M --set output.checkpoint_games=200")
    let pid = folder + "/pid"
    let line =
      "\(Self.launcher) -n 1 sh -c \"echo \\$\\$ > '\(pid)'; exec \(endless)\" : -n 2 \(endless) & "
      + "while [ ! -s '\(folder)/stopped/checkpoint.safetensors' ]; do sleep 0.1; done; "
      + "kill -TERM $(cat '\(pid)'); wait $!"
    let result = try Program.shell(line)
    #expect(result.status == 130, "\(result)")
    #expect(result.errors.contains("stopped after") && result.output.contains("saved "), "\(result)")
  }
}
