/// A command that was understood and cannot be carried out. The program prints the text in one line and exits with 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A command that was stopped before its end, by Ctrl-C or a signal. The program prints the text and exits with 130.
struct Stopped: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
