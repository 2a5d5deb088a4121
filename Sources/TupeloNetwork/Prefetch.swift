public import CTupeloShims

/// Asks for the cache line at an address; harmless whatever the address.
@unsafe @inlinable @inline(__always)
func prefetchLine(_ address: UnsafeMutableRawPointer) {
  unsafe tupelo_prefetch(address)
}
