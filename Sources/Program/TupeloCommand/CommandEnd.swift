internal import ArgumentParser

/// The end of a command that is not carried out, or not to its end. Errors of the modules below it end a command, too.
enum CommandEnd: Error {
  /// The command line is wrong. The program prints the text in one line and exits with 64.
  case wrong(String)
  /// The command cannot be carried out. The program prints the text in one line and exits with 1.
  case failure(String)
  /// Ctrl-C or a signal stopped the command before its end. The program prints the text and exits with 130.
  case stopped(String)
  /// Everything has been printed, here or by another process.
  case told(ExitCode)
  /// An error that all processes of `mpirun` know of, so that all of them end by themselves. The first one prints it.
  case shared(any Error)
}

extension CommandEnd: CustomStringConvertible {
  var description: String {
    switch self {
    case .wrong(let text), .failure(let text), .stopped(let text): text
    case .told: ""
    case .shared(let error): "\(error)"
    }
  }
}
