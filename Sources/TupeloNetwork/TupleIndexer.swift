public import TupeloEngine

/// Turns a position into the cells of weight storage that make up its value.
///
/// The symmetric boards lie side by side in the lanes of a vector, so that one shift and mask serves all eight of them.
///
/// Soundness of the unsafe memory: `plans` and `segments` are written once in `init` and freed in `deinit`; every index
/// that comes out is below `weightCount`, because a pattern's segments cover exactly its table's bits.
@safe
public final class TupleIndexer: @unchecked Sendable {
  public let specification: NetworkSpecification
  /// The specification's own, or `single` while all of the game is played in the first of its stages.
  @usableFromInline let stages: StagePartition
  /// `m`: indices per position, pattern by pattern, symmetric boards side by side.
  public let featureCount: Int
  @usableFromInline let boards: Int
  @usableFromInline let patternCount: Int
  @usableFromInline let plans: UnsafeMutablePointer<Plan>
  @usableFromInline let segments: UnsafeMutablePointer<Segment>
  /// Weights per stage.
  public let stageSize: UInt32
  @usableFromInline let rowShift: UInt64
  @usableFromInline let columnShift: UInt64
  let orders: [StorageOrder]
  let bases: [Int]

  /// One pattern's segments, kind after kind, and where its table begins.
  @usableFromInline
  struct Plan {
    @usableFromInline var first: Int
    @usableFromInline var lowEnd: Int
    @usableFromInline var rightEnd: Int
    @usableFromInline var end: Int
    @usableFromInline var base: UInt32
  }

  /// The mask is there once per lane: filling a vector with it each time costs as much as using it.
  @usableFromInline
  struct Segment {
    @usableFromInline var masks: SIMD8<UInt32>
    @usableFromInline var shift: UInt32
  }

