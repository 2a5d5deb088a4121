internal import TupeloBase

/// The connected clients, up to a limit.
///
/// When all places are taken, a client that has kept the server waiting gives its place to a new one: one whose request
/// does not come, or that does not take its answer. So idle, half-open and unread connections keep nobody out.
final class OpenConnections: Sendable {
  /// The place of a client; to be given back.
  struct Place: Hashable, Sendable {
    fileprivate let number: Int
  }

  private struct State {
    var deadlines: [Place: Deadline] = [:]
    /// Clients that have lost their places, until they have the response that says so.
    var leaving: Set<Place> = []
    var count = 0
  }

  private let state = Locked(State())
  private let limit: Int
  private let patience: Duration

  /// - Parameters:
  ///   - limit: clients at a time
  ///   - patience: how long a client that keeps the server waiting keeps its place
  init(limit: Int, patience: Duration) { (self.limit, self.patience) = (limit, patience) }

  /// The largest number of clients in `State.leaving`.
  private static let mostLeaving = 64

  /// A place for a client.
  ///
  /// - Parameter deadline: ends the work of its connection
  /// - Returns: `nil` when all are taken.
  func enter(_ deadline: Deadline) -> Place? {
    let (place, loser) = state.withLock { state -> (Place?, Deadline?) in
      var loser: (place: Place, deadline: Deadline)?
      if state.deadlines.count >= limit {
        loser = slowest(of: state)
        guard let loser else { return (nil, nil) }
        state.deadlines[loser.place] = nil
        state.leaving.insert(loser.place)
      }
      state.count += 1
      let place = Place(number: state.count)
      state.deadlines[place] = deadline
      return (place, loser?.deadline)
    }
    loser?.dismiss()
    return place
  }

  func leave(_ place: Place) {
    state.withLock { state in
      state.deadlines[place] = nil
      state.leaving.remove(place)
    }
  }

  /// The client that has kept the server waiting longest, if that is too long.
  private func slowest(of state: State) -> (place: Place, deadline: Deadline)? {
    guard state.leaving.count < Self.mostLeaving else { return nil }
    let start = ContinuousClock.now - patience
    let waiting = state.deadlines.compactMap { place, deadline in
      deadline.waitingSince.flatMap { $0 <= start ? (since: $0, place: place, deadline: deadline) : nil }
    }
    return waiting.min { $0.since < $1.since }.map { ($0.place, $0.deadline) }
  }
}
