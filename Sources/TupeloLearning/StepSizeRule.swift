public import TupeloTables

/// How far one weight moves for an error.
public protocol StepSizeRule: Sendable {
  /// What memory must hold for each weight.
  associatedtype Cell: WeightCell

  /// Whether the value must be looked up again just before the update instead of taken from move selection. Temporal
  /// coherence learns clearly worse from the older value (41.3k against 43.7k points after 10k games on 4x6); plain TD
  /// does not care.
  static var reevaluates: Bool { get }

  /// - Parameters:
  ///   - alpha: above 0, at most 1
  ///   - isWarmUp: for a step that is the same for all weights, before the rule comes into its own
  init(alpha: Float, isWarmUp: Bool)

  /// Changes one weight.
  ///
  /// - Parameters:
  ///   - cell: the weight and its sums
  ///   - error: the TD error delta, in score points
  ///   - share: 1/m, m being the number of weights that make up a value
  func update(_ cell: inout Cell, error: Float, share: Float)

  /// How far four weights move, each as `update(_:error:share:)` moves it, bit for bit; takes the error into their
  /// sums.
  func steps(_ sums: inout Cell.FourSums, error: Float, share: Float) -> SIMD4<Float>

  /// Changes one weight as part of a batch.
  ///
  /// - Parameters:
  ///   - step: how far it would move at full rate and alpha 1, in score points: delta / m, scaled by how often the
  ///     batch meets it
  ///   - error: the TD error delta, in score points
  func apply(_ cell: inout Cell, step: Float, error: Float)
}

/// The same step for all weights: w_i += alpha / m * delta (Szubert & Jaskowski 2014, eq. 6, with alpha divided by m).
public struct ConstantStepSize: StepSizeRule {
  public typealias Cell = PlainCell

  /// In 0...1 to be stable.
  public let alpha: Float

  public init(alpha: Float) { self.alpha = alpha }
  public init(alpha: Float, isWarmUp: Bool) { self.init(alpha: alpha) }

  public static var reevaluates: Bool { @inlinable @inline(__always) get { false } }

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

/// Temporal coherence: each weight's step is scaled by how much its errors agree (Beal & Smith 1999; Jaskowski 2016,
/// eq. 7 and 8).
///
/// w_i += alpha / m * |E_i| / A_i * delta, then E_i += delta and A_i += |delta|. While A_i = 0 the rate is 1.
///
/// During a warm-up the rate is 1 and the sums stay as they are: TD first, temporal coherence after it (OTD+TC, Guei
/// 2021).
public struct TemporalCoherence: StepSizeRule {
  public typealias Cell = CoherenceCell

  /// 1 for one thread.
  public let alpha: Float
  public let isWarmUp: Bool

  public init(alpha: Float, isWarmUp: Bool = false) {
    self.alpha = alpha
    self.isWarmUp = isWarmUp
  }

  public static var reevaluates: Bool { @inlinable @inline(__always) get { true } }

  /// |E| / A as it was before the error, which is taken into both sums; 1 while A = 0 or the warm-up lasts.
  @inlinable @inline(__always)
  func rate(_ cell: inout CoherenceCell, taking error: Float) -> Float {
    guard !isWarmUp else { return 1 }
    let absolute = cell.absoluteErrorSum
    let rate = absolute > 0 ? abs(cell.errorSum) / absolute : 1
    cell.errorSum += error
    cell.absoluteErrorSum += abs(error)
    return rate
  }

  /// The rates of four weights at a time.
  @inlinable @inline(__always)
  func rates(_ sums: inout FourCoherenceSums, taking error: Float) -> SIMD4<Float> {
    guard !isWarmUp else { return SIMD4(repeating: 1) }
    let absolute = sums.absoluteErrorSum
    let rates = SIMD4(repeating: 1).replacing(with: sums.errorSumMagnitude / absolute, where: absolute .> 0)
    sums.add(error: error)
    return rates
  }

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
