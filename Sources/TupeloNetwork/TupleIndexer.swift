internal import TupeloEngine

/// Turns a position into the cells of weight storage that make up its value.
///
/// Each bit of a board is one bit of every index whose pattern covers its cell. So an index is a sum of eight numbers, one for each byte of the
/// board (two cells), and a table of 8 x 256 entries has what each value of each byte adds to all indices at once: eight vector
/// additions for eight indices, whatever the patterns, their symmetric copies and the order of memory. The table takes 8 KB per feature, 256 KB
/// for four patterns shared over the symmetries.
///
/// Soundness of the unsafe memory: `parts` is written once in `init` and freed in `deinit`; a byte is below 256, so all eight rows lie within
/// it; vectors are aligned, because it begins on a cache line and rows are whole vectors long; every index that comes out is below
/// `weightCount`, because a pattern's bits fill its table and no more.
@safe
public final class TupleIndexer: @unchecked Sendable {
  public let specification: NetworkSpecification
  /// The specification's own, or `single` while all of the game is played in the first of its stages.
  @usableFromInline let stages: StagePartition
  /// `m`: indices per position, pattern by pattern, symmetric boards side by side.
  public let featureCount: Int
  /// Words per value of a byte: `featureCount`, rounded up to whole vectors.
  @usableFromInline let rowLength: Int
  @usableFromInline let parts: UnsafeMutablePointer<UInt32>
  /// Weights per stage.
  public let stageSize: UInt32
  let orders: [StorageOrder]
  let bases: [Int]

  /// - Parameter isStaged: false to play all of the game in stage 0.
  public init(_ specification: NetworkSpecification, isStaged: Bool = true) {
    self.specification = specification
    stages = isStaged ? specification.stages : .single
    stageSize = UInt32(truncatingIfNeeded: specification.stageWeightCount)
    featureCount = specification.featureCount
    let symmetries = specification.sharesSymmetries ? Self.symmetries(of: specification.shape) : [.identity]
    orders = specification.patterns.map { StorageOrder($0, symmetries: symmetries) }
    var bases: [Int] = []
    var base = 0
    for pattern in specification.patterns {
      bases.append(base)
      base += pattern.tableSize
    }
    self.bases = bases
    rowLength = (featureCount + 7) / 8 * 8
    let (count, bytes) = (8 * 256 * rowLength, 4 * 8 * 256 * rowLength)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
    unsafe parts = memory.initializeMemory(as: UInt32.self, repeating: 0, count: count)
    for (number, pattern) in specification.patterns.enumerated() {
      for (copy, symmetry) in symmetries.enumerated() {
        let cells = orders[number].cells.map { pattern.shape.cell($0, under: symmetry) }
        fill(feature: number * symmetries.count + copy, cells: cells, order: orders[number], base: bases[number])
      }
    }
  }

  /// The symmetries of a shape in the order of features: it decides in which order weights are added up, that is about the last bits of values.
  private static func symmetries(of shape: BoardShape) -> [Symmetry] {
    shape.isSquare
      ? [
        .identity, .transposed, .flippedHorizontally, .rotatedCounterclockwise, .flippedVertically, .rotatedClockwise,
        .rotatedHalf, .antitransposed,
      ] : shape.symmetries
  }

  /// Writes what every byte of a board adds to one feature, the first byte its table's base too.
  private func fill(feature: Int, cells: [Int], order: StorageOrder, base: Int) {
    for byte in 0..<8 {
      // What each bit adds.
      let bits = (0..<8).map { bit in
        cells.firstIndex(of: byte * 2 + bit / 4).map { 1 << order.bit(plane: bit % 4, digit: $0) } ?? 0
      }
      for value in 0..<256 {
        let sum = bits.indices.reduce(byte == 0 ? base : 0) { $0 + (value >> $1 & 1) * bits[$1] }
        unsafe parts[(byte * 256 + value) * rowLength + feature] = UInt32(sum)
      }
    }
  }

  deinit {
    unsafe parts.deallocate()
  }

  /// Where the weight of `pattern` (its number) at a standard index lies in storage.
  public func storageIndex(pattern: Int, standardIndex: Int, stage: Int = 0) -> Int {
    stage * specification.stageWeightCount + bases[pattern] + orders[pattern].storageIndex(ofStandard: standardIndex)
  }

  /// Where the weights of a table (see `NetworkSpecification.tables`) lie in storage.
  func storageMap(table: Int) -> StorageMap {
    guard table < bases.count * specification.stages.count else {
      return StorageMap(base: specification.patternWeightCount) { $0 }
    }
    let (stage, pattern) = table.quotientAndRemainder(dividingBy: bases.count)
    let order = orders[pattern]
    return StorageMap(base: storageIndex(pattern: pattern, standardIndex: 0, stage: stage)) {
      order.storageIndex(ofStandard: $0)
    }
  }

