/// The contents of storage for one weight: the weight itself, and the sums that its step-size rule keeps with it.
///
/// Weights are in one array and sums are in another. So play and passes over all weights read only weights. Workers
/// share cells without locks; see `RelaxedAccess.swift` for what a race can and cannot do.
public protocol WeightCell: BitwiseCopyable, Sendable {
  /// The sums of four weights side by side.
  associatedtype FourSums: TupeloTables.FourSums
  /// How many 32-bit floats a rule keeps with each weight: 0 or 2.
  static var sumCount: Int { get }
  /// The weight, in score points.
  var weight: Float { get set }
  /// The numbers of a cell under the names that files use: the weight, then its sums in their order in memory.
  static var planes: [String] { get }
  /// One of the numbers of the cell, by its number in `planes`.
  subscript(plane plane: Int) -> Float { get set }

  init()
  /// Loads a cell.
  ///
  /// - Parameters:
  ///   - weight: the address of the cell's weight
  ///   - sums: the address of the cell's sums, if it has any
  @unsafe init(weight: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Double>)
  /// Stores the cell.
  @unsafe func store(weight: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Double>)
}

extension WeightCell {
  /// Bytes per weight, with its sums.
  public static var byteCount: Int { 4 + 4 * sumCount }
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
  public init(weight: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Double>) {
    unsafe self.weight = weight.loadRelaxed()
  }

  @unsafe @inlinable @inline(__always)
  public func store(weight: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Double>) {
    unsafe weight.storeRelaxed(self.weight)
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
  public init(weight: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Double>) {
    unsafe self.weight = weight.loadRelaxed()
    let word = unsafe sums.loadRelaxed().bitPattern
    errorSum = Float(bitPattern: UInt32(truncatingIfNeeded: word))
    absoluteErrorSum = Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32))
  }

  @unsafe @inlinable @inline(__always)
  public func store(weight: UnsafeMutablePointer<Float>, sums: UnsafeMutablePointer<Double>) {
    unsafe weight.storeRelaxed(self.weight)
    let word = UInt64(errorSum.bitPattern) | UInt64(absoluteErrorSum.bitPattern) << 32
    unsafe sums.storeRelaxed(Double(bitPattern: word))
  }
}
