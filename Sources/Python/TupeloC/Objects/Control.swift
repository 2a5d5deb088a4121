// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloBase
internal import TupeloSearch

/// Watches and ends a long call from another thread.
final class Control: ForeignObject {
  static let title = "a control"

  let cancellation = SearchCancellation()
  /// Games that the call has finished.
  let games = Counter()

  /// The control that a caller names; a new one, which nobody can reach, for 0.
  static func named(_ number: Int64) throws(Fault) -> Control {
    number == 0 ? Control() : try Objects.shared(number)
  }
}

@c @implementation
public func tupelo_control_create(_ control: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let handle = try unsafe Memory.array(control, 1, "control")
    unsafe handle.pointee = Objects.add(Control())
  }
}

@c @implementation
public func tupelo_control_cancel(_ control: Int64) -> Int32 {
  status { try Objects.shared(control, as: Control.self).cancellation.cancel() }
}

@c @implementation
public func tupelo_control_progress(_ control: Int64, _ games: UnsafeMutablePointer<Int64>?) -> Int32 {
  status {
    let games = try unsafe Memory.array(games, 1, "games")
    unsafe games.pointee = Int64(try Objects.shared(control, as: Control.self).games.value)
  }
}

@c @implementation
public func tupelo_release(_ object: Int64) -> Int32 {
  status { try Objects.release(object) }
}
