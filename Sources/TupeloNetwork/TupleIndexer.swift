internal import TupeloEngine

/// Turns a position into the cells of weight storage that make up its value.
///
/// The symmetric boards lie side by side in the lanes of a vector, so that one shift and mask serves all eight of them.
///
/// Soundness of the unsafe memory: `plans` and `segments` are written once in `init` and freed in `deinit`; every index
/// that comes out is below `weightCount`, because a pattern's segments cover exactly its table's bits.
@safe
public final class TupleIndexer: @unchecked Sendable {
  public let specification: NetworkSpecification
  /// `m`: indices per position, pattern by pattern, symmetric boards side by side.
  public let featureCount: Int
  @usableFromInline let boards: Int
  @usableFromInline let patternCount: Int
  @usableFromInline let plans: UnsafeMutablePointer<Plan>
  @usableFromInline let segments: UnsafeMutablePointer<Segment>
  @usableFromInline let rowShift: UInt64
  @usableFromInline let columnShift: UInt64
  let orders: [StorageOrder]
  let bases: [Int]

  @usableFromInline
  struct Plan {
    @usableFromInline var firstSegment: Int
    @usableFromInline var endSegment: Int
    @usableFromInline var base: UInt64

    init(firstSegment: Int, endSegment: Int, base: UInt64) {
      self.firstSegment = firstSegment
      self.endSegment = endSegment
      self.base = base
    }
  }

  @usableFromInline
  struct Segment {
    @usableFromInline var shift: UInt64
    @usableFromInline var mask: UInt64

    init(shift: UInt64, mask: UInt64) {
      self.shift = shift
      self.mask = mask
    }
  }

  public init(_ specification: NetworkSpecification) {
    self.specification = specification
    featureCount = specification.featureCount
    boards = specification.boardsPerPattern
    patternCount = specification.patterns.count
    let group = specification.sharesSymmetries ? specification.shape.symmetries : [.identity]
    orders = specification.patterns.map { StorageOrder($0, symmetries: group) }
    unsafe plans = .allocate(capacity: patternCount)
    unsafe segments = .allocate(capacity: orders.reduce(0) { $0 + $1.segments.count })
    var bases: [Int] = []
    var base = 0
    var next = 0
    for (index, order) in orders.enumerated() {
      let first = next
      for segment in order.segments {
        unsafe (segments + next).initialize(to: Segment(shift: UInt64(segment.shift), mask: segment.mask))
        next += 1
      }
      unsafe (plans + index).initialize(to: Plan(firstSegment: first, endSegment: next, base: UInt64(base)))
      bases.append(base)
      base += specification.patterns[index].tableSize
    }
    self.bases = bases
    rowShift = UInt64(16 * (4 - specification.shape.rows))
    columnShift = UInt64(4 * (4 - specification.shape.columns))
  }

  deinit {
    unsafe plans.deallocate()
    unsafe segments.deallocate()
  }

  /// Where the weight of `pattern` (its number) at a standard index lies in storage.
  public func storageIndex(pattern: Int, standardIndex: Int) -> Int {
    bases[pattern] + orders[pattern].storageIndex(ofStandard: standardIndex)
  }

  /// A function from standard indices of a pattern to storage indices, for whole-table passes. The map is linear over bits, so
  /// three small tables and two exclusive ors do it.
  func storageMap(pattern: Int) -> @Sendable (Int) -> Int {
    let order = orders[pattern]
    let base = bases[pattern]
    let low = (0..<4096).map { order.storageIndex(ofStandard: $0) }
    let middle = (0..<4096).map { order.storageIndex(ofStandard: $0 << 12) }
    let high = (0..<256).map { order.storageIndex(ofStandard: $0 << 24) }
    return { index in base + (low[index & 0xfff] ^ middle[index >> 12 & 0xfff] ^ high[index >> 24]) }
  }

