public import CTupeloShims

/// Prefetches the cache line at an address. This is a hint, and harmless for any address.
@unsafe @inlinable @inline(__always)
public func prefetchLine(_ address: UnsafeRawPointer) {
  unsafe tupelo_prefetch(address)
}
