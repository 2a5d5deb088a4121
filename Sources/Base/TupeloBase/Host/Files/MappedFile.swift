#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#endif

/// A read-only file in memory, paged in by the kernel when it is touched.
///
/// Soundness of the unsafe memory: `base` is the beginning of a private read-only mapping of `byteCount` bytes that
/// this object alone owns. The mapping is made in `init`, unmapped in `deinit` and nowhere else, and never written
/// through. It is handed out only as a `RawSpan` within bounds, inside a closure during which the object is kept alive.
/// An empty file has no mapping and a nil `base`.
///
/// This code cannot prevent one failure: if another process shortens the file, touching a page beyond its new end is a
/// bus error (SIGBUS). Replace files by renaming, never in place.
@safe
package final class MappedFile: @unchecked Sendable {
  package let byteCount: Int
  private let base: UnsafeMutableRawPointer?

  package init(path: String) throws(SystemError) {
    let descriptor: Int32
    let size: Int?
    do {
      // Without O_NONBLOCK, opening a pipe waits for a writer.
      descriptor = try Posix.openFile(path, O_RDONLY | O_NONBLOCK)
    } catch {
      throw .cannotOpen(path: path, errno: error.code)
    }
    // A mapping outlives its descriptor, and closing one that was only read has nothing to report.
    defer { _ = close(descriptor) }
    do {
      size = try Posix.regularSize(descriptor)
    } catch {
      throw .cannotOpen(path: path, errno: error.code)
    }
    guard let size else { throw .notARegularFile(path: path) }
    byteCount = size
    guard size > 0 else {
      unsafe base = nil
      return
    }
    let mapping = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard unsafe mapping != MAP_FAILED else { throw .cannotMap(path: path, errno: errno) }
    unsafe base = mapping
  }

  deinit {
    if let base = unsafe base { unsafe munmap(base, byteCount) }
  }

  /// Calls `body` with the bytes of a range.
  ///
  /// - Precondition: the range is within `0..<byteCount`.
  package func withBytes<R: ~Copyable, E>(_ range: Range<Int>, _ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    let all = unsafe UnsafeRawBufferPointer(start: base, count: byteCount)
    return try withExtendedLifetime(self) { () throws(E) -> R in
      let bytes = unsafe all.bytes
      return try body(bytes.extracting(range))
    }
  }

  /// Tells the kernel that the file will be read once from front to back. The kernel may ignore it.
  package func adviseSequential() {
    if let base = unsafe base { unsafe _ = posix_madvise(base, byteCount, POSIX_MADV_SEQUENTIAL) }
  }
}
