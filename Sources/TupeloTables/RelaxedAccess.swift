public import CTupeloShims

/// Reads and writes of memory that several threads share without locks: relaxed atomics.
///
/// A relaxed atomic compiles to a plain load or store. An update that races with another may be lost; a torn or
/// invented value is impossible. They go through a C shim because `Synchronization.Atomic` asks for macOS 15 and iOS
/// 18, which apps that only play need not have.
extension UnsafeMutablePointer<Float> {
  @unsafe @inlinable @inline(__always)
  func loadRelaxed() -> Float { unsafe tupelo_load_float(self) }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ value: Float) { unsafe tupelo_store_float(self, value) }
}

/// Two floats side by side as one word of eight bytes. As a `Double`, because that goes from memory to a vector
/// register without a detour; nothing is ever computed with it.
extension UnsafeMutablePointer<Double> {
  @unsafe @inlinable @inline(__always)
  func loadRelaxed() -> Double { unsafe tupelo_load_double(self) }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ value: Double) { unsafe tupelo_store_double(self, value) }
}
