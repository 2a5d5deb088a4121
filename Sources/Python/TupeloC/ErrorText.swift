#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The text of each thread's last error.
///
/// Soundness of the unsafe memory: a thread has one C string under the key. The string is freed when the next text
/// takes its place, or when the thread ends.
@safe
enum ErrorText {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key) { unsafe free($0) }
    precondition(failure == 0, "no memory of its own for a thread: errno \(failure)")
    return key
  }()

  nonisolated(unsafe) private static let empty = unsafe UnsafePointer(CText.copy(""))

  /// The text of the calling thread's last error; empty before the first error.
  static var current: UnsafePointer<CChar>? {
    guard let text = unsafe pthread_getspecific(key) else { return unsafe empty }
    return unsafe UnsafePointer(text.assumingMemoryBound(to: CChar.self))
  }

  /// Replaces the text of the calling thread.
  static func set(_ text: String) {
    unsafe free(pthread_getspecific(key))
    _ = unsafe pthread_setspecific(key, CText.copy(text))
  }
}
