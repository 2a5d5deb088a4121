import Foundation
import TestSupport
import Testing
import TupeloTraining

/// Faults with processes of `mpirun`: each fault gives a clear line, and leaves a whole checkpoint.
@Suite(.serialized, .enabled(if: RankLauncher.isThere, "no mpirun, or no trait MPI: ranks are not tested"))
final class RankFaultTests {
  private let launcher: RankLauncher
  private var disk: SmallDisk?

  init() throws { launcher = try RankLauncher() }

  /// The number of times that a text occurs.
  private static func count(_ text: String, in whole: String) -> Int { whole.components(separatedBy: text).count - 1 }

  private func games(_ path: String) throws -> Int { try Checkpoint(path: path + "/checkpoint.safetensors").games }

  /// Checks that one process can resume a run.
  private func expectToGoOn(_ path: String, after games: Int) throws {
    let resumed = try Program.shell(
      "\(RankLauncher.program) train --resume '\(path)' --games \(games + 20) --set evaluation.games=0")
    #expect(resumed.status == 0 && resumed.output.contains("resuming after "), "\(resumed)")
  }

  // MARK: Ranks that do not belong together

  /// A rank with another configuration is refused before a game is played, and so is a rank that cannot read its
  /// configuration.
  @Test(
    arguments: [
      ("--seed 2", "rank 1 differs from rank 0: seed is 2 there and 1 here"),
      ("--set learner.alpha=0.5", "rank 1 differs from rank 0: learner.alpha is 0.5 there and 1.0 here"),
      ("--set network.patterns=0123", "rank 1 differs from rank 0: network.patterns is"),
      ("--config nowhere.yaml", "rank 1: nowhere.yaml: no such file"),
      ("--bogus", "rank 1: Unknown option '--bogus'"),
    ] as [(String, String)]) func otherRanksAreRefused(_ options: String, _ text: String) throws
  {
    let result = try Program.shell(
      "\(RankLauncher.mpirun) -n 1 \(launcher.training("refused")) : -n 1 \(launcher.training("refused", options))")
    #expect(result.status == 1 && Self.count("Error: ", in: result.errors) == 1, "\(result)")
    #expect(result.errors.contains("Error: \(text)"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: launcher.path("refused")))
  }

