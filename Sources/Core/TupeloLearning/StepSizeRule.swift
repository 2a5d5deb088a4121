public import TupeloTables

/// Decides how far a weight moves for an error.
///
/// Your own rule is a value of a type that adopts this protocol, with `alpha` and `update`. It defines the cell of
/// each weight, which is a weight alone (`PlainCell`) or a weight with two numbers (`CoherenceCell`), and how a cell
/// changes. Workers on several threads have copies of the rule, so all learned values must be in the cells.
public protocol StepSizeRule: Sendable {
  /// The type that storage holds for each weight.
  associatedtype Cell: WeightCell

  /// Whether an update computes the value again, instead of using the one from move selection.
  ///
  /// Temporal coherence learns clearly worse from the older value; plain TD does not depend on it. `true` by default.
  static var reevaluates: Bool { get }

  /// Whether the two sums of a cell are E and A of temporal coherence. Then a trainer halves both from time to time,
  /// before A is too large to grow; see `ExclusiveWeights.halveSums(from:)`. `false` by default.
  static var sumsErrors: Bool { get }

  /// Whether the rule has a warm-up, in which all weights take the same step. A trainer refuses warm-up games for a
  /// rule without a warm-up. `false` by default.
  static var warmsUp: Bool { get }

  /// Whether `steps` changes four weights at once, which is faster. `false` by default: then `update` changes one
  /// weight after the other.
  static var updatesFour: Bool { get }

  /// The step size: above 0, at most 1.
  var alpha: Float { get set }

  /// Changes the step size, when a schedule requires it.
  ///
  /// - Parameters:
  ///   - alpha: above 0, at most 1
  ///   - isWarmUp: whether all weights take the same step, as before the rule takes effect; a rule without a warm-up
  ///     can use the default implementation
  mutating func setStepSize(_ alpha: Float, isWarmUp: Bool)

  /// Changes one weight.
  ///
  /// - Parameters:
  ///   - cell: the weight and its sums
  ///   - error: the TD error delta, in score points
  ///   - share: 1/m, where m is the number of weights that make up a value
  func update(_ cell: inout Cell, error: Float, share: Float)

  /// Computes how far four weights move, bit-identical to four calls of `update(_:error:share:)`. It also adds the
  /// error to their sums. It is called only if `updatesFour` is true; otherwise a rule leaves it out.
  func steps(_ sums: inout Cell.FourSums, error: Float, share: Float) -> SIMD4<Float>

  /// Changes one weight as part of a batch. By default `update(_:error:share:)` does this, with the share that gives
  /// this step.
  ///
  /// - Parameters:
  ///   - cell: the weight and its sums
  ///   - step: the weight's move at full rate and alpha 1, in score points: delta / m, scaled by how often the weight
  ///     occurs in the batch
  ///   - error: the TD error delta, in score points
  func apply(_ cell: inout Cell, step: Float, error: Float)

  /// Numbers that show what the rule does, such as the mean of its rates, by their names. A run records each about once
  /// a minute, as `own/NAME` beside its other metrics. None by default.
  ///
  /// - Parameter cells: a sample of the cells whose weight is not 0, at most 2^19; each pass over it reads the table
  static func scalars(of cells: some Sequence<Cell>) -> [String: Double]
}

extension StepSizeRule {
  @inlinable public static var reevaluates: Bool { true }
  public static var sumsErrors: Bool { false }
  public static var warmsUp: Bool { false }
  @inlinable public static var updatesFour: Bool { false }

  public mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) { self.alpha = alpha }

  @inlinable
  public func steps(_ sums: inout Cell.FourSums, error: Float, share: Float) -> SIMD4<Float> {
    preconditionFailure("a rule that updates four weights at once has a method for their steps")
  }

  public static func scalars(of cells: some Sequence<Cell>) -> [String: Double] { [:] }

  @inlinable
  public func apply(_ cell: inout Cell, step: Float, error: Float) {
    update(&cell, error: error, share: error == 0 ? 0 : step / error)
  }
}

