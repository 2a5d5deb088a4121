public import TupeloEngine
public import TupeloTables

/// Computes the storage indices of the weights that make up a position's value.
///
/// Each bit of a board, with exponents as Gray codes, is one bit of every index whose pattern covers its cell. The
/// upper two bits of a cell have the places of its lower two bits, only further up. The lower two bits of all cells
/// make up four bytes. So the lower half of an index is a sum of four numbers, one for each of these bytes. The upper
/// half comes from the upper two bits by the same table of 4 x 256 entries.
///
/// A table entry has the contribution of a byte's value to all half indices, eight in a vector. This works for any
/// patterns, symmetric copies and order of memory. The table takes 2 KB per feature, 64 KB for four patterns shared
/// over the symmetries.
///
/// Soundness of the unsafe memory: `parts` and `places` are written once in `init` and freed in `deinit`. A byte is
/// below 256, so all rows are within `parts`. A stage is below `stages.count`, so its places are within `places`.
/// Vectors are aligned, because both begin on a cache line and their rows are whole vectors long. Every index is below
/// `weightCount`, because a pattern's bits exactly fill its table.
@safe
public final class TupleIndexer: FeatureEncoder, @unchecked Sendable {
  public let specification: NetworkSpecification
  /// The specification's stages, or `single` while the whole game is played in the first stage.
  @usableFromInline let stages: StagePartition
  /// m indices per position, pattern by pattern; indices of symmetric boards are side by side.
  public let layout: FeatureLayout
  /// Numbers per value of a byte: `featureCount`, rounded up to whole vectors.
  @inlinable var rowLength: Int { layout.stride }
  @usableFromInline let parts: UnsafeMutablePointer<UInt16>
  /// The `FeaturePlaces` of each vector of eight features, stage by stage.
  @usableFromInline let places: UnsafeMutablePointer<FeaturePlaces>
  /// Whether the network has a pattern of eight cells. Its upper half index is shifted by 16 bits, which a 16-bit
  /// factor cannot do. It is the only pattern then, because its table has as many weights as a network may have.
  @usableFromInline let hasLongPatterns: Bool
  /// Weights per stage.
  public let stageSize: UInt32
  let orders: [StorageOrder]
  let bases: [Int]

  /// - Parameters:
  ///   - specification: the network's board, patterns and stages
  ///   - isStaged: false to play the whole game in stage 0.
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
    #if !hasFeature(Embedded)  // There, key paths are missing.
    precondition(
      MemoryLayout<FeaturePlaces>.stride == 64 && MemoryLayout<FeaturePlaces>.offset(of: \.factors) == 32
        && MemoryLayout<FeaturePlaces>.offset(of: \.shifts) == 48, "features are found by these numbers")
    #endif
    // Every feature begins at its stage's first weight. The padding after the last feature keeps this weight.
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

  /// The symmetries of a shape in the order of features. Values are added in this order, so it determines their last
  /// bits.
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

