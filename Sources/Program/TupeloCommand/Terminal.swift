internal import Foundation
internal import TupeloBase

/// Facts about the terminal, and output to it.
enum Terminal {
  /// Whether the output is a terminal that can redraw a line. A dumb terminal cannot, and gets the output of a pipe.
  ///
  /// The output is not such a terminal under `mpirun` either: it gives its processes a terminal of its own and forwards
  /// their output.
  static var outputIsTerminal: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
      && !RankLaunch(environment: environment).isByLauncher
  }

  /// True for standard error on a terminal that can redraw a line.
  static var errorIsTerminal: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Colour is for terminals that have not declined it (https://no-color.org).
  static var usesColour: Bool {
    let environment = ProcessInfo.processInfo.environment
    return outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The columns of the terminal on standard output; 80 without a terminal.
  static var columns: Int { columns(of: STDOUT_FILENO) }

  /// The columns of the terminal on standard output; `nil` where it is not a terminal, and lines may be of any length.
  static var width: Int? { isatty(STDOUT_FILENO) == 1 ? columns : nil }

  private static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Set while work runs that must not end because its output fails, such as training. Output that cannot be written is
  /// then dropped, with one warning unless nobody reads it.
  static let isExpendable = Latch()
  private static let isOutputLost = Latch()

  /// The name of this process in a job of several, with a colon; empty for a process alone.
  static var name: String { job.withLock { $0.name } }
  /// Whether the output of this process is seen. Processes of a job that do the same print it once.
  private static var isHeard: Bool { job.withLock { $0.isHeard } }
  private static let job = Locked((name: "", isHeard: true))

  static func join(as name: String, isHeard: Bool) { job.withLock { $0 = (name + ": ", isHeard) } }

  /// Writes a line about what this process alone does, which names the process.
  static func report(_ text: String) { put(harmless(name + text) + "\n") }

  /// Writes text at once, without waiting for a newline. If nobody reads the output any more, the program ends quietly,
  /// as other tools in a pipe do. If it cannot be written for another reason, that ends the program.
  static func write(_ text: String) {
    if isHeard { put(text) }
  }

  private static func put(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        let (code, problem) = (errno, "standard output: cannot be written: \(FailedCall.text(errno))")
        if isExpendable.isSet {
          if code != EPIPE, !isOutputLost.set() { warning("\(problem): lines of it are lost") }
          return
        }
        guard code != EPIPE else { exit(0) }
        note("Error: \(problem): send it elsewhere")
        exit(EXIT_FAILURE)
      }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Writes a line, or several, that may repeat texts of files; see `harmless`.
  static func line(_ text: String = "") { write(harmless(text) + "\n") }

  /// Writes a line that this program has coloured.
  static func coloured(_ text: String) { write(text + "\n") }

  /// The text with escapes such as `\u202e` for characters that a terminal would obey: control characters other than
  /// newline and tab, and characters that change the direction of writing. In JSON, where they occur only in strings,
  /// the text keeps its meaning.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isObeyed) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if isObeyed(scalar) {
        let digits = String(scalar.value, radix: 16)
        shown += "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0a: false
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x2029, 0x061c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Prints a warning to standard error. The program continues, even when standard error cannot be written.
  static func warning(_ text: String) {
    if isHeard { note("warning: \(text)") }
  }

  /// A line to standard error: progress, notes and errors.
  static func note(_ text: String) { writeError(harmless(text) + "\n") }

  /// Replaces the current line of the terminal on standard error with the fields that fit; an empty text takes it away.
  static func errorStatus(_ text: String) {
    writeError("\r\u{1b}[K" + Format.fields(of: harmless(text), within: columns(of: STDERR_FILENO) - 1))
  }

  private static func writeError(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(count, 0))
    }
  }

  /// How often something was written below what a `Screen` shows, so that it cannot be redrawn in its place.
  static let disturbances = Counter()

  /// A note that comes in the middle of a line that renews itself, on standard output or standard error.
  static func interruption(_ text: String) {
    if outputIsTerminal {
      clearStatus()
    } else if errorIsTerminal {
      errorStatus("")
    }
    if isHeard { note(text) }
    disturbances.add(1)
  }

  /// Replaces the current line of a terminal with the fields that fit.
  static func status(_ text: String) {
    write("\r\u{1b}[K" + Format.fields(of: harmless(text), within: columns - 1))
  }

  static func clearStatus() { write("\r\u{1b}[K") }
}
