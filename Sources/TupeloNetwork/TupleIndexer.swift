public import TupeloEngine
public import TupeloTables

/// Turns a position into the cells of weight storage that make up its value.
///
/// Each bit of a board, its exponents as Gray codes, is one bit of every index whose pattern covers its cell, and the
/// upper two bits of a cell go where its lower two go, only further up. So the lower two bits of all cells make up four
/// bytes, and the lower half of an index is a sum of four numbers, one for each of these bytes; the upper half comes
/// from the upper two bits by the same table of 4 x 256 entries. An entry has what a value of a byte adds to all half
/// indices at once: eight to a vector, whatever the patterns, their symmetric copies and the order of memory. The table
/// takes 2 KB per feature, 64 KB for four patterns shared over the symmetries.
///
/// Soundness of the unsafe memory: `parts` and `places` are written once in `init` and freed in `deinit`; a byte is
/// below 256, so all rows lie within `parts`, and a stage is below `stages.count`, so its places lie within `places`;
/// vectors are aligned, because both begin on a cache line and their rows are whole vectors long; every index that
/// comes out is below `weightCount`, because a pattern's bits fill its table and no more.
@safe
public final class TupleIndexer: FeatureEncoder, @unchecked Sendable {
  public let specification: NetworkSpecification
  /// The specification's own, or `single` while all of the game is played in the first of its stages.
  @usableFromInline let stages: StagePartition
  /// m indices per position, pattern by pattern, symmetric boards side by side.
  public let layout: FeatureLayout
  /// Numbers per value of a byte: `featureCount`, rounded up to whole vectors.
  @inlinable var rowLength: Int { layout.stride }
  @usableFromInline let parts: UnsafeMutablePointer<UInt16>
  /// By stage, for each vector of eight features: see `FeaturePlaces`.
  @usableFromInline let places: UnsafeMutablePointer<FeaturePlaces>
  /// Whether the pattern has eight cells, so that its upper half index is shifted by more than a number of 16 bits can
  /// be multiplied by. It is the only one then: its table has as many weights as a network may have.
  @usableFromInline let hasLongPatterns: Bool
  /// Weights per stage.
  public let stageSize: UInt32
  let orders: [StorageOrder]
  let bases: [Int]

  /// - Parameter isStaged: false to play all of the game in stage 0.
  public init(_ specification: NetworkSpecification, isStaged: Bool = true) {
    self.specification = specification
    stages = isStaged ? specification.stages : .single
    stageSize = UInt32(truncatingIfNeeded: specification.stageWeightCount)
    layout = FeatureLayout(
      featureCount: specification.featureCount, groupSize: specification.boardsPerPattern,
      weightCount: specification.weightCount)
    let rowLength = layout.stride
    let symmetries = specification.sharesSymmetries ? Self.symmetries(of: specification.shape) : [.identity]
    orders = specification.patterns.enumerated().map {
      StorageOrder($0.element, number: $0.offset, symmetries: symmetries)
    }
    var bases: [Int] = []
    var base = 0
    for pattern in specification.patterns {
      bases.append(base)
      base += pattern.tableSize
    }
    self.bases = bases
    hasLongPatterns = specification.patterns.contains { $0.cells.count > 7 }
    unsafe parts = Self.memory(of: 0, count: 4 * 256 * rowLength)
    unsafe places = Self.memory(of: FeaturePlaces(), count: stages.count * rowLength / 8)
    precondition(
      MemoryLayout<FeaturePlaces>.stride == 64 && MemoryLayout<FeaturePlaces>.offset(of: \.factors) == 32
        && MemoryLayout<FeaturePlaces>.offset(of: \.shifts) == 48, "features are found by these numbers")
    // Every feature begins at its stage's first weight; those beyond the last stay there.
    for place in 0..<stages.count * rowLength {
      unsafe places[place / 8].bases[place % 8] = UInt32(place / rowLength) * stageSize
    }
    for (number, pattern) in specification.patterns.enumerated() {
      for (copy, symmetry) in symmetries.enumerated() {
        let cells = orders[number].cells.map { pattern.shape.cell($0, under: symmetry) }
        fill(feature: number * symmetries.count + copy, cells: cells, order: orders[number], base: bases[number])
      }
    }
  }

  /// The symmetries of a shape in the order of features: it decides in which order weights are added up, that is about
  /// the last bits of values.
  private static func symmetries(of shape: BoardShape) -> [Symmetry] {
    shape.isSquare
      ? [
        .identity, .transposed, .flippedHorizontally, .rotatedCounterclockwise, .flippedVertically, .rotatedClockwise,
        .rotatedHalf, .antitransposed,
      ] : shape.symmetries
  }

