package import TupeloTables

extension NTupleNetwork {
  /// Adds the structure and all weights to a hash. No thread may change weights during the call.
  package func add(to hash: inout WeightHash) {
    for byte in specification.canonicalText.utf8 { hash.add(UInt32(byte)) }
    weights.exclusively { $0.add(to: &hash) }
  }
}
