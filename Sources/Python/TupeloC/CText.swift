#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif
internal import TupeloModels

/// Texts that cross the border to C.
///
/// Soundness of the unsafe memory: a text from C is read up to its zero byte, as the header asks callers to have one. A
/// text to C is written only up to the capacity that the caller gives. A text that stays valid is a C string of the
/// library: the version is never freed. A thread has one last error under the key, which is freed when the next error
/// takes its place, or when the thread ends.
@safe
enum CText {
  /// A text of the caller.
  ///
  /// - Throws: `Fault` for NULL and for bytes that are not UTF-8.
  static func text(_ bytes: UnsafePointer<CChar>?, _ name: String) throws(Fault) -> String {
    guard let text = try unsafe optionalText(bytes, name) else { throw .invalid("\(name) is NULL: give a text") }
    return text
  }

  /// A text of the caller that may be left out; `nil` for NULL.
  static func optionalText(_ bytes: UnsafePointer<CChar>?, _ name: String) throws(Fault) -> String? {
    guard let bytes = unsafe bytes else { return nil }
    guard let text = unsafe String(validatingCString: bytes) else { throw .invalid("\(name) is not UTF-8 text") }
    return text
  }

  /// Texts of the caller: `count` texts in an array, which may be NULL if `count` is 0.
  static func texts(
    _ array: UnsafePointer<UnsafePointer<CChar>?>?, count: UInt64, _ name: String
  ) throws(Fault) -> [String] {
    guard count > 0 else { return [] }
    guard count <= 100_000 else { throw .invalid("\(count) \(name): give at most 100000") }
    let array = try unsafe Memory.array(array, Int(count), name)
    var texts: [String] = []
    for index in 0..<Int(count) { texts.append(try unsafe text(array[index], "\(name)[\(index)]")) }
    return texts
  }

  /// Writes a text and a zero byte into the caller's buffer.
  ///
  /// - Parameters:
  ///   - length: receives the length of the text, also when the text does not fit
  /// - Throws: `Fault` when the text does not fit, before anything but the length was written.
  static func write(
    _ text: String, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: UInt64, _ length: UnsafeMutablePointer<UInt64>
  ) throws(Fault) {
    var text = text
    let count = text.utf8.count
    unsafe length.pointee = UInt64(count)
    guard capacity > UInt64(count) else {
      throw Fault(.tooSmall, "the text has \(count) bytes and a zero byte, the buffer \(capacity)")
    }
    guard let buffer = unsafe buffer else { throw .invalid("text is NULL, and its capacity \(capacity)") }
    text.withUTF8 { bytes in
      for index in 0..<count { unsafe buffer[index] = CChar(truncatingIfNeeded: bytes[index]) }
    }
    unsafe buffer[count] = 0
  }

  // MARK: Texts that stay

  /// The version of Tupelo; `nil` where there was no memory for it.
  nonisolated(unsafe) static let version = unsafe UnsafePointer(strdup(tupeloVersion))

  nonisolated(unsafe) private static let empty = unsafe UnsafePointer(strdup(""))

  private static let lastErrorKey: pthread_key_t = {
    var key = pthread_key_t()
    let failure = unsafe pthread_key_create(&key) { unsafe free($0) }
    precondition(failure == 0, "no memory of its own for a thread: errno \(failure)")
    return key
  }()

  /// The text of the calling thread's last error; empty before the first one.
  static var lastError: UnsafePointer<CChar>? {
    guard let text = unsafe pthread_getspecific(lastErrorKey) else { return unsafe empty }
    return unsafe UnsafePointer(text.assumingMemoryBound(to: CChar.self))
  }

  /// Replaces the text of the calling thread's last error.
  static func setLastError(_ text: String) {
    unsafe free(pthread_getspecific(lastErrorKey))
    _ = unsafe pthread_setspecific(lastErrorKey, strdup(text))
  }
}