  @unsafe
  private static func memory<T>(of value: T, count: Int) -> UnsafeMutablePointer<T> {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<T>.stride, alignment: 64)
    return unsafe memory.initializeMemory(as: T.self, repeating: value, count: count)
  }

  /// Writes the places of one feature, and what every byte adds to half its index.
  private func fill(feature: Int, cells: [Int], order: StorageOrder, base: Int) {
    let shift = 2 * cells.count
    for stage in 0..<stages.count {
      let vector = (stage * rowLength + feature) / 8
      unsafe places[vector].bases[feature % 8] += UInt32(base)
      unsafe places[vector].factors[feature % 8] = UInt16(truncatingIfNeeded: 1 << shift)
      unsafe places[vector].shifts[feature % 8] = UInt8(shift)
    }
    for byte in 0..<4 {
      // What each bit adds: two bits each of a cell, of the one two rows below, and of their neighbours.
      let bits = (0..<8).map { bit in
        let cell = byte * 2 + bit / 4 + (bit & 2) * 4
        return cells.firstIndex(of: cell).map { 1 << order.bit(plane: bit & 1, digit: $0) } ?? 0
      }
      let scatter = order.scatter & bits.reduce(0, |)
      for value in 0..<256 {
        let sum = bits.indices.reduce(0) { $0 + (value >> $1 & 1) * bits[$1] }
        unsafe parts[(byte * 256 + value) * rowLength + feature] = UInt16(sum ^ scatter)
      }
    }
  }

  deinit {
    unsafe parts.deallocate()
    unsafe places.deallocate()
  }

  /// `m`: indices per position.
  public var featureCount: Int { layout.featureCount }

  /// Where each table lies in storage; see `NetworkSpecification.tables`.
  public var tables: [Range<Int>] {
    var start = 0
    return specification.tables.map { table in
      defer { start += table.size }
      return start..<start + table.size
    }
  }

  /// Where the weight of `pattern` (its number) at a standard index lies in storage.
  public func storageIndex(pattern: Int, standardIndex: Int, stage: Int = 0) -> Int {
    base(pattern: pattern, stage: stage) + orders[pattern].storageIndex(ofStandard: standardIndex)
  }

  /// Where a pattern's table begins in storage.
  private func base(pattern: Int, stage: Int) -> Int { stage * specification.stageWeightCount + bases[pattern] }

  /// Where the weights of a table (see `NetworkSpecification.tables`) lie in storage.
  func storageMap(table: Int) -> StorageMap {
    let (stage, pattern) = table.quotientAndRemainder(dividingBy: bases.count)
    let order = orders[pattern]
    return StorageMap(base: base(pattern: pattern, stage: stage)) {
      order.storageIndex(ofStandard: $0)
    }
  }

  /// Where the table has what a board's indices are made of.
  @unsafe @inlinable @inline(__always)
  func parts(of bits: UInt64) -> IndexParts {
    let stage = stages.stage(of: bits)
    let bits = StorageOrder.grayCodes(bits)
    return unsafe IndexParts(
      lower: half(bits & 0x3333_3333_3333_3333), upper: half(bits >> 2 & 0x3333_3333_3333_3333),
      places: UnsafeRawPointer(places + stage &* (rowLength &>> 3)), isLong: hasLongPatterns)
  }

  /// The rows for two bits of each cell, given in the places of the lower ones.
  @unsafe @inlinable @inline(__always)
  func half(_ pairs: UInt64) -> HalfIndexParts {
    let bytes = pairs | pairs >> 30
    let memory = unsafe UnsafeRawPointer(parts)
    let length = rowLength &* 2
    return unsafe HalfIndexParts(
      r0: memory + Int(bytes & 0xff) &* length,
      r1: memory + (256 &+ Int(bytes >> 8 & 0xff)) &* length,
      r2: memory + (512 &+ Int(bytes >> 16 & 0xff)) &* length,
      r3: memory + (768 &+ Int(bytes >> 24 & 0xff)) &* length)
  }

  /// The stage that the features in a slot belong to.
  @inlinable @inline(__always)
  public func stage(of features: borrowing FeatureBuffer, slot: Int) -> Int {
    stages.count == 1 ? 0 : unsafe Int(features.base(ofSlot: slot)[0] / stageSize)
  }

  /// Writes the features of a position into a slot.
  ///
  /// - Precondition: a buffer of this indexer, or of another one of the same network.
  @inlinable @inline(__always)
  public func write(_ afterstate: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    unsafe write(afterstate.bits, to: features.words(ofSlot: slot, for: layout))
  }

  /// Writes the features of a position to `featureCount` words, and as many more as make up whole vectors of eight.
  @unsafe @inlinable @inline(__always)
  func write(_ bits: UInt64, to out: UnsafeMutablePointer<UInt32>) {
    let parts = unsafe parts(of: bits)
    var feature = 0
    guard !hasLongPatterns else {
      while feature < rowLength {
        unsafe UnsafeMutableRawPointer(out + feature).storeBytes(
          of: parts.longIndices(at: feature), as: SIMD8<UInt32>.self)
        feature &+= 8
      }
      return
    }
    while feature < rowLength {
      unsafe UnsafeMutableRawPointer(out + feature).storeBytes(
        of: parts.shortIndices(at: feature), as: SIMD8<UInt32>.self)
      feature &+= 8
    }
  }
}