/// A constant step size: w_i += alpha / m * delta (Szubert & Jaskowski 2014, eq. 6, with alpha divided by m).
public struct ConstantStepSize: StepSizeRule {
  public typealias Cell = PlainCell

  /// The step size; stable in 0...1.
  public var alpha: Float

  public init(alpha: Float) { self.alpha = alpha }

  public static var reevaluates: Bool { @inlinable @inline(__always) get { false } }
  public static var updatesFour: Bool { @inlinable @inline(__always) get { true } }

  @inlinable @inline(__always)
  public func update(_ cell: inout PlainCell, error: Float, share: Float) {
    cell.weight += alpha * share * error
  }

  @inlinable @inline(__always)
  public func steps(_ sums: inout NoSums, error: Float, share: Float) -> SIMD4<Float> {
    SIMD4(repeating: alpha * share * error)
  }

  @inlinable @inline(__always)
  public func apply(_ cell: inout PlainCell, step: Float, error: Float) {
    cell.weight += alpha * step
  }
}

/// Temporal coherence: each weight's step is scaled by how much its errors agree (Beal & Smith 1999; Jaskowski 2018,
/// eq. 7 and 8).
///
/// w_i += alpha / m * |E_i| / A_i * delta, then E_i += delta and A_i += |delta|. While A_i = 0 the rate is 1.
///
/// During a warm-up the rate is 1 and the sums do not change: plain TD comes first, and temporal coherence after it
/// (OTD+TC, Guei et al. 2021).
///
/// A weight with an infinite A has the rate 0 for ever, except in a warm-up. So the zeros of a pruned model stay zeros:
/// see `ExclusiveWeights.fixZeros()`.
public struct TemporalCoherence: StepSizeRule {
  public typealias Cell = CoherenceCell

  /// The step size; 1 suits training with one thread.
  public var alpha: Float
  public var isWarmUp: Bool

  public init(alpha: Float, isWarmUp: Bool = false) { (self.alpha, self.isWarmUp) = (alpha, isWarmUp) }

  public mutating func setStepSize(_ alpha: Float, isWarmUp: Bool) {
    (self.alpha, self.isWarmUp) = (alpha, isWarmUp)
  }

  public static var reevaluates: Bool { @inlinable @inline(__always) get { true } }
  public static var sumsErrors: Bool { true }
  public static var warmsUp: Bool { true }
  public static var updatesFour: Bool { @inlinable @inline(__always) get { true } }

  /// The rate |E| / A, before the error is added to both sums. It is 1 while A = 0, and during the warm-up, which does
  /// not change the sums.
  @inlinable @inline(__always)
  func rate(_ cell: inout CoherenceCell, taking error: Float) -> Float {
    guard !isWarmUp else { return 1 }
    let absolute = cell.absoluteErrorSum
    let rate = absolute > 0 ? abs(cell.errorSum) / absolute : 1
    cell.errorSum += error
    cell.absoluteErrorSum += abs(error)
    return rate
  }

  /// The rates of four weights; see `rate(_:taking:)`.
  @inlinable @inline(__always)
  func rates(_ sums: inout FourCoherenceSums, taking error: Float) -> SIMD4<Float> {
    guard !isWarmUp else { return SIMD4(repeating: 1) }
    let absolute = sums.absoluteErrorSum
    let rates = SIMD4(repeating: 1).replacing(with: sums.errorSumMagnitude / absolute, where: absolute .> 0)
    sums.add(error: error)
    return rates
  }

  // Networks with eight symmetric boards use `steps`; change both.
  @inlinable @inline(__always)
  public func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    cell.weight += alpha * share * rate(&cell, taking: error) * error
  }

  @inlinable @inline(__always)
  public func steps(_ sums: inout FourCoherenceSums, error: Float, share: Float) -> SIMD4<Float> {
    alpha * share * rates(&sums, taking: error) * error
  }

  @inlinable @inline(__always)
  public func apply(_ cell: inout CoherenceCell, step: Float, error: Float) {
    cell.weight += alpha * rate(&cell, taking: error) * step
  }
}
