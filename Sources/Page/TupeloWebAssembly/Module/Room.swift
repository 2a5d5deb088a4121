/// Memory into which the page writes texts and tables for the module.
///
/// Soundness of the unsafe memory: it holds `count` bytes, freed when a larger room replaces it; reads are checked. The
/// module has one thread.
@safe
final class Room: @unchecked Sendable {
  private var memory: UnsafeMutableRawPointer
  private var count: Int

  init() {
    unsafe memory = .allocate(byteCount: 64, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    count = 64
  }

  /// Makes room for a number of bytes, and returns its address. Earlier contents are gone.
  @unsafe
  func make(_ count: Int) -> UnsafeMutableRawPointer {
    if count > self.count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: count, alignment: 16)
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
      self.count = count
    }
    return unsafe memory
  }

  /// Gives a large room back.
  func clear() {
    unsafe memory.deallocate()
    unsafe memory = .allocate(byteCount: 64, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
    count = 64
  }

  /// Calls `body` with the first bytes.
  func withBytes<Result, E>(count: Int, _ body: (RawSpan) throws(E) -> Result) throws(E) -> Result {
    precondition(count >= 0 && count <= self.count)
    return try unsafe body(RawSpan(_unsafeStart: UnsafeRawPointer(memory), byteCount: count))
  }
}
