internal import Foundation
internal import TupeloEngine

/// What a key means in a game.
enum Key: Equatable {
  case move(Move)
  case hint
  case undo
  case newGame
  case quit
  case other(Character)
}

/// Reads keys one by one: from a terminal without waiting for Enter, from a pipe or file as they come.
final class Keyboard {
  private let original: termios?
  private var pending: [UInt8] = []

  init() {
    var settings = termios()
    guard unsafe isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &settings) == 0 else {
      original = nil
      return
    }
    original = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Gives the terminal back as it was.
  func restore() {
    guard var settings = original else { return }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// The next key, skipping white space; `nil` at the end of input or when `shouldStop` says so while waiting.
  func next(shouldStop: () -> Bool) -> Key? {
    while true {
      if let key = decode() { return key }
      guard !shouldStop(), fill(shouldStop: shouldStop) else { return nil }
    }
  }

  /// Waits for input. False at its end.
  private func fill(shouldStop: () -> Bool) -> Bool {
    while !shouldStop() {
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, 100) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { return false }
      pending += buffer.prefix(count)
      return true
    }
    return false
  }

  /// Takes one key from what has been read: a letter, or an arrow (ESC [ A and ESC O A, and so on).
  private func decode() -> Key? {
    while let first = pending.first {
      if first == 0x1b, pending.count >= 3, pending[1] == 0x5b || pending[1] == 0x4f {
        let last = pending[2]
        pending.removeFirst(3)
        if let move = Self.arrows[last] { return .move(move) }
        continue
      }
      pending.removeFirst()
      let character = Character(UnicodeScalar(first))
      if character.isWhitespace || first == 0x1b { continue }
      return Self.keys[character] ?? .other(character)
    }
    return nil
  }

  private static let arrows: [UInt8: Move] = [0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left]

  private static let keys: [Character: Key] = [
    "w": .move(.up), "a": .move(.left), "s": .move(.down), "d": .move(.right),
    "k": .move(.up), "h": .move(.left), "j": .move(.down), "l": .move(.right),
    "?": .hint, "u": .undo, "n": .newGame, "q": .quit,
  ]
}
