public import CTupeloShims

/// Relaxed atomic reads and writes, for memory that several threads share without locks.
///
/// A relaxed atomic compiles to a plain load or store. An update that races with another one may be lost; a torn or
/// invented value is impossible. These functions use a C shim, because `Synchronization.Atomic` needs macOS 15 and iOS
/// 18.
extension UnsafeMutablePointer<Float> {
  @unsafe @inlinable @inline(__always)
  func loadRelaxed() -> Float { unsafe tupelo_load_float(self) }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ value: Float) { unsafe tupelo_store_float(self, value) }
}

/// Relaxed atomic reads and writes of two floats side by side, as one word of eight bytes.
///
/// The word is a `Double`, because a `Double` is loaded from memory directly into a vector register. It is never used
/// as a number.
extension UnsafeMutablePointer<Double> {
  @unsafe @inlinable @inline(__always)
  func loadRelaxed() -> Double { unsafe tupelo_load_double(self) }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ value: Double) { unsafe tupelo_store_double(self, value) }
}

/// Relaxed atomic writes of bytes.
extension UnsafeMutablePointer<UInt8> {
  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ value: UInt8) { unsafe tupelo_store_u8(self, value) }
}
