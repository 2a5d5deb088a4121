internal import CTupeloShims

/// A value that only one thread at a time can use.
///
/// The type uses the system's mutex, which old platforms have and ThreadSanitizer recognises.
///
/// Soundness of the unsafe memory: one mutex, made and freed with this object; the value is touched only between lock
/// and unlock.
@safe
package final class Locked<Value: ~Copyable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: consuming sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    let failure = unsafe tupelo_mutex_begin(mutex)
    precondition(failure == 0, "no mutex: errno \(failure)")
    self.value = value
  }

  deinit {
    _ = unsafe tupelo_mutex_end(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls `body` with the value, once no other thread uses it. Calls must not be nested.
  package func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    _ = unsafe tupelo_mutex_lock(mutex)
    defer { _ = unsafe tupelo_mutex_unlock(mutex) }
    return try body(&value)
  }
}
