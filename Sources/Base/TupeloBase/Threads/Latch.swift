internal import CTupeloShims

/// A switch that any thread may set, once. It does not order other memory accesses.
///
/// Soundness of the unsafe memory: one number, freed with this object, accessed only by atomic operations.
@safe
package final class Latch: @unchecked Sendable {
  private let number: UnsafeMutablePointer<Int64>

  package init() {
    unsafe number = .allocate(capacity: 1)
    unsafe number.initialize(to: 0)
  }

  deinit {
    unsafe number.deallocate()
  }

  package var isSet: Bool { unsafe tupelo_load_i64(number) != 0 }

  /// Sets the switch.
  ///
  /// - Returns: whether it was set already.
  @discardableResult
  package func set() -> Bool { unsafe tupelo_exchange_i64(number, 1) != 0 }
}
