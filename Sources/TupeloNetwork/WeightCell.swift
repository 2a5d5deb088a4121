public import Synchronization

/// What memory holds for one weight: the weight itself and whatever its step-size rule keeps beside it, so that one cache
/// line serves all.
///
/// Workers share cells without locks. Each word is read and written by relaxed atomics, which compile to plain loads and stores:
/// an update that races with another may be lost, a torn or invented value is impossible.
public protocol WeightCell: BitwiseCopyable, Sendable {
  /// Distance between neighbouring cells, in bytes; the first of them holds the weight as a 32-bit float.
  static var stride: Int { get }
  /// Score points.
  var weight: Float { get set }
  /// What a cell holds, under the names that files use, the weight first.
  static var planes: [String] { get }
  /// One of the numbers named by `planes`.
  subscript(plane plane: Int) -> Float { get set }

  init()
  @unsafe init(from address: UnsafeMutableRawPointer)
  @unsafe func store(to address: UnsafeMutableRawPointer)
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
  public var weight: Float

  public static var stride: Int { @inlinable @inline(__always) get { 4 } }

  public static var planes: [String] { ["weights"] }

  public subscript(plane plane: Int) -> Float {
    get { weight }
    set { weight = newValue }
  }

  public init() { weight = 0 }
  public init(weight: Float) { self.weight = weight }

  @unsafe @inlinable @inline(__always)
  public init(from address: UnsafeMutableRawPointer) {
    unsafe weight = address.loadRelaxed(word: 0)
  }

  @unsafe @inlinable @inline(__always)
  public func store(to address: UnsafeMutableRawPointer) {
    unsafe address.storeRelaxed(weight, word: 0)
  }
}

/// A weight with the sums of temporal coherence: 12 bytes.
public struct CoherenceCell: WeightCell {
  public var weight: Float
  /// E: the sum of errors, in score points.
  public var errorSum: Float
  /// A: the sum of absolute errors, in score points.
  public var absoluteErrorSum: Float

  public static var stride: Int { @inlinable @inline(__always) get { 12 } }

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
  public init(from address: UnsafeMutableRawPointer) {
    unsafe weight = address.loadRelaxed(word: 0)
    unsafe errorSum = address.loadRelaxed(word: 1)
    unsafe absoluteErrorSum = address.loadRelaxed(word: 2)
  }

  @unsafe @inlinable @inline(__always)
  public func store(to address: UnsafeMutableRawPointer) {
    unsafe address.storeRelaxed(weight, word: 0)
    unsafe address.storeRelaxed(errorSum, word: 1)
    unsafe address.storeRelaxed(absoluteErrorSum, word: 2)
  }
}