  /// The program of another version is a copy in which the commit was replaced.
  @Test func anotherVersionIsRefused() throws {
    let version = try Program.run(["--version"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
    let commit = try #require(version.split(separator: "(").last?.prefix(12))
    let other = launcher.path("other")
    let copied = try Program.shell(
      "sed 's/\(commit)/000000000000/g' \(RankLauncher.program) > '\(other)'; chmod +x '\(other)'")
    #expect(copied.status == 0, "\(copied)")
    let result = try Program.shell(
      "\(RankLauncher.mpirun) -n 1 \(launcher.training("mixed")) "
        + ": -n 1 \(launcher.training("mixed", program: Program.quoted(other)))")
    #expect(result.status == 1 && result.errors.contains("Error: rank 1 differs from rank 0: version is "), "\(result)")
    #expect(result.errors.contains("(000000000000") && result.errors.contains("(\(commit)"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: launcher.path("mixed")))
  }

  @Test func anotherCheckpointIsRefused() throws {
    for (name, games) in [("one", 60), ("two", 80)] {
      let result = try Program.shell(launcher.training(name, "--games \(games)"))
      #expect(result.status == 0, "\(result)")
    }
    let before = try launcher.checkpoint("one")
    func resume(_ name: String) -> String {
      "\(RankLauncher.program) train --resume '\(launcher.path(name))' --games 99"
    }
    let result = try Program.shell("\(RankLauncher.mpirun) -n 2 \(resume("one")) : -n 1 \(resume("two"))")
    let text = "Error: rank 2 differs from rank 0: games played is 80 there and 60 here"
    #expect(result.status == 1 && result.errors.contains(text), "\(result)")
    #expect(try launcher.checkpoint("one") == before)
  }

  /// The first process refuses models that several processes cannot train together.
  @Test func whatCannotBeMergedIsRefused() throws {
    let result = try Program.shell(
      "\(RankLauncher.mpirun) -n 2 \(launcher.training("dense", "--set network.dense.hidden=8"))")
    #expect(result.status == 1 && result.errors.contains("cannot train together with network.dense"), "\(result)")
  }

  // MARK: Command lines

  /// A command that would do the same in every process prints one message about that.
  @Test(arguments: ["probe", "solve --board 2x2", "bench --signature"])
  func commandsThatShareNothingAreRefused(_ command: String) throws {
    let result = try Program.shell("\(RankLauncher.mpirun) -n 3 \(RankLauncher.program) \(command)")
    let name = command.split(separator: " ")[0]
    #expect(result.status == 1 && result.output.isEmpty && Self.count("Error: ", in: result.errors) == 1, "\(result)")
    let text = "mpirun started 3 processes, and tupelo \(name) would do the same work in each: start it without mpirun"
    #expect(result.errors.contains("Error: \(text)\n"), "\(result)")
  }

  @Test(
    arguments: [
      ("evaluate --games -5", "Error: --games is -5: give at least 1 (tupelo evaluate --help)\n"),
      ("evaluate --agent random --shard 1/2", "Error: --shard is for independent processes"),
      ("arena 2 greedy", "Error: 2: no agent is called '2'"),
    ] as [(String, String)]) func wrongCommandLinesAreToldOnce(_ line: String, _ text: String) throws
  {
    let result = try Program.shell("\(RankLauncher.mpirun) -n 3 \(RankLauncher.program) \(line)")
    #expect(result.status == 64 && Self.count("Error: ", in: result.errors) == 1, "\(result)")
    #expect(result.errors.contains(text), "\(result)")
  }

  /// With more ranks than slots, `mpirun` itself prints the error and starts no rank.
  @Test func tooManyRanksAreNotStarted() throws {
    let result = try Program.shell("\(RankLauncher.settings) mpirun -n 9999 \(launcher.training("many"))")
    #expect(result.status != 0 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("There are not enough slots available in the system"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: launcher.path("many")))
  }

  /// By default `mpirun` binds a process to a core, and all its threads with it.
  @Test(.enabled(if: Program.processors > 1, "one core: nothing to bind to"))
  func threadsThatAreBoundToOneCoreAreTold() throws {
    let line = launcher.training("bound", "--set training.replicas=2 --games 60 --set evaluation.games=0")
    let bound = try Program.shell("\(RankLauncher.settings) mpirun --bind-to core -n 1 \(line)")
    let text = "warning: training.replicas is 2, and the process is bound to 1 core, which gains nothing: give mpirun "
    #expect(bound.status == 0 && bound.errors.contains(text + "--bind-to none\n"), "\(bound)")
    let free = launcher.training("free", "--set training.replicas=2 --games 60 --set evaluation.games=0")
    let result = try Program.shell("\(RankLauncher.settings) mpirun --bind-to none -n 1 \(free)")
    #expect(result.status == 0 && !result.errors.contains("bound"), "\(result)")
  }

  /// The program reports a library that it does not find, by its name.
  @Test func aMissingLibraryIsNamed() throws {
    let other = launcher.path("other")
    let line =
      "sed 's/libmpi[.]so[.]40/libmpi.so.99/g' \(RankLauncher.program) > '\(other)'; chmod +x '\(other)'; "
      + "'\(other)' --version"
    let result = try Program.shell(line)
    #expect(result.status == 127 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("libmpi.so.99: cannot open shared object file"), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
  }

  // MARK: Ranks that end early

  /// A killed rank ends the job: the first rank or another one, at moments most of which fall into merges.
  @Test(arguments: [0, 1], [0, 17, 40]) func aKilledRankLosesNothingThatWasSaved(
    _ rank: Int, _ milliseconds: Int
  ) throws {
    // A round of one move is a game, and the merge that follows takes longer than the game.
    let endless = launcher.training(
      "killed", "--games 100M --set output.checkpoint_games=200 --set training.merge_moves=1")
    let pid = launcher.path("pid")
    let ranks = [0, 1].map { "-n 1 " + ($0 == rank ? RankLauncher.told(pid, endless) : endless) }
    let line =
      "\(RankLauncher.mpirun) \(ranks.joined(separator: " : ")) & "
      + "\(RankLauncher.wait(for: launcher.path("killed") + "/checkpoint.safetensors")); "
      + "sleep 0.\(100 + milliseconds); kill -9 $(cat '\(pid)'); wait $!"
    let result = try Program.shell(line)
    #expect(result.status != 0, "\(result)")
    #expect(result.errors.contains("process rank \(rank) with PID"), "\(result)")
    #expect(result.errors.contains("exited on signal 9 (Killed)"), "\(result)")
    let games = try games(launcher.path("killed"))
    #expect(games >= 200)
    try expectToGoOn(launcher.path("killed"), after: games)
  }

  /// A signal to the first rank saves and ends the whole job.
  @Test func theFirstRankStopsTheJob() throws {
    let endless = launcher.training("stopped", "--games 100M --set output.checkpoint_games=200")
    let pid = launcher.path("pid")
    let line =
      "\(RankLauncher.mpirun) -n 1 \(RankLauncher.told(pid, endless)) : -n 2 \(endless) & "
      + "\(RankLauncher.wait(for: launcher.path("stopped") + "/checkpoint.safetensors")); "
      + "kill -TERM $(cat '\(pid)'); wait $!"
    let result = try Program.shell(line)
    #expect(result.status == 130, "\(result)")
    #expect(result.errors.contains("stopped after") && result.output.contains("saved "), "\(result)")
  }

  /// Ctrl-C, which `mpirun` turns into SIGTERM, and SIGUSR1, which it passes on: the first rank saves once, and all
  /// ranks end.
  @Test(arguments: ["INT", "USR1"]) func aSignalToTheLauncherSavesOnce(_ signal: String) throws {
    let endless = launcher.training("stopped", "--games 100M --set output.checkpoint_minutes=0")
    let line =
      "\(RankLauncher.interruptible) --mca odls_base_sigkill_timeout 3 -n 3 \(endless) & "
      + "\(RankLauncher.wait(for: launcher.path("stopped") + "/metrics.jsonl")); kill -\(signal) $!; wait $!"
    let result = try Program.shell(line)
    #expect(result.status != 0 && Self.count("stopping: finishing games", in: result.errors) == 1, "\(result)")
    #expect(Self.count("saved ", in: result.output) == 1, "\(result)")
    #expect(Self.count("stopped after ", in: result.errors) == 1, "\(result)")
    let path = launcher.path("stopped")
    try expectToGoOn(path, after: games(path))
  }

  // MARK: A full disk of the first rank

  private static let small = "--set averaging.every_games=0 --set evaluation.games=0 --set output.checkpoint_games=20"

  /// Starts a run of 100 games on a small disk; its checkpoint is 2.4 MB.
  private func begunOnSmallDisk() throws -> (disk: SmallDisk, run: String) {
    let disk = try SmallDisk(launcher.path("disk"), megabytes: 12)
    self.disk = disk
    let first = try Program.shell(
      "\(RankLauncher.mpirun) -n 2 \(launcher.training("disk/run", "--games 100 \(Self.small)"))")
    #expect(first.status == 0, "\(first)")
    return (disk, disk.path + "/run")
  }

  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aDiskThatIsTooSmallIsFoundBeforeTraining() throws {
    let (disk, run) = try begunOnSmallDisk()
    let before = try games(run)
    try disk.fill(bytes: 8_500_000)
    let result = try Program.shell(
      "\(RankLauncher.mpirun) -n 2 \(RankLauncher.program) train --resume '\(run)' --games 300")
    let text = "Error: rank 0: \(run): a checkpoint needs 2 MB and the disk has "
    #expect(result.status == 1 && result.errors.contains(text), "\(result)")
    #expect(Self.count("Error: ", in: result.errors) == 1, "\(result)")
    #expect(try games(run) == before)
  }

  @Test(.enabled(if: SmallDisk.canMount, "no right to mount a small disk: not tried"))
  func aDiskThatFillsUpLosesNothing() throws {
    let (disk, run) = try begunOnSmallDisk()
    let begun = try games(run)
    let errors = launcher.path("errors")
    // The last checkpoint may go to the working folder.
    let line =
      "cd '\(launcher.folder)'; \(RankLauncher.interruptible) -n 2 \(RankLauncher.program) train "
      + "--resume '\(run)' --games 100M 2> '\(errors)' & "
      + "while cmp -s '\(run)/checkpoint.safetensors' '\(launcher.path("old"))'; do sleep 0.05; done; "
      + "head -c 8500000 /dev/zero > '\(disk.path)/filler'; "
      + "while ! grep -q 'No space left' '\(errors)'; do sleep 0.05; done; kill -USR1 $!; wait $!"
    try FileManager.default.copyItem(atPath: run + "/checkpoint.safetensors", toPath: launcher.path("old"))
    let result = try Program.shell(line)
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(result.status != 0, "\(result) \(text)")
    #expect(text.contains("warning: ") && text.contains("Error: rank 0: "), "\(text)")
    #expect(Self.count("Error: ", in: text) == 1 && text.contains("No space left on device"), "\(text)")
    try disk.free()
    #expect(try games(run) > begun)
    try expectToGoOn(run, after: games(run))
  }
}
