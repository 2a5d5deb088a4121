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

  /// The numbers from a byte on, which is a multiple of their size.
  func numbers<T: BitwiseCopyable>(_ type: T.Type, from start: Int, count: Int) -> [T] {
    let size = MemoryLayout<T>.stride
    precondition(start >= 0 && count >= 0 && start <= self.count && count <= (self.count - start) / size)
    return (0..<count).map { unsafe memory.load(fromByteOffset: start + $0 * size, as: T.self) }
  }

  func text(from start: Int, count: Int) -> String {
    String(decoding: numbers(UInt8.self, from: start, count: count), as: UTF8.self)
  }
}
