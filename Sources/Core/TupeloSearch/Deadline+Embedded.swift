#if hasFeature(Embedded)
internal import CTupeloShims

extension Deadline {
  /// Milliseconds by the clock of the browser.
  static var now: Double { tupelo_now() }
}

/// A search that was cancelled. A module has one thread, so nothing cancels its searches.
public struct CancellationError: Error {}
#endif
