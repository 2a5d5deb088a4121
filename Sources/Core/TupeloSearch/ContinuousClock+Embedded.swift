#if hasFeature(Embedded)
internal import CTupeloShims

/// The clock of the browser. In a page it replaces the standard library's type of this name.
struct ContinuousClock {
  struct Instant: Comparable {
    var milliseconds: Double

    static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    static func + (instant: Instant, duration: Duration) -> Instant {
      let (seconds, attoseconds) = duration.components
      return Instant(milliseconds: instant.milliseconds + Double(seconds) * 1e3 + Double(attoseconds) * 1e-15)
    }
  }

  static var now: Instant { Instant(milliseconds: tupelo_now()) }
}

/// A search that was cancelled. A module has one thread, so nothing cancels its searches.
public struct CancellationError: Error {}
#endif
