internal import Foundation
internal import TupeloEngine

/// A pressed key. White space is a key too; callers that do not use it ignore it.
enum Keystroke: Equatable {
  case arrow(Move)
  case character(Character)

  /// The move of an arrow key, of w a s d or of h j k l.
  var move: Move? {
    switch self {
    case .arrow(let move): move
    case .character(let character): Self.moves[character]
    }
  }

  private static let moves: [Character: Move] = [
    "w": .up, "a": .left, "s": .down, "d": .right, "k": .up, "h": .left, "j": .down, "l": .right,
  ]
}

/// Reads keys one by one: from a terminal without waiting for Enter, from a pipe or file as they arrive.
final class Keyboard {
  private let original: termios?
  private var pending: [UInt8] = []
  private(set) var isAtEnd = false

  init() {
    var settings = termios()
    guard StandardInput.isTerminal, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
      original = nil
      return
    }
    original = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Restores the terminal's settings.
  func restore() {
    guard var settings = original else { return }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Waits for the next key; `nil` at the end of input, or when `shouldStop` returns true.
  func next(shouldStop: () -> Bool) -> Keystroke? {
    while !shouldStop() {
      if let key = next(within: .milliseconds(100)) { return key }
      if isAtEnd { return nil }
    }
    return nil
  }

  /// The next key, if one arrives within a time.
  func next(within time: Duration) -> Keystroke? {
    if let key = decode() { return key }
    guard !isAtEnd else { return nil }
    switch StandardInput.arrival(within: time) {
    case .nothing: return nil
    case .end: isAtEnd = true
    case .bytes(let bytes): pending += bytes
    }
    return decode()
  }

  /// Takes one key from the bytes read: a character, or an arrow (ESC [ A and ESC O A, and so on). Other keys that send
  /// sequences, and control characters, are ignored.
  private func decode() -> Keystroke? {
    while let first = pending.first {
      if first == 0x1b, pending.count >= 3, pending[1] == 0x5b || pending[1] == 0x4f {
        let end = pending.dropFirst(2).firstIndex { (0x40...0x7e).contains($0) } ?? pending.count - 1
        let sequence = pending.prefix(through: end)
        pending.removeFirst(sequence.count)
        if sequence.count == 3, let move = sequence.last.flatMap({ Self.arrows[$0] }) { return .arrow(move) }
        continue
      }
      let length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
      let text = String(decoding: pending.prefix(length), as: UTF8.self)
      pending.removeFirst(min(length, pending.count))
      guard let character = text.first, character.isWhitespace || !Self.isControl(first) else { continue }
      return .character(character)
    }
    return nil
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7f }

  private static let arrows: [UInt8: Move] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]
}
