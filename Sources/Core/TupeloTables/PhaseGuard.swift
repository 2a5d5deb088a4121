public import CTupeloShims

/// Checks the users of a storage: any number of workers that share it, or any number of passes that only read the whole
/// table, or one pass that writes.
///
/// The workers of a round register once for the whole round. Every other change, such as one by a client's own thread,
/// registers for its own time, also while a round runs. If a pass begins while a worker runs, or a worker begins while
/// a pass runs, the program has an error and the guard traps.
///
/// Soundness of the unsafe memory: one number, freed with this object. It has a cache line of its own, because every
/// change of weights reads it.
@safe @usableFromInline
final class PhaseGuard: @unchecked Sendable {
  /// The number of changes outside a round, plus `worker` for each worker. While passes run it is below 0: `writer`, or
  /// -1 for each pass that only reads.
  @usableFromInline let users: UnsafeMutablePointer<Int32>
  @inlinable static var worker: Int32 { 1 << 16 }
  @inlinable static var writer: Int32 { -1 << 30 }

  init() {
    let line = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    unsafe users = line.bindMemory(to: Int32.self, capacity: 1)
    unsafe users.initialize(to: 0)
  }

  deinit {
    unsafe users.deallocate()
  }

  /// Whether a pass that writes runs.
  @inlinable var isWriting: Bool { unsafe tupelo_load_i32(users) == Self.writer }

  /// Registers a change of single weights.
  ///
  /// - Parameter isOfRound: whether the round that the change belongs to is registered while it runs
  /// - Returns: whether the caller must `leave`.
  @inlinable @inline(__always)
  func join(isOfRound: Bool) -> Bool {
    if isOfRound, unsafe tupelo_load_i32(users) >= Self.worker { return false }
    register()
    return true
  }

  @usableFromInline @inline(never)
  func register() {
    let before = unsafe tupelo_fetch_add(users, 1)
    precondition(before >= 0, "a weight changed while a pass over the whole table ran")
  }

  @usableFromInline @inline(never)
  func leave() { _ = unsafe tupelo_fetch_add(users, -1) }

  func share<R>(_ body: () throws -> R) rethrows -> R {
    let before = unsafe tupelo_fetch_add(users, Self.worker)
    precondition(before >= 0, "a worker began while a pass over the whole table runs")
    defer { _ = unsafe tupelo_fetch_add(users, -Self.worker) }
    return try body()
  }

  func read<R>(_ body: () throws -> R) rethrows -> R {
    let before = unsafe tupelo_fetch_add(users, -1)
    precondition(
      before <= 0 && before > Self.writer, "a pass that reads the whole table began while a worker or a writer runs")
    defer { _ = unsafe tupelo_fetch_add(users, 1) }
    return try body()
  }

  func exclude<R>(_ body: () throws -> R) rethrows -> R {
    let before = unsafe tupelo_compare_exchange(users, 0, Self.writer)
    precondition(before == 0, "a pass that writes the whole table began while a worker or another pass runs")
    defer { _ = unsafe tupelo_fetch_add(users, -Self.writer) }
    return try body()
  }
}
