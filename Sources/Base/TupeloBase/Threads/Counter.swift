internal import CTupeloShims

/// A number that any thread may add to. It does not order other memory accesses.
///
/// Soundness of the unsafe memory: one number, freed with this object, accessed only by atomic operations.
@safe
package final class Counter: @unchecked Sendable {
  private let number: UnsafeMutablePointer<Int64>

  package init() {
    unsafe number = .allocate(capacity: 1)
    unsafe number.initialize(to: 0)
  }

  deinit {
    unsafe number.deallocate()
  }

  package var value: Int { Int(unsafe tupelo_load_i64(number)) }

  /// Adds a number and returns the sum.
  @discardableResult
  package func add(_ amount: Int) -> Int { Int(unsafe tupelo_fetch_add_i64(number, Int64(amount))) + amount }

  /// The next number, 0, 1, 2 and so on. Each number is given to only one caller.
  package func next() -> Int { add(1) - 1 }
}
