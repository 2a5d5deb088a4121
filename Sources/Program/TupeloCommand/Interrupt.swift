internal import CTupeloShims
internal import Foundation
internal import TupeloBase
internal import TupeloSearch

/// Ctrl-C and other signals as a flag, so that work in progress can end at a good point and be saved.
///
/// At the first signal the program prints that it stops, and what a second signal does. A second one of the signals
/// `urgent` ends the process at once, with 128 plus the signal's number, if it comes at least a second after the first
/// one. A signal before that time has no effect: programs such as `timeout` signal a process and then its group, which
/// are two signals within microseconds.
///
/// The signals `patient` never end the process, and a signal that comes after them counts as the first one.
final class Interrupt: Sendable {
  /// The signals of a person or of the system.
  private static let urgent = [SIGINT, SIGTERM, SIGHUP]

  /// The signals of schedulers, which come some time before the end of a job. `mpirun` passes SIGUSR1 on to its
  /// processes. The kernel repeats SIGXCPU every second from the limit of processor time on.
  private static let patient = [SIGUSR1, SIGUSR2, SIGXCPU]

  /// Set by the first signal. Searches and games heed it between moves, and in the middle of a search.
  let cancellation = SearchCancellation()
  /// The notice at the first signal.
  private let notice: Locked<String?>
  private let state = Locked(State())

  private struct State {
    var isTold = false
    /// The time of the first signal.
    var first: ContinuousClock.Instant?
  }

  /// The effect of a second signal, as a part of a sentence.
  static let second = "a second Ctrl-C or SIGTERM ends it at once"

  var isRequested: Bool { cancellation.isCancelled }

  /// - Parameter notice: the notice at the first signal; `nil` when signals shall have their usual effects
  init(_ notice: String? = "stopping; \(Interrupt.second)") {
    self.notice = Locked(notice)
    guard notice != nil else { return }
    // A program that was started with nohup must outlive its terminal.
    let numbers = (Self.urgent + Self.patient).filter { $0 != SIGHUP || tupelo_ignores_signal(SIGHUP) == 0 }
    SignalListener.listen(to: numbers) { [self] in receive($0) }
  }

  /// Changes the notice at the first signal, when other work begins.
  func says(_ text: String) {
    notice.withLock { $0 = text }
  }

  private func receive(_ number: Int32) {
    let now = ContinuousClock.now
    let (isFirst, isSecond) = state.withLock { state in
      defer { state.isTold = true }
      guard !Self.patient.contains(number) else { return (!state.isTold, false) }
      let first = state.first ?? now
      state.first = first
      return (!state.isTold, now - first >= .seconds(1))
    }
    if isFirst {
      // The notice is printed before anything ends, so that it stands above the last lines of the command.
      if let text = notice.withLock({ $0 }) { Terminal.interruption(text) }
      cancellation.cancel()
    }
    if isSecond {
      Keyboard.restoreTerminal()
      exit(128 + number)
    }
  }
}

extension Interrupt {
  /// Sets the effects that signals have in all commands, before a command begins.
  static func prepare() {
    // A file that would exceed the limit on file sizes gives an error, as a full disk does.
    signal(SIGXFSZ, SIG_IGN)
    // The first process of a container is not ended by a signal without a handler.
    guard getpid() == 1 else { return }
    for number in urgent { signal(number) { _exit(128 + $0) } }
  }
}
