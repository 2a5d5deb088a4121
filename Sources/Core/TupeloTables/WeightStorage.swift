/// The weights of a network, shared by all threads that read or train it.
///
/// Any thread may read and change single weights, by relaxed atomics. Passes over the whole table go through
/// `ReadableWeights`, such as saving a file, or `ExclusiveWeights`. A change during a pass traps, and so does a pass
/// during a change.
///
/// Soundness of the unsafe memory: `memory` lives as long as this object. It holds `count` floats from `base` on. Then,
/// from `sums` on, which is aligned to a cache line, it holds `Cell.sumCount / 2` words of eight bytes for each weight.
/// Both are bound to their types once, in `init`. Indices come from a `FeatureBuffer`, whose entries are below its
/// layout's `weightCount`, which is compared with `count`. `Int` subscripts are checked. `touches` is the memory of
/// `touchMap`, which has a byte for the block of every index below `count`.
@safe
public final class WeightStorage<Cell: WeightCell>: @unchecked Sendable {
  public let count: Int
  @usableFromInline let base: UnsafeMutablePointer<Float>
  @usableFromInline let sums: UnsafeMutablePointer<Double>
  /// One byte per block of weights, set when a weight of the block changes; `nil` if the storage does not track
  /// changes. See `TouchMap`.
  @usableFromInline let touches: UnsafeMutablePointer<UInt8>?
  private let memory: LargeMemory
  let touchMap: TouchMap?
  @usableFromInline let phase: PhaseGuard
  /// Whether only the workers of rounds use this object, so that a change in a round needs no registration.
  @usableFromInline let isOfRound: Bool

  /// Makes storage for `count` cells, all zero.
  ///
  /// - Throws: `WeightStorageError.outOfMemory` when they cannot fit, before anything is allocated.
  public convenience init(count: Int) throws(WeightStorageError) {
    try self.init(count: count, tracksTouches: false)
  }

  /// Makes storage for `count` cells, all zero.
  ///
  /// - Parameter tracksTouches: whether the storage records which blocks of weights change; see `TouchMap`
  /// - Throws: `WeightStorageError.outOfMemory` when they cannot fit, before anything is allocated.
  package init(count: Int, tracksTouches: Bool) throws(WeightStorageError) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: Cell.byteCount)
    guard !overflow else { throw .outOfMemory(bytes: Int.max, available: MemoryLimit.bytes) }
    let sumsOffset = (count * 4 + 63) & ~63
    memory = try LargeMemory(byteCount: Cell.sumCount == 0 ? bytes : bytes - count * 4 + sumsOffset)
    precondition(UInt64(count) <= 1 << 32, "indices have 32 bits")
    self.count = count
    touchMap = tracksTouches ? try TouchMap(count: count) : nil
    (phase, isOfRound) = (PhaseGuard(), false)
    unsafe touches = touchMap?.base
    unsafe base = memory.base.bindMemory(to: Float.self, capacity: count)
    unsafe sums = (memory.base + sumsOffset).bindMemory(to: Double.self, capacity: count * Cell.sumCount / 2)
  }

  private init(ofRoundsOn other: WeightStorage) {
    (count, memory, touchMap, phase, isOfRound) = (other.count, other.memory, other.touchMap, other.phase, true)
    unsafe (base, sums, touches) = (other.base, other.sums, other.touches)
  }

  /// These weights, for the workers of rounds alone: while a round runs, which `shared` registers, their changes do not
  /// register one by one.
  package var ofRounds: WeightStorage { WeightStorage(ofRoundsOn: self) }

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
      let joined = phase.join(isOfRound: isOfRound)
      defer { if joined { phase.leave() } }
      unsafe store(newValue, UInt32(truncatingIfNeeded: index))
      unsafe touch(UInt32(truncatingIfNeeded: index))
    }
  }

  /// The weight at a storage index, without the sums that are kept with it.
  @inlinable @inline(__always)
  public func weight(at index: Int) -> Float {
    precondition(index >= 0 && index < count)
    return unsafe (base + index).loadRelaxed()
  }

  /// A sample of the cells, at most 2^19, without those whose weight is 0. It is read when somebody goes through it.
  package var sampleInUse: some Sequence<Cell> {
    // An even distance would meet only weights of some last cells.
    stride(from: 0, to: count, by: count >> 18 | 1).lazy.map { self[$0] }.filter { $0.weight != 0 }
  }
}

// MARK: Access by feature indices

extension WeightStorage {
  /// The address of the weight at an index.
  @unsafe @inlinable @inline(__always)
  package func address(_ index: UInt32) -> UnsafeMutablePointer<Float> {
    unsafe base + Int(truncatingIfNeeded: index)
  }

  /// The address of the sums of the weight at an index.
  @unsafe @inlinable @inline(__always)
  func sumsAddress(_ index: UInt32) -> UnsafeMutablePointer<Double> {
    unsafe sums + Int(truncatingIfNeeded: index) &* (Cell.sumCount / 2)
  }

  @unsafe @inlinable @inline(__always)
  package func weight(_ index: UInt32) -> Float { unsafe address(index).loadRelaxed() }

  @unsafe @inlinable @inline(__always)
  func cell(_ index: UInt32) -> Cell {
    unsafe Cell(weight: address(index), sums: sumsAddress(index))
  }

  @unsafe @inlinable @inline(__always)
  func store(_ cell: Cell, _ index: UInt32) {
    unsafe cell.store(weight: address(index), sums: sumsAddress(index))
  }

  /// Changes one cell and returns its weight.
  @unsafe @inlinable @inline(__always)
  func update(_ index: UInt32, _ change: (inout Cell) -> Void) -> Float {
    var cell = unsafe cell(index)
    change(&cell)
    unsafe store(cell, index)
    return cell.weight
  }

  /// Changes four different cells and returns their weights.
  @unsafe @inlinable @inline(__always)
  func update(_ indices: SIMD4<UInt32>, _ steps: (inout Cell.FourSums) -> SIMD4<Float>) -> SIMD4<Float> {
    var four = unsafe Cell.FourSums(at: indices, base: sums)
    let steps = steps(&four)
    unsafe four.store(at: indices, base: sums)
    return unsafe SIMD4(
      add(steps.x, to: indices.x), add(steps.y, to: indices.y), add(steps.z, to: indices.z),
      add(steps.w, to: indices.w))
  }

  /// Adds a step to one weight and returns the new weight.
  @unsafe @inlinable @inline(__always)
  func add(_ step: Float, to index: UInt32) -> Float {
    let address = unsafe address(index)
    let weight = unsafe address.loadRelaxed() + step
    unsafe address.storeRelaxed(weight)
    return weight
  }
}

/// Why storage for weights cannot be made.
public enum WeightStorageError: Error, Hashable, Sendable {
  case outOfMemory(bytes: Int, available: Int)
  /// The machine has this much memory, but the system does not provide it.
  case refused(bytes: Int)
}

extension WeightStorageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outOfMemory(let bytes, let available):
      "the weights need \(Self.size(bytes)) and this process may use \(Self.size(available)) of memory: use fewer or "
        + "shorter patterns"
    case .refused(let bytes):
      "the system refuses \(Self.size(bytes)) of memory for weights: raise its limit (ulimit -v), or end other programs"
    }
  }

  private static func size(_ bytes: Int) -> String {
    let megabytes = Double(bytes) / 1e6
    return megabytes < 1000 ? "\(Int(megabytes.rounded(.up))) MB" : "\((megabytes / 100).rounded(.up) / 10) GB"
  }
}
