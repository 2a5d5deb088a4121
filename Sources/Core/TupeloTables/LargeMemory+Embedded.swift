#if hasFeature(Embedded)
internal import CTupeloShims

/// A block of zeroed memory at the end of the module's memory. In a page it replaces the type in `LargeMemory.swift`,
/// which gets its memory from a kernel.
///
/// Soundness of the unsafe memory: the block is appended to the module's memory, so nothing else uses it, and it is
/// never returned.
@safe
package final class LargeMemory: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  package let byteCount: Int
  /// WebAssembly has no pages that a module could choose.
  package var hasHugePages: Bool { true }

  /// - Throws: `WeightStorageError.refused` when the browser refuses.
  package init(byteCount: Int) throws(WeightStorageError) {
    guard byteCount > 0, let base = unsafe UnsafeMutableRawPointer(bitPattern: tupelo_more_memory(byteCount)) else {
      throw .refused(bytes: byteCount)
    }
    unsafe self.base = base
    self.byteCount = byteCount
  }
}

/// The memory that a module may use: all that 32 bits can address.
package enum MemoryLimit {
  package static var bytes: Int { Int.max }
}
#endif
