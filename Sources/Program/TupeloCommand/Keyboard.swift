internal import CTupeloShims
internal import Foundation
internal import TupeloBase
internal import TupeloEngine

/// A pressed key. White space is a key too; callers that do not use it ignore it.
enum Keystroke: Equatable {
  case arrow(Move)
  case character(Character)
  /// No key: the process was suspended, as by Ctrl-Z, and resumed. The screen must be drawn again.
  case resumed

  /// The move of an arrow key, of w a s d or of h j k l.
  var move: Move? {
    switch self {
    case .arrow(let move): move
    case .character(let character): Self.moves[character]
    case .resumed: nil
    }
  }

  private static let moves: [Character: Move] = [
    "w": .up, "a": .left, "s": .down, "d": .right, "k": .up, "h": .left, "j": .down, "l": .right,
  ]
}

/// Reads keys one by one: from a terminal without waiting for Enter, from a pipe or file as they arrive.
///
/// Ctrl-Z gives the terminal back as it was. When the program continues, the next read of the keys takes the terminal
/// again and returns `Keystroke.resumed`.
final class Keyboard {
  /// The settings of the terminal before the keyboard took it; `nil` while no keyboard has it. Code that changes
  /// settings of the terminal holds the lock.
  private static let original = Locked<termios?>(nil)
  private let isTerminal: Bool
  private var decoder = KeyDecoder()
  /// When the last bytes arrived.
  private var arrived = ContinuousClock.now
  private(set) var isAtEnd = false

  init() {
    var settings = termios()
    guard StandardInput.isTerminal, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
      isTerminal = false
      return
    }
    isTerminal = true
    Self.original.withLock { [settings] in $0 = settings }
    _ = take()
    Self.listenToSuspension()
  }

  /// Restores the terminal's settings.
  func restore() {
    Self.restoreTerminal()
    Self.original.withLock { $0 = nil }
  }

  /// Restores the terminal's settings if a keyboard has it, on any thread.
  static func restoreTerminal() { original.withLock { set($0) } }

  private static func set(_ settings: termios?) {
    guard var settings else { return }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  private static let editing = tcflag_t(ICANON | ECHO)

  /// Sets the terminal to send keys one by one.
  ///
  /// - Returns: false when it does so already, or belongs to another program now.
  private func take() -> Bool {
    guard isTerminal else { return false }
    return Self.original.withLock { original in
      var settings = termios()
      guard original != nil, unsafe tcgetattr(STDIN_FILENO, &settings) == 0, settings.c_lflag & Self.editing != 0 else {
        return false
      }
      // A program in the background that set up the terminal would be stopped.
      let owner = tcgetpgrp(STDIN_FILENO)
      guard owner == -1 || owner == getpgrp() else { return false }
      settings.c_lflag &= ~Self.editing
      return unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
    }
  }

  /// Whether the program listens to Ctrl-Z.
  private static let isListening = Latch()

  /// Makes Ctrl-Z restore the terminal before it stops the program.
  private static func listenToSuspension() {
    guard tupelo_ignores_signal(SIGTSTP) == 0, !isListening.set() else { return }
    SignalListener.listen(to: [SIGTSTP]) { _ in
      original.withLock {
        set($0)
        // The lock is held, so that no thread takes the terminal again before the process stops.
        suspend()
      }
    }
  }

  /// Stops the process as the signal does by default, unless no shell could resume it.
  private static func suspend() {
    var (signals, blocked) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTSTP)
    // On Linux, the listener has a handler of its own.
    let handler = signal(SIGTSTP, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &blocked)
    raise(SIGTSTP)
    // The program continues here.
    unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
    signal(SIGTSTP, handler)
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
    if let key = decoder.next() { return key }
    guard !isAtEnd else { return nil }
    if take() {
      Terminal.disturbances.add(1)
      return .resumed
    }
    switch StandardInput.arrival(within: time) {
    case .nothing:
      if decoder.isUnfinished, ContinuousClock.now - arrived >= Self.patience { decoder.giveUp() }
    case .end: isAtEnd = true
    case .bytes(let bytes):
      decoder.add(bytes)
      arrived = .now
    }
    return decoder.next()
  }

  /// The time in which the rest of a sequence or of a character arrives, also over a slow connection. No key waits for
  /// it, because the key Esc alone means nothing.
  private static let patience = Duration.milliseconds(250)
}