  /// The symmetric boards of a position, packed, in lanes: flips in 0..<4, their transposes in 4..<8.
  @inlinable @inline(__always)
  func lanes(of bits: UInt64) -> SIMD8<UInt64> {
    let vertical = bits.rowsReversed >> rowShift
    let flips = SIMD4(bits, bits.columnsReversed >> columnShift, vertical, vertical.columnsReversed >> columnShift)
    let all = SIMD8(lowHalf: flips, highHalf: flips.nibblesTransposed)
    let swap = (all ^ all &>> 2) & 0x0c0c_0c0c_0c0c_0c0c
    return all ^ swap ^ swap &<< 2
  }

  /// The storage indices of one pattern on all lanes.
  @inlinable @inline(__always)
  func indices(pattern: Int, lanes: SIMD8<UInt64>) -> SIMD8<UInt64> {
    let plan = unsafe plans[pattern]
    let first = unsafe segments[plan.firstSegment]
    var index = lanes &>> SIMD8(repeating: first.shift) & SIMD8(repeating: first.mask)
    var next = plan.firstSegment &+ 1
    while next < plan.endSegment {
      let segment = unsafe segments[next]
      index |= lanes &>> SIMD8(repeating: segment.shift) & SIMD8(repeating: segment.mask)
      next &+= 1
    }
    index ^= index &>> 12 & 0xfff0
    return index &+ SIMD8(repeating: plan.base)
  }

  /// The storage index of one pattern on one packed board.
  @inlinable @inline(__always)
  func index(pattern: Int, packed: UInt64) -> UInt64 {
    let plan = unsafe plans[pattern]
    var index: UInt64 = 0
    for next in plan.firstSegment..<plan.endSegment {
      let segment = unsafe segments[next]
      index |= packed &>> segment.shift & segment.mask
    }
    return index.spreadOverSets &+ plan.base
  }

  /// Writes the features of a position into a slot of `features`.
  @inlinable @inline(__always)
  public func write(_ bits: UInt64, into features: borrowing FeatureBuffer, slot: Int) {
    let out = unsafe features.base(ofSlot: slot)
    if boards == 1 {
      let packed = bits.packedHalves
      for pattern in 0..<patternCount {
        unsafe out[pattern] = index(pattern: pattern, packed: packed)
      }
      return
    }
    let lanes = lanes(of: bits)
    for pattern in 0..<patternCount {
      let indices = indices(pattern: pattern, lanes: lanes)
      if boards == 8 {
        unsafe UnsafeMutableRawPointer(out + pattern &* 8).storeBytes(of: indices, as: SIMD8<UInt64>.self)
      } else {
        unsafe UnsafeMutableRawPointer(out + pattern &* 4).storeBytes(of: indices.lowHalf, as: SIMD4<UInt64>.self)
      }
    }
  }
}

extension UInt64 {
  /// Rows from bottom to top.
  @inlinable
  var rowsReversed: UInt64 {
    self >> 48 | (self >> 16 & 0xffff_0000) | (self & 0xffff_0000) << 16 | self << 48
  }

  /// Columns from right to left.
  @inlinable
  var columnsReversed: UInt64 {
    let pairs = (self & 0x00ff_00ff_00ff_00ff) << 8 | (self >> 8 & 0x00ff_00ff_00ff_00ff)
    return (pairs & 0x0f0f_0f0f_0f0f_0f0f) << 4 | (pairs >> 4 & 0x0f0f_0f0f_0f0f_0f0f)
  }
}

extension SIMD4<UInt64> {
  @inlinable
  var nibblesTransposed: SIMD4<UInt64> {
    let cells = self & 0xf0f0_0f0f_f0f0_0f0f
    let half = cells | (self & 0x0000_f0f0_0000_f0f0) &<< 12 | self &>> 12 & 0x0000_f0f0_0000_f0f0
    let diagonal = half & 0xff00_ff00_00ff_00ff
    return diagonal | half &>> 24 & 0x0000_0000_ff00_ff00 | (half & 0x0000_0000_ff00_ff00) &<< 24
  }
}
