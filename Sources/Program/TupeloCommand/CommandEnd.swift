internal import ArgumentParser

/// The end of a command that is not carried out, or not to its end. Errors of the modules below end a command, too.
enum CommandEnd: Error {
  /// The command line is wrong: exit code 64.
  case wrong(String)
  /// The command cannot be carried out: exit code 1.
  case failure(String)
  /// Ctrl-C or a signal stopped the command before its end: exit code 130. The text is printed as it is.
  case stopped(String)
  /// The output says what is wrong, here or in another process, or the text does, which is printed as it is.
  case told(ExitCode, String = "")

  var code: ExitCode {
    switch self {
    case .wrong: .validationFailure
    case .failure: .failure
    case .stopped: ExitCode(130)
    case .told(let code, _): code
    }
  }
}

extension CommandEnd: CustomStringConvertible {
  var description: String {
    switch self {
    case .wrong(let text), .failure(let text), .stopped(let text), .told(_, let text): text
    }
  }
}
