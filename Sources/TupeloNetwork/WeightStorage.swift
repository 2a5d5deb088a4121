/// The weights of a network, shared by all who read or train it.
///
/// Every method may be called from any thread: see `WeightCell` for what a race can and cannot do. Whole-table passes are meant
/// for moments when no worker runs.
///
/// Soundness of the unsafe memory: `memory` holds `count` weights from `base` on, then from `sumsBase` on `Cell.sumCount` floats for each of
/// them, and lives as long as this object; indices
/// come from a `FeatureBuffer`, whose entries are below the `weightCount` of the indexer that wrote them, and a storage is only
/// used with an indexer of its own specification; `Int` subscripts are checked.
@safe
public final class WeightStorage<Cell: WeightCell>: @unchecked Sendable {
  public let count: Int
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let sumsBase: UnsafeMutableRawPointer
  private let memory: LargeMemory

  /// Storage for `count` cells, all zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory`, before anything is allocated, when it cannot fit.
  public init(count: Int) throws(WeightStorageError) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: Cell.byteCount)
    guard !overflow else { throw .outOfMemory(bytes: Int.max, available: LargeMemory.physicalBytes) }
    memory = try LargeMemory(byteCount: bytes)
    precondition(count <= 1 << 32, "indices have 32 bits")
    self.count = count
    unsafe base = memory.base
    unsafe sumsBase = memory.base + count * 4
  }

  public var byteCount: Int { memory.byteCount }
  public var hasHugePages: Bool { memory.hasHugePages }

  /// The cell at a storage index.
  public subscript(index: Int) -> Cell {
    @inlinable get {
      precondition(index >= 0 && index < count)
      return unsafe cell(UInt32(truncatingIfNeeded: index))
    }
    @inlinable set {
      precondition(index >= 0 && index < count)
      unsafe store(newValue, UInt32(truncatingIfNeeded: index))
    }
  }

  @unsafe @inlinable @inline(__always)
  func address(_ index: UInt32) -> UnsafeMutableRawPointer {
    unsafe base + Int(truncatingIfNeeded: index) &* 4
  }

  @unsafe @inlinable @inline(__always)
  func sumsAddress(_ index: UInt32) -> UnsafeMutableRawPointer {
    unsafe sumsBase + Int(truncatingIfNeeded: index) &* (4 &* Cell.sumCount)
  }

  @unsafe @inlinable @inline(__always)
  func cell(_ index: UInt32) -> Cell {
    unsafe Cell(weight: address(index), sums: sumsAddress(index))
  }

  @unsafe @inlinable @inline(__always)
  func store(_ cell: Cell, _ index: UInt32) {
    unsafe cell.store(weight: address(index), sums: sumsAddress(index))
  }

  /// Asks for the cache lines of the weights of all features of a slot.
  @inlinable @inline(__always)
  public func prefetch(_ features: borrowing FeatureBuffer, slot: Int) {
    unsafe prefetch(features.base(ofSlot: slot), count: features.featureCount)
  }

  /// Asks for the cache line of the weight at a storage index.
  @inlinable @inline(__always)
  public func prefetch(_ index: Int) {
    precondition(index >= 0 && index < count)
    unsafe prefetchLine(address(UInt32(truncatingIfNeeded: index)))
  }

  @unsafe @inlinable @inline(__always)
  func prefetch(_ indices: UnsafeMutablePointer<UInt32>, count: Int) {
    var feature = 0
    while feature < count {
      for lane in 0..<8 { unsafe prefetchLine(address(indices[feature &+ lane])) }
      feature &+= 8
    }
  }

  /// Asks for the cache lines of the sums that are kept with those weights, for an update.
  @inlinable @inline(__always)
  public func prefetchSums(_ features: borrowing FeatureBuffer, slot: Int) {
    guard Cell.sumCount > 0 else { return }
    let indices = unsafe features.base(ofSlot: slot)
    var feature = 0
    while feature < features.featureCount {
      for lane in 0..<8 { unsafe prefetchLine(sumsAddress(indices[feature &+ lane])) }
      feature &+= 8
    }
  }

  /// The sum of the weights of a slot's features, in score points. Eight running sums, feature i going to sum i mod 8, added up
  /// pairwise at the end: the order is fixed, so the same weights give the same bits.
  @inlinable @inline(__always)
  public func sum(_ features: borrowing FeatureBuffer, slot: Int) -> Float {
    unsafe sum(features.base(ofSlot: slot), count: features.featureCount)
  }

  @unsafe @inlinable @inline(__always)
  func sum(_ indices: UnsafeMutablePointer<UInt32>, count: Int) -> Float {
    var sums = LaneSums()
    var feature = 0
    while feature &+ 8 <= count {
      sums.add { lane in unsafe self.address(indices[feature &+ lane]).loadRelaxed(word: 0) }
      feature &+= 8
    }
    while feature < count {
      unsafe sums.add(address(indices[feature]).loadRelaxed(word: 0), lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }

  /// Changes every cell of a slot's features, in order. A feature that occurs twice is changed twice.
  ///
  /// - Parameters:
  ///   - change: changes a cell
  ///   - steps: how far four weights go, which changes their sums as `change` does
  /// - Returns: the sum of the changed weights: the slot's new value, but for a feature that occurs twice, which counts once as it was
  ///   between its changes.
  @inlinable @inline(__always) @discardableResult
  public func update(
    _ features: borrowing FeatureBuffer, slot: Int, _ change: (inout Cell) -> Void,
    four steps: (inout Cell.FourSums) -> SIMD4<Float>
  ) -> Float {
    let (indices, count) = unsafe (features.base(ofSlot: slot), features.featureCount)
    var sums = LaneSums()
    var feature = 0
    if features.boardsPerPattern == 8 {
      // The first features of four patterns at once, then their second ones, and so on. Those of two patterns are never the same, so the
      // changes of a cell that occurs twice keep their order.
      while feature &+ 32 <= count {
        sums.addFour { lane in
          let first = unsafe indices + (feature &+ lane)
          return unsafe self.update(SIMD4(first[0], first[8], first[16], first[24]), steps)
        }
        feature &+= 32
      }
    }
    while feature < count {
      unsafe sums.add(update(indices[feature], change), lane: feature & 7)
      feature &+= 1
    }
    return sums.total
  }

  /// Changes four different cells and returns their weights.
  @unsafe @inlinable @inline(__always)
  func update(_ indices: SIMD4<UInt32>, _ steps: (inout Cell.FourSums) -> SIMD4<Float>) -> SIMD4<Float> {
    var sums = unsafe Cell.FourSums(at: indices, base: sumsBase)
    let steps = steps(&sums)
    unsafe sums.store(at: indices, base: sumsBase)
    return unsafe SIMD4(
      add(steps.x, to: indices.x), add(steps.y, to: indices.y), add(steps.z, to: indices.z),
      add(steps.w, to: indices.w))
  }

  @unsafe @inlinable @inline(__always)
  func add(_ step: Float, to index: UInt32) -> Float {
    let address = unsafe address(index)
    let weight = unsafe address.loadRelaxed(word: 0) + step
    unsafe address.storeRelaxed(weight, word: 0)
    return weight
  }

  /// Changes one cell and returns its weight.
  @unsafe @inlinable @inline(__always)
  func update(_ index: UInt32, _ change: (inout Cell) -> Void) -> Float {
    var cell = unsafe cell(index)
    change(&cell)
    unsafe store(cell, index)
    return cell.weight
  }
}

extension WeightStorage {
  /// All weights, for passes over the whole table. Meant for moments when no worker runs.
  public func withWeights<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    let words = unsafe UnsafeBufferPointer(start: base.assumingMemoryBound(to: Float.self), count: count)
    return unsafe try body(words.span)
  }

  /// The same, to be changed.
  public func withMutableWeights<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    try withMutableWeights(of: 0..<count, body)
  }

  /// Some of them, such as those of one stage.
  public func withMutableWeights<R>(
    of range: Range<Int>, _ body: (inout MutableSpan<Float>) throws -> R
  ) rethrows -> R {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let start = unsafe base.assumingMemoryBound(to: Float.self) + range.lowerBound
    let words = unsafe UnsafeMutableBufferPointer(start: start, count: range.count)
    var span = unsafe words.mutableSpan
    return try body(&span)
  }

  /// The sums that are kept with the weights, `Cell.sumCount` numbers for each.
  public func withSums<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    let words = unsafe UnsafeBufferPointer(
      start: sumsBase.assumingMemoryBound(to: Float.self), count: count * Cell.sumCount)
    return unsafe try body(words.span)
  }

  /// The same, to be changed.
  public func withMutableSums<R>(_ body: (inout MutableSpan<Float>) throws -> R) rethrows -> R {
    let words = unsafe UnsafeMutableBufferPointer(
      start: sumsBase.assumingMemoryBound(to: Float.self), count: count * Cell.sumCount)
    var span = unsafe words.mutableSpan
    return try body(&span)
  }
}

