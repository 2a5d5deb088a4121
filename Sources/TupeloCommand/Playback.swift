internal import Foundation
internal import TupeloEngine

/// How automatic play goes on: what keys have decided, apart from the terminal they come from.
struct Playback {
  /// What + and - choose from. The last is as fast as it goes.
  private static let speeds: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, .infinity]

  private(set) var movesPerSecond: Double
  private(set) var isPaused = false
  private(set) var isEnded = false
  /// Single moves asked for and not yet played.
  private var steps = 0

  /// - Parameter movesPerSecond: 0 for as fast as it goes
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

  /// True for each single move that was asked for.
  mutating func takeStep() -> Bool {
    guard steps > 0 else { return false }
    steps -= 1
    return true
  }

  var interval: Duration { movesPerSecond.isFinite ? .seconds(1 / movesPerSecond) : .zero }

  /// A line below the board: how it goes, and the keys.
  var text: String {
    let speed = movesPerSecond.isFinite ? String(format: "%g moves/s", movesPerSecond) : "full speed"
    return (isPaused ? "paused, space goes on" : "\(speed), space pauses") + "   . one move   + - speed   q quit"
  }
}

/// Spreads moves over time as its playback says, and looks for keys meanwhile. Draws at most 50 times a second.
final class Pace {
  private(set) var playback: Playback
  private let keyboard: Keyboard?
  private let clock = ContinuousClock()
  private var nextMove: ContinuousClock.Instant
  private var nextFrame: ContinuousClock.Instant
  private var nextLook: ContinuousClock.Instant

  private static let frame = Duration.milliseconds(20)

  /// - Parameter keyboard: `nil` when nobody presses keys
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

  /// Waits until a move is due. False when there is to be none any more.
  ///
  /// - Parameter changed: called when a key has changed something that shows
  func awaitTurn(shouldStop: () -> Bool, changed: () -> Void) -> Bool {
    while true {
      let now = clock.now
      // At full speed a look at the keyboard before each move would cost more than the move.
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

  /// Takes keys as they come, and returns after the first or when the time is over.
  private func look(for time: Duration, changed: () -> Void) {
    guard let keyboard, !keyboard.isAtEnd else { return Thread.sleep(forTimeInterval: time / .seconds(1)) }
    guard let key = keyboard.next(within: time) else { return }
    let speed = playback.movesPerSecond
    playback.press(key)
    // After a slow speed the next move comes by the new one.
    if playback.movesPerSecond != speed { nextMove = min(nextMove, clock.now + playback.interval) }
    changed()
  }
}
