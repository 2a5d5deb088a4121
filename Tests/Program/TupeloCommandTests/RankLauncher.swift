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

  /// Variables without which Open MPI refuses to run as root.
  static let settings = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
  static let mpirun = "\(settings) mpirun --oversubscribe"
  /// A launcher that receives signals. Tests start programs with blocked signals, and a shell starts a background job
  /// with Ctrl-C ignored.
  static let interruptible =
    "\(settings) perl -MPOSIX -e 'sigprocmask(SIG_SETMASK, POSIX::SigSet->new); $SIG{INT} = \"DEFAULT\"; exec @ARGV' "
    + "mpirun --oversubscribe"
  static let program = Program.quoted(Program.path)

  func path(_ name: String) -> String { folder + "/" + name }

  /// The command line of a small training.
  func training(_ name: String, _ options: String = "", program: String = program) -> String {
    "\(program) train --set network.patterns='0123 4567 0145' --set evaluation.games=10 "
      + "--set training.solo_games=50 --set training.merge_moves=3000 --games 600 "
      + "--output \(Program.quoted(path(name))) \(options)"
  }

  func checkpoint(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name) + "/checkpoint.safetensors"))
  }

  /// A shell loop that waits for a file.
  static func wait(for file: String) -> String { "while [ ! -s '\(file)' ]; do sleep 0.05; done" }

  /// A command that writes the number of its process into a file.
  static func told(_ file: String, _ command: String) -> String {
    "sh -c \"echo \\$\\$ > '\(file)'; exec \(command)\""
  }
}
