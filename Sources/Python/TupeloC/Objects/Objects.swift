internal import TupeloBase

/// An object that callers know by a number.
protocol ForeignObject: AnyObject, Sendable {
  /// The name of the kind of object in errors, such as "a model".
  static var title: String { get }
}

/// The objects that callers have made, by number.
///
/// A number is given once and never again, so a released, wrong or made-up number is detected. An exclusive object has
/// a mark while a thread uses it, and a second thread is refused.
enum Objects {
  private struct Entry {
    let object: any ForeignObject
    var isBusy = false
  }

  private struct Table {
    var entries: [Int64: Entry] = [:]
    var last: Int64 = 0
  }

  private static let table = Locked(Table())

  /// Keeps an object.
  ///
  /// - Returns: its number
  static func add(_ object: any ForeignObject) -> Int64 {
    table.withLock { table in
      table.last += 1
      table.entries[table.last] = Entry(object: object)
      return table.last
    }
  }

  /// A shared object.
  ///
  /// - Throws: `Fault` for a number that is not an object of this kind.
  static func shared<Object: ForeignObject>(_ number: Int64, as type: Object.Type = Object.self) throws(Fault) -> Object
  {
    let entry = table.withLock { $0.entries[number] }
    return try cast(entry, number)
  }

  /// Calls `body` with an exclusive object.
  ///
  /// - Throws: `Fault` for a number that is not an object of this kind, and when another thread uses the object; the
  ///   errors of `body`.
  static func exclusive<Object: ForeignObject>(
    _ number: Int64, as type: Object.Type = Object.self, _ body: (Object) throws -> Void
  ) throws {
    let entry = table.withLock { table in
      let entry = table.entries[number]
      if entry?.object is Object { table.entries[number]?.isBusy = true }
      return entry
    }
    let object: Object = try cast(entry, number)
    guard entry?.isBusy == false else { throw busy(number) }
    defer { table.withLock { $0.entries[number]?.isBusy = false } }
    try body(object)
  }

  /// Forgets an object.
  ///
  /// - Throws: `Fault` for a number that is not an object, or when a thread uses the object.
  static func release(_ number: Int64) throws(Fault) {
    // This thread frees the object when the entry goes out of scope, after the lock.
    let entry = table.withLock { table in
      let entry = table.entries[number]
      if entry?.isBusy == false { table.entries[number] = nil }
      return entry
    }
    guard let entry else { throw missing(number) }
    if entry.isBusy { throw busy(number) }
  }

  private static func cast<Object: ForeignObject>(_ entry: Entry?, _ number: Int64) throws(Fault) -> Object {
    guard let entry else { throw missing(number) }
    guard let object = entry.object as? Object else {
      throw Fault(.noObject, "handle \(number) is \(Swift.type(of: entry.object).title), not \(Object.title)")
    }
    return object
  }

  private static func missing(_ number: Int64) -> Fault {
    Fault(.noObject, "handle \(number) is not an object: it was released, or never made")
  }

  private static func busy(_ number: Int64) -> Fault {
    Fault(.busy, "handle \(number) is in use by another thread: wait for it, or make an object for each thread")
  }
}
