internal import TupeloEngine

/// Turns a position into the cells of weight storage that make up its value.
///
/// The symmetric boards lie side by side in the lanes of a vector, so that one shift and mask serves all eight of them.
///
/// Soundness of the unsafe memory: `plans` and `runs` are written once in `init` and freed in `deinit`; every index
/// that comes out is below `weightCount`, because a pattern's runs fill its planes and no more.
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
  @usableFromInline let runs: UnsafeMutablePointer<Run>
  /// Weights per stage.
  public let stageSize: UInt32
  @usableFromInline let rowShift: UInt64
  @usableFromInline let columnShift: UInt64
  let orders: [StorageOrder]
  let bases: [Int]

  /// One pattern's runs, where its table begins, and how its planes are put together.
  @usableFromInline
  struct Plan {
    @usableFromInline var first: Int
    @usableFromInline var end: Int
    @usableFromInline var base: UInt32
    /// From one plane in memory to the next: the number of cells.
    @usableFromInline var planeShift: UInt32
    @usableFromInline var pairMask: UInt32
  }

  /// The mask is there once per lane: filling a vector with it each time costs as much as using it.
  @usableFromInline
  struct Run {
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
    unsafe runs = .allocate(capacity: orders.reduce(0) { $0 + $1.runs.count })
    var bases: [Int] = []
    var base = 0
    var next = 0
    for (index, order) in orders.enumerated() {
      let length = UInt32(specification.patterns[index].cells.count)
      let plan = Plan(
        first: next, end: next + order.runs.count, base: UInt32(base), planeShift: length,
        pairMask: 1 << (2 * length) - 1)
      unsafe (plans + index).initialize(to: plan)
      for run in order.runs {
        unsafe (runs + next).initialize(to: Run(masks: SIMD8(repeating: run.mask), shift: run.shift))
        next += 1
      }
      bases.append(base)
      base += specification.patterns[index].tableSize
    }
    self.bases = bases
    rowShift = UInt64(4 * (4 - specification.shape.rows))
    columnShift = UInt64(4 - specification.shape.columns)
  }

  deinit {
    unsafe plans.deallocate()
    unsafe runs.deallocate()
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

  /// The symmetric boards of a position in bit planes: the two lower planes of each and the two upper ones. Board 2i + 1 is the transpose of
  /// board 2i; on a rectangle, and without sharing, only the even ones count.
  @usableFromInline
  struct Lanes {
    @usableFromInline let lower: SIMD8<UInt32>
    @usableFromInline let upper: SIMD8<UInt32>
    @usableFromInline let stageBase: UInt32

    @inlinable @inline(__always)
    init(lower: SIMD8<UInt32>, upper: SIMD8<UInt32>, stageBase: UInt32) {
      self.lower = lower
      self.upper = upper
      self.stageBase = stageBase
    }
  }

  /// A board and its transpose, and the flips of both: transposing and flipping are exchanged, so one transpose does.
  @inlinable @inline(__always)
  func lanes(of bits: UInt64) -> Lanes {
    let upright = SIMD2(planesAndTransposedPlanesOf: bits)
    let mirrored = upright.columnsReversed &>> SIMD2(repeating: columnShift)
    let all = SIMD8(
      lowHalf: SIMD4(lowHalf: upright, highHalf: mirrored),
      highHalf: SIMD4(
        lowHalf: upright.rowsReversed &>> SIMD2(repeating: rowShift),
        highHalf: mirrored.rowsReversed &>> SIMD2(repeating: rowShift)))
    return Lanes(
      lower: SIMD8<UInt32>(truncatingIfNeeded: all), upper: SIMD8<UInt32>(truncatingIfNeeded: all &>> 32),
      stageBase: stageBase(of: bits))
  }

  /// The storage indices of one pattern on all lanes: in each plane its cells move together, run by run, then the planes do.
  @inlinable @inline(__always)
  func indices(pattern: Int, lanes: Lanes) -> SIMD8<UInt32> {
    let plan = unsafe plans[pattern]
    var lower = SIMD8<UInt32>.zero
    var upper = SIMD8<UInt32>.zero
    for next in plan.first..<plan.end {
      let run = unsafe runs[next]
      let shift = SIMD8(repeating: run.shift)
      lower |= lanes.lower &>> shift & run.masks
      upper |= lanes.upper &>> shift & run.masks
    }
    let gap = SIMD8(repeating: 16 &- plan.planeShift)
    let pairMask = SIMD8(repeating: plan.pairMask)
    lower = (lower | lower &>> gap) & pairMask
    upper = (upper | upper &>> gap) & pairMask
    let index = lower | upper &<< SIMD8(repeating: 2 &* plan.planeShift)
    return index &+ SIMD8(repeating: plan.base &+ lanes.stageBase)
  }

  /// The storage index of one pattern on one board in bit planes, in stage 0.
  @inlinable @inline(__always)
  func index(pattern: Int, planes: UInt64) -> UInt32 {
    let plan = unsafe plans[pattern]
    var lower: UInt32 = 0
    var upper: UInt32 = 0
    for next in plan.first..<plan.end {
      let run = unsafe runs[next]
      lower |= UInt32(truncatingIfNeeded: planes) &>> run.shift & run.masks[0]
      upper |= UInt32(truncatingIfNeeded: planes >> 32) &>> run.shift & run.masks[0]
    }
    lower = (lower | lower &>> (16 &- plan.planeShift)) & plan.pairMask
    upper = (upper | upper &>> (16 &- plan.planeShift)) & plan.pairMask
    return (lower | upper &<< (2 &* plan.planeShift)) &+ plan.base
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
      let (planes, stageBase) = (bits.bitPlanes, stageBase(of: bits))
      for pattern in 0..<patternCount {
        unsafe out[pattern] = index(pattern: pattern, planes: planes) &+ stageBase
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
