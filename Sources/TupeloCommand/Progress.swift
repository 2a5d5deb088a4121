internal import Foundation
internal import Threads

/// How far long work has come, on standard error, from any thread: a line that renews itself on a terminal, a plain
/// line now and then elsewhere. Nothing is said of work that is done in two seconds.
final class Progress: Sendable {
  private let title: String
  private let total: Int
  private let unit: String
  private let isLive: Bool
  private let next: Locked<ContinuousClock.Instant>
  private let isShown = Latch()

  /// - Parameters:
  ///   - title: what is being done, such as `evaluating`
  ///   - total: of the units
  init(_ title: String, of total: Int, unit: String = "games", isLive: Bool = Terminal.errorIsTerminal) {
    (self.title, self.total, self.unit, self.isLive) = (title, total, unit, isLive)
    next = Locked(ContinuousClock.now + (isLive ? .seconds(2) : .seconds(30)))
  }

  func show(_ done: Int) {
    next.withLock { next in
      let now = ContinuousClock.now
      guard now >= next else { return }
      next = now + (isLive ? .milliseconds(200) : .seconds(30))
      let text = "\(title): \(Format.grouped(done))/\(Format.grouped(total)) \(unit)"
      if isLive {
        isShown.set()
        Terminal.errorStatus(text)
      } else {
        Terminal.note(text)
      }
    }
  }

  /// Takes the line away.
  func finish() {
    if isShown.isSet { Terminal.errorStatus("") }
  }
}