/// What eight features, a vector, are made of besides their half indices. A cache line.
@usableFromInline
struct FeaturePlaces {
  /// Where the table begins in storage, in this stage.
  @usableFromInline var bases = SIMD8<UInt32>.zero
  /// What the upper half index is multiplied by: 2 to the power of `shifts`, 0 where that has more than 16 bits
  /// and beyond the last feature.
  @usableFromInline var factors = SIMD8<UInt16>.zero
  /// By how many bits the upper half index is shifted: two for each cell of the pattern.
  @usableFromInline var shifts = SIMD16<UInt8>.zero

  init() {}
}

/// What a board's indices are made of: rows of a `TupleIndexer`'s table for their lower and upper halves, and the
/// places of its stage.
///
/// Soundness: it is used within the methods of those who hold the indexer, with features below its `rowLength`. Rows
/// are padded to whole vectors; what a vector has beyond the last feature is the index of a weight all the same, the
/// first of the stage.
@unsafe @usableFromInline
struct IndexParts {
  @usableFromInline let lower: HalfIndexParts
  @usableFromInline let upper: HalfIndexParts
  /// Of the board's stage.
  @usableFromInline let places: UnsafeRawPointer
  @usableFromInline let isLong: Bool

  @inlinable @inline(__always)
  init(lower: HalfIndexParts, upper: HalfIndexParts, places: UnsafeRawPointer, isLong: Bool) {
    unsafe (self.lower, self.upper) = (lower, upper)
    unsafe (self.places, self.isLong) = (places, isLong)
  }

  /// The storage indices of eight features.
  ///
  /// - Parameter feature: the first of them, a multiple of 8
  @inlinable @inline(__always)
  func indices(at feature: Int) -> SIMD8<UInt32> {
    unsafe isLong ? longIndices(at: feature) : shortIndices(at: feature)
  }

  /// The same of a pattern of eight cells.
  @inlinable @inline(__always)
  func longIndices(at feature: Int) -> SIMD8<UInt32> {
    let lower = unsafe SIMD8<UInt32>(truncatingIfNeeded: lower.sums(at: feature))
    let upper = unsafe SIMD8<UInt32>(truncatingIfNeeded: upper.sums(at: feature))
    return unsafe (lower | upper &<< 16) &+ (places + feature &* 8).load(as: SIMD8<UInt32>.self)
  }

  /// The same where no pattern is longer than seven cells. Vectors of 16 bits nearly to the end: fewer
  /// instructions than with 32.
  @inlinable @inline(__always)
  func shortIndices(at feature: Int) -> SIMD8<UInt32> {
    let (lower, upper) = unsafe (lower.sums(at: feature), upper.sums(at: feature))
    let place = unsafe places + feature &* 8
    let factors = unsafe place.load(fromByteOffset: 32, as: SIMD8<UInt16>.self)
    let product = SIMD8<UInt32>(truncatingIfNeeded: upper) &* SIMD8<UInt32>(truncatingIfNeeded: factors)
    // The lower and the upper 16 bits of the indices, on x86 an instruction each.
    let low = lower | upper &* factors
    let high = SIMD8<UInt16>(truncatingIfNeeded: product &>> 16)
    let indices = SIMD8<UInt32>(truncatingIfNeeded: low) | SIMD8<UInt32>(truncatingIfNeeded: high) &<< 16
    return unsafe indices &+ place.load(as: SIMD8<UInt32>.self)
  }

  /// The storage index of one feature.
  @inlinable @inline(__always)
  func index(at feature: Int) -> UInt32 {
    let (lower, upper) = unsafe (lower.sum(at: feature), upper.sum(at: feature))
    let place = unsafe places + (feature & ~7) &* 8
    let shift = unsafe place.load(fromByteOffset: 48 &+ (feature & 7), as: UInt8.self)
    let base = unsafe place.load(fromByteOffset: (feature & 7) &* 4, as: UInt32.self)
    return (UInt32(lower) | UInt32(upper) &<< UInt32(shift)) &+ base
  }
}

/// What two bits of each cell add to half of every index: a row for each byte.
@unsafe @usableFromInline
struct HalfIndexParts {
  @usableFromInline let r0: UnsafeRawPointer
  @usableFromInline let r1: UnsafeRawPointer
  @usableFromInline let r2: UnsafeRawPointer
  @usableFromInline let r3: UnsafeRawPointer

  @inlinable @inline(__always)
  init(r0: UnsafeRawPointer, r1: UnsafeRawPointer, r2: UnsafeRawPointer, r3: UnsafeRawPointer) {
    unsafe (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
  }

  /// Of eight features.
  @inlinable @inline(__always)
  func sums(at feature: Int) -> SIMD8<UInt16> {
    func part(_ row: UnsafeRawPointer) -> SIMD8<UInt16> {
      unsafe row.load(fromByteOffset: feature &* 2, as: SIMD8<UInt16>.self)
    }
    return unsafe (part(r0) &+ part(r1)) &+ (part(r2) &+ part(r3))
  }

  /// Of one.
  @inlinable @inline(__always)
  func sum(at feature: Int) -> UInt16 {
    func part(_ row: UnsafeRawPointer) -> UInt16 { unsafe row.load(fromByteOffset: feature &* 2, as: UInt16.self) }
    return unsafe (part(r0) &+ part(r1)) &+ (part(r2) &+ part(r3))
  }
}