  /// Where the weights of a position's stage begin.
  @inlinable @inline(__always)
  func stageBase(of bits: UInt64) -> UInt32 {
    stages.count == 1 ? 0 : UInt32(truncatingIfNeeded: stages.stage(of: bits)) &* stageSize
  }

  /// What the eight bytes of a board add.
  @unsafe @inlinable @inline(__always)
  func parts(of bits: UInt64) -> IndexParts {
    let memory = unsafe UnsafeRawPointer(parts)
    let length = rowLength &* 4
    return unsafe IndexParts(
      r0: memory + Int(bits & 0xff) &* length,
      r1: memory + (256 &+ Int(bits >> 8 & 0xff)) &* length,
      r2: memory + (512 &+ Int(bits >> 16 & 0xff)) &* length,
      r3: memory + (768 &+ Int(bits >> 24 & 0xff)) &* length,
      r4: memory + (1024 &+ Int(bits >> 32 & 0xff)) &* length,
      r5: memory + (1280 &+ Int(bits >> 40 & 0xff)) &* length,
      r6: memory + (1536 &+ Int(bits >> 48 & 0xff)) &* length,
      r7: memory + (1792 &+ Int(bits >> 56)) &* length,
      stageBase: stageBase(of: bits))
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

  /// Writes the features of a position to `featureCount` words, and as many more as make up whole vectors of eight.
  @unsafe @inlinable @inline(__always)
  func write(_ bits: UInt64, to out: UnsafeMutablePointer<UInt32>) {
    let parts = unsafe parts(of: bits)
    var feature = 0
    while feature < rowLength {
      unsafe UnsafeMutableRawPointer(out + feature).storeBytes(of: parts.indices(at: feature), as: SIMD8<UInt32>.self)
      feature &+= 8
    }
  }
}

/// One row of a `TupleIndexer`'s table for each byte of a board: what that byte adds to every index.
///
/// Soundness: it is used within the methods of those who hold the indexer, with features below its `featureCount`. Rows are padded to whole
/// vectors; what a vector has beyond the last feature is the index of a weight all the same, the first of the stage.
@unsafe @usableFromInline
struct IndexParts {
  @usableFromInline let r0: UnsafeRawPointer
  @usableFromInline let r1: UnsafeRawPointer
  @usableFromInline let r2: UnsafeRawPointer
  @usableFromInline let r3: UnsafeRawPointer
  @usableFromInline let r4: UnsafeRawPointer
  @usableFromInline let r5: UnsafeRawPointer
  @usableFromInline let r6: UnsafeRawPointer
  @usableFromInline let r7: UnsafeRawPointer
  @usableFromInline let stageBase: UInt32

  @inlinable @inline(__always)
  init(
    r0: UnsafeRawPointer, r1: UnsafeRawPointer, r2: UnsafeRawPointer, r3: UnsafeRawPointer, r4: UnsafeRawPointer,
    r5: UnsafeRawPointer, r6: UnsafeRawPointer, r7: UnsafeRawPointer, stageBase: UInt32
  ) {
    unsafe (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
    unsafe (self.r4, self.r5, self.r6, self.r7) = (r4, r5, r6, r7)
    unsafe self.stageBase = stageBase
  }

  /// The storage indices of eight features.
  ///
  /// - Parameter feature: the first of them, a multiple of 8
  @inlinable @inline(__always)
  func indices(at feature: Int) -> SIMD8<UInt32> {
    let offset = feature &* 4
    func part(_ row: UnsafeRawPointer) -> SIMD8<UInt32> {
      unsafe row.load(fromByteOffset: offset, as: SIMD8<UInt32>.self)
    }
    let upper = unsafe (part(r0) &+ part(r1)) &+ (part(r2) &+ part(r3))
    let lower = unsafe (part(r4) &+ part(r5)) &+ (part(r6) &+ part(r7))
    return unsafe (upper &+ lower) &+ SIMD8(repeating: stageBase)
  }

  /// The storage index of one feature.
  @inlinable @inline(__always)
  func index(at feature: Int) -> UInt32 {
    let offset = feature &* 4
    func part(_ row: UnsafeRawPointer) -> UInt32 { unsafe row.load(fromByteOffset: offset, as: UInt32.self) }
    let upper = unsafe (part(r0) &+ part(r1)) &+ (part(r2) &+ part(r3))
    let lower = unsafe (part(r4) &+ part(r5)) &+ (part(r6) &+ part(r7))
    return unsafe (upper &+ lower) &+ stageBase
  }
}