  /// Writes the places of one feature, and the part of its index that each byte gives.
  private func fill(feature: Int, cells: [Int], order: StorageOrder, base: Int) {
    let shift = 2 * cells.count
    for stage in 0..<stages.count {
      let vector = (stage * rowLength + feature) / 8
      unsafe places[vector].bases[feature % 8] += UInt32(base)
      unsafe places[vector].factors[feature % 8] = UInt16(truncatingIfNeeded: 1 << shift)
      unsafe places[vector].shifts[feature % 8] = UInt8(shift)
    }
    for byte in 0..<4 {
      // The part that each bit gives: two bits of a cell, of the cell two rows below, and of the right-hand neighbours
      // of both.
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

  /// The storage range of each table; see `NetworkSpecification.tables`.
  public var tables: [Range<Int>] {
    var start = 0
    return specification.tables.map { table in
      defer { start += table.size }
      return start..<start + table.size
    }
  }

  /// The storage index of a weight.
  ///
  /// - Parameters:
  ///   - pattern: the number of the pattern
  ///   - standardIndex: the index within the pattern's table, in the order that files use
  ///   - stage: the number of the stage, from 0
  /// - Precondition: all three are in their ranges.
  public func storageIndex(pattern: Int, standardIndex: Int, stage: Int = 0) -> Int {
    precondition(stage >= 0 && stage < specification.stages.count, "the network has no such stage")
    precondition(
      standardIndex >= 0 && standardIndex < specification.patterns[pattern].tableSize, "the table has no such index")
    return base(pattern: pattern, stage: stage) + orders[pattern].storageIndex(ofStandard: standardIndex)
  }

  /// The storage index at which a pattern's table begins.
  private func base(pattern: Int, stage: Int) -> Int { stage * specification.stageWeightCount + bases[pattern] }

  /// The map from a table's standard indices to storage; see `NetworkSpecification.tables`.
  func storageMap(table: Int) -> StorageMap {
    let (stage, pattern) = table.quotientAndRemainder(dividingBy: bases.count)
    let order = orders[pattern]
    return StorageMap(base: base(pattern: pattern, stage: stage)) {
      order.storageIndex(ofStandard: $0)
    }
  }

  /// The table rows and places from which the indices of a board, or of the lowered board, are made.
  @unsafe @inlinable @inline(__always)
  func parts(of afterstate: Afterstate) -> IndexParts {
    let lowered = afterstate.loweredBits
    let stage = stages.stage(of: lowered)
    let bits = StorageOrder.grayCodes(lowered)
    return unsafe IndexParts(
      lower: half(bits & 0x3333_3333_3333_3333), upper: half(bits >> 2 & 0x3333_3333_3333_3333),
      places: UnsafeRawPointer(places + stage &* (rowLength &>> 3)), isLong: hasLongPatterns)
  }

  /// The rows for two bits of each cell. The bits are given in the places of the lower two.
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
  /// - Precondition: the buffer was made by this indexer, or by another one of the same network.
  @inlinable @inline(__always)
  public func write(_ afterstate: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    unsafe write(afterstate, to: features.words(ofSlot: slot, for: layout))
  }

  /// Writes the features of a position to `featureCount` words, and padding to whole vectors of eight.
  @unsafe @inlinable @inline(__always)
  func write(_ afterstate: Afterstate, to out: UnsafeMutablePointer<UInt32>) {
    let parts = unsafe parts(of: afterstate)
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

/// Turns the half indices of a vector of eight features into storage indices. It fills one cache line.
@usableFromInline
struct FeaturePlaces {
  /// The storage index at which each feature's table begins, in this stage.
  @usableFromInline var bases = SIMD8<UInt32>.zero
  /// The factor on the upper half index: 2 to the power of `shifts`. It is 0 if the power has more than 16 bits, and
  /// beyond the last feature.
  @usableFromInline var factors = SIMD8<UInt16>.zero
  /// The shift of the upper half index, in bits: two for each cell of the pattern.
  @usableFromInline var shifts = SIMD16<UInt8>.zero

  init() {}
}

/// The parts of a board's indices: table rows for the lower and upper halves, and the places of its stage.
///
/// Soundness: it is used within methods of an object that holds the indexer, with features below its `rowLength`. Rows
/// are padded to whole vectors. Beyond the last feature a vector has the index of a valid weight, the first of the
/// stage.
@unsafe @usableFromInline
struct IndexParts {
  @usableFromInline let lower: HalfIndexParts
  @usableFromInline let upper: HalfIndexParts
  /// The places of the board's stage.
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

  /// The storage indices of eight features, for a pattern of eight cells.
  @inlinable @inline(__always)
  func longIndices(at feature: Int) -> SIMD8<UInt32> {
    let lower = unsafe SIMD8<UInt32>(truncatingIfNeeded: lower.sums(at: feature))
    let upper = unsafe SIMD8<UInt32>(truncatingIfNeeded: upper.sums(at: feature))
    return unsafe (lower | upper &<< 16) &+ (places + feature &* 8).load(as: SIMD8<UInt32>.self)
  }

  /// The storage indices of eight features, if no pattern is longer than seven cells. It uses vectors of 16 bits almost
  /// to the end, which takes fewer instructions than vectors of 32 bits.
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

/// The part of half of every index that two bits of each cell give: a row for each of four bytes.
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

  /// The half indices of eight features.
  @inlinable @inline(__always)
  func sums(at feature: Int) -> SIMD8<UInt16> {
    func part(_ row: UnsafeRawPointer) -> SIMD8<UInt16> {
      unsafe row.load(fromByteOffset: feature &* 2, as: SIMD8<UInt16>.self)
    }
    return unsafe (part(r0) &+ part(r1)) &+ (part(r2) &+ part(r3))
  }

  /// The half index of one feature.
  @inlinable @inline(__always)
  func sum(at feature: Int) -> UInt16 {
    func part(_ row: UnsafeRawPointer) -> UInt16 { unsafe row.load(fromByteOffset: feature &* 2, as: UInt16.self) }
    return unsafe (part(r0) &+ part(r1)) &+ (part(r2) &+ part(r3))
  }
}
