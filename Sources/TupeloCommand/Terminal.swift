internal import Foundation
internal import Threads

/// Facts about the terminal, and output to it.
enum Terminal {
  /// Whether the output is a terminal that can redraw a line. A dumb terminal cannot, and gets the output of a pipe.
  static var outputIsTerminal: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Whether to use colour: on terminals that have not declined it (https://no-color.org).
  static var usesColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The columns of the terminal on standard output; 80 without a terminal.
  static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Set while work runs that must not end because its output fails, such as training. Output that cannot be written is
  /// then dropped.
  static let isExpendable = Latch()

  /// Writes text at once, without waiting for a newline. If nobody reads the output any more, the program ends quietly,
  /// as other tools in a pipe do.
  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        if isExpendable.isSet { return }
        exit(errno == EPIPE ? 0 : 74)
      }
      bytes = bytes.dropFirst(count)
    }
  }

  static func line(_ text: String = "") { write(text + "\n") }

  /// Writes a warning to standard error. Neither the warning nor a failed write ends the program.
  static func warning(_ text: String) {
    var bytes = Array("warning: \(text)\n".utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }

  /// Replaces the current line of a terminal with a text, cut to the terminal's width.
  static func status(_ text: String) {
    write("\r\u{1b}[K" + text.prefix(max(columns - 1, 0)))
  }

  static func clearStatus() { write("\r\u{1b}[K") }
}
