internal import Foundation
internal import Threads

/// What is known about the terminal, and how to write to it.
enum Terminal {
  /// True for a terminal that can redraw a line. A dumb one cannot, and gets what a pipe gets.
  static var outputIsTerminal: Bool {
    isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Colour is for terminals that have not declined it (https://no-color.org).
  static var usesColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Columns of the terminal on standard output; 80 when it is none.
  static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// True while something runs that must not be lost with its output, such as a training: what cannot be written is
  /// dropped then.
  static let isExpendable = Latch()

  /// Writes at once, without waiting for a newline. Output that nobody reads any more ends the program quietly, as with
  /// other tools in a pipe.
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

  /// To standard error, for what is wrong and does not end the program; nor does a standard error that cannot be
  /// written.
  static func warning(_ text: String) {
    var bytes = Array("warning: \(text)\n".utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }

  /// Replaces the current line of a terminal, cut to its width.
  static func status(_ text: String) {
    write("\r\u{1b}[K" + text.prefix(max(columns - 1, 0)))
  }

  static func clearStatus() { write("\r\u{1b}[K") }
}
