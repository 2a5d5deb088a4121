/// Gradients of the embedding rows that a batch uses: one row for each, for any number of occurrences.
///
/// A hash table finds the row of an index. Places whose slot is unused or belongs to another place are empty, so a
/// reset only sets the count to zero (Briggs & Torczon 1993, "An efficient representation for sparse sets").
public struct GradientRows: ~Copyable, Sendable {
  /// The numbers of a row.
  public let width: Int
  /// The largest number of different rows.
  public let capacity: Int
  /// The number of rows.
  public private(set) var count = 0
  /// The index of each row in the embedding, in the order of their first occurrence. The first `count` are valid.
  public private(set) var indices: [UInt32]
  /// The gradients, row by row. The first `count * width` are valid.
  public internal(set) var values: FloatStorage
  /// The place of each row in `slots`.
  private var places: [UInt32]
  private var slots: [UInt32]
  private let shift: UInt32

  /// - Precondition: `capacity` is in 0...2^30.
  init(capacity: Int, width: Int) throws(DenseError) {
    precondition((0...1 << 30).contains(capacity))
    (self.capacity, self.width) = (capacity, width)
    // The first allocation is the largest. It throws the error if memory is too small.
    values = try FloatStorage(count: capacity * width)
    var bits: UInt32 = 4
    while 1 << Int(bits) < capacity * 2 { bits += 1 }
    indices = [UInt32](repeating: 0, count: capacity)
    places = indices
    slots = [UInt32](repeating: 0, count: 1 << Int(bits))
    shift = 32 - bits
  }

  /// The place of a row's parameters. The embedding is the first tensor.
  @inline(__always)
  func range(ofSlot slot: Int) -> Range<Int> {
    let first = Int(indices[slot]) &* width
    return first..<first &+ width
  }

  mutating func reset() { count = 0 }

  /// The row of an index, which is new and zero if it was not there.
  @inline(__always)
  mutating func slot(of index: UInt32) -> Int {
    // The multiplier is 2^32 over the golden ratio. It makes the high bits depend on the whole index.
    var place = (index &* 0x9e37_79b9) &>> shift
    while true {
      let slot = Int(slots[Int(place)])
      guard slot < count, places[slot] == place else { break }
      if indices[slot] == index { return slot }
      place = (place &+ 1) & UInt32(truncatingIfNeeded: slots.count &- 1)
    }
    precondition(count < capacity, "more rows than the gradient was made for; reset it more often")
    let slot = count
    count += 1
    slots[Int(place)] = UInt32(truncatingIfNeeded: slot)
    places[slot] = place
    indices[slot] = index
    values.withMutableSpan(of: slot * width..<(slot + 1) * width) { $0.update(repeating: 0) }
    return slot
  }
}
