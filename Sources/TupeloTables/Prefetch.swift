public import CTupeloShims

/// Asks for the cache line at an address. A hint: harmless whatever the address.
@unsafe @inlinable @inline(__always)
public func prefetchLine(_ address: UnsafeRawPointer) {
  unsafe tupelo_prefetch(address)
}
