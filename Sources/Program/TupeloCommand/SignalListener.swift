internal import Dispatch
internal import Foundation

/// Signals as calls on a thread of their own, instead of their default effects.
enum SignalListener {
  /// Calls `body` with each of these signals that comes, as long as the process lives. Once this has returned, no
  /// signal is lost.
  static func listen(to numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
    let registered = DispatchGroup()
    for number in numbers {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
      // The handler keeps its source alive.
      source.setEventHandler { withExtendedLifetime(source) { body(number) } }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
    }
    registered.wait()
  }
}
