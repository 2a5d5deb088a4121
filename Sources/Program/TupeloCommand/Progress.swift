internal import Dispatch
internal import Foundation
internal import TupeloBase

/// How far long work has come, on standard error, from any thread: a line that renews itself on a terminal, a plain
/// line now and then elsewhere. Work of less than two seconds prints nothing.
final class Progress: Sendable {
  private let isLive: Bool
  private let start = ContinuousClock.now
  private let state: Locked<State>

  private struct State {
    var next: ContinuousClock.Instant
    /// Whether a line is on the terminal.
    var isShown = false
    var isFinished = false
  }

  init(isLive: Bool = Terminal.errorIsTerminal) {
    self.isLive = isLive
    state = Locked(State(next: ContinuousClock.now + (isLive ? .seconds(2) : .seconds(30))))
  }

  /// Seconds since the work began.
  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Shows a text, if it is time for one.
  func show(_ text: () -> String) {
    state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.next, !state.isFinished else { return }
      state.next = now + (isLive ? .milliseconds(200) : .seconds(30))
      if isLive {
        state.isShown = true
        Terminal.errorStatus(text())
      } else {
        Terminal.note(text())
      }
    }
  }

  /// Takes the line away, so that another can be printed. The next text brings it back.
  func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      state.isShown = false
      Terminal.errorStatus("")
    }
  }

  /// Takes the line away for good.
  func finish() {
    clear()
    state.withLock { $0.isFinished = true }
  }
}

extension Progress {
  /// The parts of work whose number is known, such as games.
  struct Counted: Sendable {
    private let progress = Progress()
    private let title: String
    private let total: Int
    private let unit: String

    /// - Parameters:
    ///   - title: what is being done, such as `evaluating`
    ///   - total: the number of units
    init(_ title: String, of total: Int, unit: String = "games") {
      (self.title, self.total, self.unit) = (title, total, unit)
    }

    func show(_ done: Int) {
      progress.show {
        let rest = progress.seconds * Double(total - done) / Double(max(done, 1))
        let end = done > 0 ? "  ETA \(Format.duration(rest))" : ""
        return "\(title): \(Format.grouped(done))/\(Format.grouped(total)) \(unit)" + end
      }
    }

    func finish() { progress.finish() }
  }

  /// Shows how long work has taken that cannot say how far it is.
  ///
  /// - Parameter title: what is being done, such as `folding`
  static func during<Result>(_ title: String, _ body: () throws -> Result) rethrows -> Result {
    let progress = Progress()
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.setEventHandler { progress.show { "\(title): \(Format.duration(progress.seconds))" } }
    timer.schedule(deadline: .now() + .seconds(2), repeating: .milliseconds(200))
    timer.resume()
    defer {
      timer.cancel()
      progress.finish()
    }
    return try body()
  }
}
