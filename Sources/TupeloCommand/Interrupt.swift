internal import CTupeloShims
internal import Dispatch
internal import Foundation
internal import Threads

/// Ctrl-C, SIGTERM, SIGHUP and SIGUSR1 as a flag, so that work in progress can finish what it is at and be saved.
///
/// SIGUSR1 is for schedulers and for `mpirun`, which passes it on to its processes and gives them all the time that
/// they need. Only a second Ctrl-C that comes a second after the first signal ends the process at once. Programs such
/// as `timeout` signal a process twice within microseconds; the other signals never mean impatience.
final class Interrupt: Sendable {
  private let flag = Latch()
  private let first = Locked<ContinuousClock.Instant?>(nil)
  /// Who waits for the next signal, which then does not end the process.
  private let waiting = Locked(Waiting())

  private struct Waiting {
    weak var latch: Latch?
  }

  var isRequested: Bool { flag.isSet }

  /// - Parameter onRequest: called once, when the first signal arrives, on a thread of its own.
  init(onRequest: @escaping @Sendable () -> Void = {}) {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGUSR1] {
      // Whoever starts a program with nohup wants it to outlive its terminal.
      if number == SIGHUP, tupelo_ignores_signal(number) != 0 { continue }
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
      // The handler keeps its source alive: it listens as long as the process lives.
      source.setEventHandler { [self] in
        withExtendedLifetime(source) { receive(number, onRequest) }
      }
      source.resume()
    }
  }

  /// Lets the next signal end a waiting instead of the process, as long as the result lives.
  ///
  /// - Returns: a function that says whether the signal has come
  func nextSignal() -> () -> Bool {
    let latch = Latch()
    waiting.withLock { $0.latch = latch }
    return { latch.isSet }
  }

  private func receive(_ number: Int32, _ onRequest: () -> Void) {
    if let latch = waiting.withLock({ $0.latch }), !latch.set() { return }
    let now = ContinuousClock.now
    let start = first.withLock { first in
      if first == nil { first = now }
      return first ?? now
    }
    if flag.set() {
      if number == SIGINT, now - start > .seconds(1) { exit(128 + SIGINT) }
    } else {
      onRequest()
    }
  }
}
