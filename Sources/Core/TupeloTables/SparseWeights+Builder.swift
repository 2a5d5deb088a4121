extension SparseWeights {
  /// Makes sparse weights from the weights that are not zero, in any order.
  package struct Builder: ~Copyable {
    private let memory: SparseMemory

    /// - Parameter count: the number of weights, at most 2^32
    /// - Throws: `WeightStorageError` when the map of blocks does not fit into memory.
    package init(count: Int) throws(WeightStorageError) { memory = try SparseMemory(count: count) }

    package var count: Int { memory.count }

    /// The weight at an index.
    package subscript(index: Int) -> Float {
      precondition(index >= 0 && index < count)
      return unsafe address(index).pointee
    }

    /// Sets a weight.
    ///
    /// - Throws: `WeightStorageError` when its block does not fit into memory.
    package mutating func set(_ weight: Float, at index: Int) throws(WeightStorageError) {
      precondition(index >= 0 && index < count)
      let block = index / SparseMemory.blockSize
      if unsafe memory.map[block] == 0 { unsafe memory.map[block] = try memory.newPlace() }
      unsafe address(index).pointee = weight
    }

    /// Gives every zero weight from index `distance` on the weight that is `distance` before it, in the order of
    /// indices. A block of only zeros then shares the memory of the block `distance` before it.
    ///
    /// No weight may be set after this, because blocks share memory.
    package consuming func filled(fromBefore distance: Int) throws(WeightStorageError) -> SparseWeights {
      precondition(distance > 0)
      let size = SparseMemory.blockSize
      for block in distance / size..<(count - 1) / size + 1 {
        if distance.isMultiple(of: size), !memory.isFull, unsafe memory.map[block] == 0 {
          unsafe memory.map[block] = memory.map[block - distance / size]
          continue
        }
        let start = block * size
        for index in max(start, distance)..<start + min(size, count - start) where self[index] == 0 {
          let weight = self[index - distance]
          if weight != 0 { try set(weight, at: index) }
        }
      }
      return finished()
    }

    /// The weights, which no longer change.
    package consuming func finished() -> SparseWeights { SparseWeights(memory) }

    @unsafe
    private func address(_ index: Int) -> UnsafeMutablePointer<Float> {
      let place = unsafe Int(memory.map[index / SparseMemory.blockSize]) + index % SparseMemory.blockSize
      return unsafe memory.segments[place / SparseMemory.segmentSize] + place % SparseMemory.segmentSize
    }
  }
}
