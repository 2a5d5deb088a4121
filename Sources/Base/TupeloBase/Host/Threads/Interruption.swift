#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A request, from another thread, to end what this thread is writing.
///
/// Soundness of the unsafe memory: the value of this thread under the key is a reference to a `Request` that
/// `watching` keeps alive, or `nil`. Only this thread reads and writes it.
@safe
package enum Interruption {
  private final class Request {
    let isWanted: () -> Bool

    init(_ isWanted: @escaping () -> Bool) { self.isWanted = isWanted }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key, nil)
    precondition(failure == 0, "no memory of its own for a thread: errno \(failure)")
    return key
  }()

  /// Calls `body`, which ends at its next `check` in this thread when `isWanted` is true.
  package static func watching<R>(_ isWanted: @escaping () -> Bool, _ body: () throws -> R) rethrows -> R {
    let request = Request(isWanted)
    let outer = unsafe pthread_getspecific(key)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(request).toOpaque())
    defer { unsafe pthread_setspecific(key, outer) }
    return try withExtendedLifetime(request) { try body() }
  }

  /// Ends the work of this thread if that is wanted.
  ///
  /// - Throws: `CancellationError` if it is.
  package static func check() throws {
    guard let pointer = unsafe pthread_getspecific(key) else { return }
    if unsafe Unmanaged<Request>.fromOpaque(pointer).takeUnretainedValue().isWanted() { throw CancellationError() }
  }
}
