internal import Foundation
internal import TupeloEngine

/// The speed of automatic play and whether it is paused, as keys have set them. It is independent of the terminal.
struct Playback {
  /// The speeds that + and - choose from, in moves per second; the last one is full speed.
  private static let speeds: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, .infinity]

  private(set) var movesPerSecond: Double
  private(set) var isPaused = false
  private(set) var isEnded = false
  /// The number of single moves that were requested and not played yet.
  private var steps = 0

  /// - Parameter movesPerSecond: the speed; 0 for full speed
  init(movesPerSecond: Double) {
    self.movesPerSecond = movesPerSecond > 0 ? movesPerSecond : .infinity
  }

  mutating func press(_ key: Keystroke) {
    switch key {
    case .character(" "):
      isPaused.toggle()
      steps = 0
    case .character("."), .arrow(.right):
      isPaused = true
      steps += 1
    case .character("+"), .character("="):
      movesPerSecond = Self.speeds.first { $0 > movesPerSecond } ?? movesPerSecond
    case .character("-"), .character("_"):
      movesPerSecond = Self.speeds.last { $0 < movesPerSecond } ?? movesPerSecond
    case .character("q"): isEnded = true
    default: break
    }
  }

  /// Whether a single move was requested; each call takes one request.
  mutating func takeStep() -> Bool {
    guard steps > 0 else { return false }
    steps -= 1
    return true
  }

  var interval: Duration { movesPerSecond.isFinite ? .seconds(1 / movesPerSecond) : .zero }

  /// A line below the board with the present state and the keys.
  var text: String {
    let speed = movesPerSecond.isFinite ? String(format: "%g moves/s", movesPerSecond) : "full speed"
    return (isPaused ? "paused, space continues" : "\(speed), space pauses") + "   . one move   + - speed   q quit"
  }
}

/// Spreads moves over time by its playback, and reads keys meanwhile. It draws at most 50 times a second.
final class Pace {
  private(set) var playback: Playback
  private let keyboard: Keyboard?
  private let clock = ContinuousClock()
  private var nextMove: ContinuousClock.Instant
  private var nextFrame: ContinuousClock.Instant
  private var nextLook: ContinuousClock.Instant

  private static let frame = Duration.milliseconds(20)

  /// - Parameter keyboard: the keyboard; `nil` without one
  init(_ playback: Playback, keyboard: Keyboard?) {
    self.playback = playback
    self.keyboard = keyboard
    nextMove = clock.now
    nextFrame = clock.now
    nextLook = clock.now
  }

  func isFrameDue() -> Bool {
    guard clock.now >= nextFrame else { return false }
    nextFrame = clock.now + Self.frame
    return true
  }

  /// Waits until a move is due; false when play is to end.
  ///
  /// - Parameter changed: called when a key has changed something visible
  func awaitTurn(shouldStop: () -> Bool, changed: () -> Void) -> Bool {
    while true {
      let now = clock.now
      // At full speed, reading the keyboard before each move would cost more than the move.
      if now >= nextLook {
        nextLook = now + Self.frame
        look(for: .zero, changed: changed)
      }
      if shouldStop() || playback.isEnded { return false }
      if playback.takeStep() { return true }
      if !playback.isPaused, now >= nextMove {
        nextMove = max(nextMove + playback.interval, now - .milliseconds(100))
        return true
      }
      look(for: playback.isPaused ? .milliseconds(100) : min(nextMove - now, .milliseconds(100)), changed: changed)
    }
  }

  /// Reads keys; returns after the first key, or when the time is over.
  private func look(for time: Duration, changed: () -> Void) {
    guard let keyboard, !keyboard.isAtEnd else { return Thread.sleep(forTimeInterval: time / .seconds(1)) }
    guard let key = keyboard.next(within: time) else { return }
    let speed = playback.movesPerSecond
    playback.press(key)
    // After a slow speed, the next move is due by the new speed.
    if playback.movesPerSecond != speed { nextMove = min(nextMove, clock.now + playback.interval) }
    changed()
  }
}
