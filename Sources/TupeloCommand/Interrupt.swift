internal import Dispatch
internal import Foundation
internal import Threads

/// Ctrl-C and SIGTERM as a flag, so that work in progress can finish its step and be saved. A second signal ends the
/// process at once.
final class Interrupt: Sendable {
  private let flag = Latch()

  var isRequested: Bool { flag.isSet }

  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
      // The handler keeps its source alive: it listens as long as the process lives.
      source.setEventHandler { [self] in
        withExtendedLifetime(source) {
          if flag.set() { exit(128 + number) }
        }
      }
      source.resume()
    }
  }
}