  /// - Parameter isStaged: false to play all of the game in stage 0.
  public init(_ specification: NetworkSpecification, isStaged: Bool = true) {
    self.specification = specification
    stages = isStaged ? specification.stages : .single
    stageSize = UInt32(truncatingIfNeeded: specification.stageWeightCount)
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
      let lowCount = order.segments.count { $0.kind == .lowWordRight }
      let leftCount = order.segments.count { $0.kind == .highWordLeft }
      let end = next + order.segments.count
      let plan = Plan(
        first: next, lowEnd: next + lowCount, rightEnd: end - leftCount, end: end, base: UInt32(base))
      unsafe (plans + index).initialize(to: plan)
      for segment in order.segments {
        unsafe (segments + next).initialize(to: Segment(masks: SIMD8(repeating: segment.mask), shift: segment.shift))
        next += 1
      }
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
  public func storageIndex(pattern: Int, standardIndex: Int, stage: Int = 0) -> Int {
    stage * specification.stageWeightCount + bases[pattern] + orders[pattern].storageIndex(ofStandard: standardIndex)
  }

  /// Where the weights of a position's stage begin.
  @inlinable @inline(__always)
  func stageBase(of bits: UInt64) -> UInt32 {
    stages.count == 1 ? 0 : UInt32(truncatingIfNeeded: stages.stage(of: bits)) &* stageSize
  }

  /// Where the weights of a table (see `NetworkSpecification.tables`) lie in storage.
  func storageMap(table: Int) -> StorageMap {
    let (stage, pattern) = table.quotientAndRemainder(dividingBy: patternCount)
    let order = orders[pattern]
    return StorageMap(base: storageIndex(pattern: pattern, standardIndex: 0, stage: stage)) {
      order.storageIndex(ofStandard: $0)
    }
  }

  /// The symmetric boards of a position, packed, the two words of each apart. Board 2i + 1 is the transpose of board 2i; on a
  /// rectangle, and without sharing, only the even ones count.
  @usableFromInline
  struct Lanes {
    @usableFromInline let low: SIMD8<UInt32>
    @usableFromInline let high: SIMD8<UInt32>
    @usableFromInline let stageBase: UInt32

    @inlinable @inline(__always)
    init(low: SIMD8<UInt32>, high: SIMD8<UInt32>, stageBase: UInt32) {
      self.low = low
      self.high = high
      self.stageBase = stageBase
    }
  }

  /// A board and its transpose, and the flips of both: transposing and flipping are exchanged, so one transpose does. Packing works
  /// within bytes, so reversing the rows may come after it.
  @inlinable @inline(__always)
  func lanes(of bits: UInt64) -> Lanes {
    let pair = SIMD2(bits, bits.nibblesTransposed)
    let upright = pair.packedHalves
    let mirrored = (pair.columnsReversed &>> SIMD2(repeating: columnShift)).packedHalves
    let all = SIMD8(
      lowHalf: SIMD4(lowHalf: upright, highHalf: mirrored),
      highHalf: SIMD4(
        lowHalf: upright.rowsReversed &>> SIMD2(repeating: rowShift),
        highHalf: mirrored.rowsReversed &>> SIMD2(repeating: rowShift)))
    return Lanes(
      low: SIMD8<UInt32>(truncatingIfNeeded: all), high: SIMD8<UInt32>(truncatingIfNeeded: all &>> 32),
      stageBase: stageBase(of: bits))
  }

  /// The storage indices of one pattern on all lanes.
  @inlinable @inline(__always)
  func indices(pattern: Int, lanes: Lanes) -> SIMD8<UInt32> {
    let plan = unsafe plans[pattern]
    var index = SIMD8<UInt32>.zero
    for next in plan.first..<plan.lowEnd {
      let segment = unsafe segments[next]
      index |= lanes.low &>> SIMD8(repeating: segment.shift) & segment.masks
    }
    for next in plan.lowEnd..<plan.rightEnd {
      let segment = unsafe segments[next]
      index |= lanes.high &>> SIMD8(repeating: segment.shift) & segment.masks
    }
    for next in plan.rightEnd..<plan.end {
      let segment = unsafe segments[next]
      index |= lanes.high &<< SIMD8(repeating: segment.shift) & segment.masks
    }
    index ^= index &>> 12 & 0xfff0
    return index &+ SIMD8(repeating: plan.base &+ lanes.stageBase)
  }

  /// The storage index of one pattern on one packed board, in stage 0.
  @inlinable @inline(__always)
  func index(pattern: Int, packed: UInt64) -> UInt32 {
    let plan = unsafe plans[pattern]
    let (low, high) = (UInt32(truncatingIfNeeded: packed), UInt32(truncatingIfNeeded: packed >> 32))
    var index: UInt32 = 0
    for next in plan.first..<plan.lowEnd {
      let segment = unsafe segments[next]
      index |= low &>> segment.shift & segment.masks[0]
    }
    for next in plan.lowEnd..<plan.rightEnd {
      let segment = unsafe segments[next]
      index |= high &>> segment.shift & segment.masks[0]
    }
    for next in plan.rightEnd..<plan.end {
      let segment = unsafe segments[next]
      index |= high &<< segment.shift & segment.masks[0]
    }
    return index.spreadOverSets &+ plan.base
  }

  /// The stage that the features in a slot belong to.
  @inlinable @inline(__always)
  public func stage(of features: borrowing FeatureBuffer, slot: Int) -> Int {
    stages.count == 1 ? 0 : unsafe Int(features.base(ofSlot: slot)[0] / stageSize)
  }

  /// Writes the features of a position into a slot of `features`.
  @inlinable @inline(__always)
  public func write(_ bits: UInt64, into features: borrowing FeatureBuffer, slot: Int) {
    unsafe write(bits, to: features.base(ofSlot: slot))
  }

  /// Writes the features of a position to `featureCount` words.
  @unsafe @inlinable @inline(__always)
  func write(_ bits: UInt64, to out: UnsafeMutablePointer<UInt32>) {
    if boards == 1 {
      let (packed, stageBase) = (bits.packedHalves, stageBase(of: bits))
      for pattern in 0..<patternCount {
        unsafe out[pattern] = index(pattern: pattern, packed: packed) &+ stageBase
      }
      return
    }
    let lanes = lanes(of: bits)
    for pattern in 0..<patternCount {
      let indices = indices(pattern: pattern, lanes: lanes)
      if boards == 8 {
        unsafe UnsafeMutableRawPointer(out + pattern &* 8).storeBytes(of: indices, as: SIMD8<UInt32>.self)
      } else {
        unsafe UnsafeMutableRawPointer(out + pattern &* 4).storeBytes(of: indices.evenHalf, as: SIMD4<UInt32>.self)
      }
    }
  }
}

extension SIMD2<UInt64> {
  /// Rows from bottom to top.
  @inlinable @inline(__always)
  var rowsReversed: Self {
    let outer = self &>> 48 | self &<< 48
    return outer | (self &>> 16 & 0xffff_0000) | (self & 0xffff_0000) &<< 16
  }

  /// Columns from right to left.
  @inlinable @inline(__always)
  var columnsReversed: Self {
    let pairs = (self & 0x00ff_00ff_00ff_00ff) &<< 8 | (self &>> 8 & 0x00ff_00ff_00ff_00ff)
    return (pairs & 0x0f0f_0f0f_0f0f_0f0f) &<< 4 | (pairs &>> 4 & 0x0f0f_0f0f_0f0f_0f0f)
  }

  @inlinable @inline(__always)
  var packedHalves: Self {
    let swap = (self ^ self &>> 2) & 0x0c0c_0c0c_0c0c_0c0c
    return self ^ swap ^ swap &<< 2
  }
}
