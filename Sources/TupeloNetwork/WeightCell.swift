public import Synchronization

/// What memory holds for one weight: the weight itself, and whatever its step-size rule keeps with it. Weights lie in one array and those
/// sums in another: playing reads weights alone, and passes over all of them read nothing else.
///
/// Workers share cells without locks. Each word is read and written by relaxed atomics, which compile to plain loads and stores:
/// an update that races with another may be lost, a torn or invented value is impossible.
public protocol WeightCell: BitwiseCopyable, Sendable {
  /// What is kept with four weights.
  associatedtype FourSums: TupeloNetwork.FourSums
  /// How many 32-bit floats a rule keeps with each weight.
  static var sumCount: Int { get }
  /// Score points.
  var weight: Float { get set }
  /// What a cell holds, under the names that files use: the weight, then its sums in their order in memory.
  static var planes: [String] { get }
  /// One of the numbers named by `planes`.
  subscript(plane plane: Int) -> Float { get set }

  init()
  @unsafe init(weight: UnsafeMutableRawPointer, sums: UnsafeMutableRawPointer)
  @unsafe func store(weight: UnsafeMutableRawPointer, sums: UnsafeMutableRawPointer)
}

extension WeightCell {
  /// Memory per weight.
  public static var byteCount: Int { 4 + 4 * sumCount }
}

extension UnsafeMutableRawPointer {
  @unsafe @inlinable @inline(__always)
  func loadRelaxed(word: Int) -> Float {
    unsafe assumingMemoryBound(to: Atomic<Float>.self)[word].load(ordering: .relaxed)
  }

  @unsafe @inlinable @inline(__always)
  func storeRelaxed(_ value: Float, word: Int) {
    unsafe assumingMemoryBound(to: Atomic<Float>.self)[word].store(value, ordering: .relaxed)
  }
}

/// A weight alone: 4 bytes.
public struct PlainCell: WeightCell {
  public typealias FourSums = NoSums

  public var weight: Float

  public static var sumCount: Int { @inlinable @inline(__always) get { 0 } }

  public static var planes: [String] { ["weights"] }

  public subscript(plane plane: Int) -> Float {
    get { weight }
    set { weight = newValue }
  }

  public init() { weight = 0 }
  public init(weight: Float) { self.weight = weight }

  @unsafe @inlinable @inline(__always)
  public init(weight: UnsafeMutableRawPointer, sums: UnsafeMutableRawPointer) {
    unsafe self.weight = weight.loadRelaxed(word: 0)
  }

  @unsafe @inlinable @inline(__always)
  public func store(weight: UnsafeMutableRawPointer, sums: UnsafeMutableRawPointer) {
    unsafe weight.storeRelaxed(self.weight, word: 0)
  }
}

/// A weight with the sums of temporal coherence: 12 bytes.
public struct CoherenceCell: WeightCell {
  public typealias FourSums = FourCoherenceSums

  public var weight: Float
  /// E: the sum of errors, in score points.
  public var errorSum: Float
  /// A: the sum of absolute errors, in score points.
  public var absoluteErrorSum: Float

  public static var sumCount: Int { @inlinable @inline(__always) get { 2 } }

  public static var planes: [String] { ["weights", "coherence.error", "coherence.absolute_error"] }

  public subscript(plane plane: Int) -> Float {
    get { plane == 0 ? weight : plane == 1 ? errorSum : absoluteErrorSum }
    set {
      switch plane {
      case 0: weight = newValue
      case 1: errorSum = newValue
      default: absoluteErrorSum = newValue
      }
    }
  }

  public init() { (weight, errorSum, absoluteErrorSum) = (0, 0, 0) }

  @unsafe @inlinable @inline(__always)
  public init(weight: UnsafeMutableRawPointer, sums: UnsafeMutableRawPointer) {
    unsafe self.weight = weight.loadRelaxed(word: 0)
    unsafe errorSum = sums.loadRelaxed(word: 0)
    unsafe absoluteErrorSum = sums.loadRelaxed(word: 1)
  }

  @unsafe @inlinable @inline(__always)
  public func store(weight: UnsafeMutableRawPointer, sums: UnsafeMutableRawPointer) {
    unsafe weight.storeRelaxed(self.weight, word: 0)
    unsafe sums.storeRelaxed(errorSum, word: 0)
    unsafe sums.storeRelaxed(absoluteErrorSum, word: 1)
  }
}
