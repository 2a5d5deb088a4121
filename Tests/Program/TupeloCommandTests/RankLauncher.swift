import Foundation
import TestSupport
import Testing

/// The program under `mpirun`, in a folder of its own.
final class RankLauncher {
  let folder: String

  init() throws {
    folder = TemporaryFile.path("ranks")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  /// Whether the tests can start ranks.
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

  /// What Open MPI wants from root.
  static let settings = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
  static let mpirun = "\(settings) mpirun --oversubscribe"
  /// A launcher that signals reach. Tests start programs with signals that are blocked, and a shell starts what it
  /// leaves in the background with a Ctrl-C that is ignored.
  static let interruptible =
    "\(settings) perl -MPOSIX -e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new); $SIG{INT} = \"DEFAULT\"; exec @ARGV' "
    + "mpirun --oversubscribe"
  static let program = Program.quoted(Program.path)

  func path(_ name: String) -> String { folder + "/" + name }

  /// A small training, as a command line.
  func training(_ name: String, _ options: String = "", program: String = program) -> String {
    "\(program) train --set network.patterns='0123 4567 0145' --set evaluation.games=10 "
      + "--set training.solo_games=50 --set training.merge_moves=3000 --games 600 "
      + "--output \(Program.quoted(path(name))) \(options)"
  }

  func checkpoint(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name) + "/checkpoint.safetensors"))
  }

  /// Waits for a file that a line of the shell writes.
  static func wait(for file: String) -> String { "while [ ! -s '\(file)' ]; do sleep 0.05; done" }

  /// A command that writes the number of its process into a file.
  static func told(_ file: String, _ command: String) -> String {
    "sh -c \"echo \\$\\$ > '\(file)'; exec \(command)\""
  }
}
