internal import Foundation

/// Reads standard input with a time limit.
enum StandardInput {
  enum Arrival {
    case nothing
    case end
    case bytes([UInt8])
  }

  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  static func arrival(within time: Duration) -> Arrival {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(min(max((time / .milliseconds(1)).rounded(.up), 0), 1000))
    guard unsafe poll(&request, 1, milliseconds) > 0 else { return .nothing }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return .nothing }
    return count > 0 ? .bytes(Array(buffer.prefix(count))) : .end
  }
}

/// Reads lines from standard input. On a terminal the terminal edits them; a pipe may end without a newline.
struct LineReader {
  private var pending: [UInt8] = []
  private var isAtEnd = false
  private var isAtStart = true

  /// The longest line, in bytes. No command is longer, so the rest of a line is ignored.
  static let longest = 500

  /// The next line without its end; `nil` at the end of input, or when `shouldStop` returns true while it waits.
  mutating func next(shouldStop: () -> Bool) -> String? {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = pending.prefix(min(end, Self.longest))
        pending.removeFirst(end + 1)
        return text(line)
      }
      if isAtEnd {
        guard !pending.isEmpty else { return nil }
        defer { pending = [] }
        return text(pending.prefix(Self.longest))
      }
      guard !shouldStop() else { return nil }
      switch StandardInput.arrival(within: .milliseconds(100)) {
      case .nothing: continue
      case .end: isAtEnd = true
      case .bytes(let bytes):
        pending += bytes
        // A line without an end is not kept for ever.
        if pending.count > 1 << 20, !pending.contains(UInt8(ascii: "\n")) {
          pending.removeLast(pending.count - Self.longest)
        }
      }
    }
  }

  /// The text of a line. The first line loses the byte order mark with which spreadsheets begin a file.
  private mutating func text(_ line: ArraySlice<UInt8>) -> String {
    defer { isAtStart = false }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return String(decoding: isAtStart && line.starts(with: mark) ? line.dropFirst(mark.count) : line, as: UTF8.self)
  }
}
