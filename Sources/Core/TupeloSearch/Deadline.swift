/// The end of a search's time. Unlike `ContinuousClock.Instant` it has a fixed layout, so a search copies it for free.
struct Deadline {
  private let milliseconds: Double

  /// The end of a time that begins now.
  init(in time: Duration) {
    milliseconds = Self.now + Self.milliseconds(time)
  }

  var isOver: Bool { Self.now >= milliseconds }

  private static func milliseconds(_ time: Duration) -> Double {
    let (seconds, attoseconds) = time.components
    return Double(seconds) * 1e3 + Double(attoseconds) * 1e-15
  }
}

#if !hasFeature(Embedded)
extension Deadline {
  private static let start = ContinuousClock.now

  /// Milliseconds since the first use.
  private static var now: Double { milliseconds(start.duration(to: .now)) }
}
#endif