/// The running sums of a value, one per lane.
@usableFromInline
struct LaneSums {
  @usableFromInline var a: Float = 0
  @usableFromInline var b: Float = 0
  @usableFromInline var c: Float = 0
  @usableFromInline var d: Float = 0
  @usableFromInline var e: Float = 0
  @usableFromInline var f: Float = 0
  @usableFromInline var g: Float = 0
  @usableFromInline var h: Float = 0

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  mutating func add(_ weight: (Int) -> Float) {
    a += weight(0)
    b += weight(1)
    c += weight(2)
    d += weight(3)
    e += weight(4)
    f += weight(5)
    g += weight(6)
    h += weight(7)
  }

  /// Adds four weights to each lane, one after the other.
  @inlinable @inline(__always)
  mutating func addFour(_ weights: (Int) -> SIMD4<Float>) {
    Self.add(weights(0), to: &a)
    Self.add(weights(1), to: &b)
    Self.add(weights(2), to: &c)
    Self.add(weights(3), to: &d)
    Self.add(weights(4), to: &e)
    Self.add(weights(5), to: &f)
    Self.add(weights(6), to: &g)
    Self.add(weights(7), to: &h)
  }

  @inlinable @inline(__always)
  static func add(_ weights: SIMD4<Float>, to sum: inout Float) {
    sum = (((sum + weights.x) + weights.y) + weights.z) + weights.w
  }

  @inlinable
  mutating func add(_ weight: Float, lane: Int) {
    switch lane {
    case 0: a += weight
    case 1: b += weight
    case 2: c += weight
    case 3: d += weight
    case 4: e += weight
    case 5: f += weight
    case 6: g += weight
    default: h += weight
    }
  }

  @inlinable @inline(__always)
  var total: Float { ((a + b) + (c + d)) + ((e + f) + (g + h)) }
}

/// Why weights cannot be held.
public enum WeightStorageError: Error, Hashable, Sendable {
  case outOfMemory(bytes: Int, available: Int)
}

extension WeightStorageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outOfMemory(let bytes, let available):
      "the weights need \(Self.size(bytes)) and the machine has \(Self.size(available)) of memory: use fewer or shorter patterns"
    }
  }

  private static func size(_ bytes: Int) -> String {
    let megabytes = Double(bytes) / 1e6
    return megabytes < 1000 ? "\(Int(megabytes.rounded(.up))) MB" : "\((megabytes / 100).rounded(.up) / 10) GB"
  }
}
