/// Adds the weights of a value in eight lanes, in a fixed order.
///
/// Feature i goes to lane i mod 8, and lanes are added pairwise at the end. So the same weights give the same bits.
public struct LaneSums {
  @usableFromInline var a: Float = 0
  @usableFromInline var b: Float = 0
  @usableFromInline var c: Float = 0
  @usableFromInline var d: Float = 0
  @usableFromInline var e: Float = 0
  @usableFromInline var f: Float = 0
  @usableFromInline var g: Float = 0
  @usableFromInline var h: Float = 0

  @inlinable @inline(__always)
  public init() {}

  /// Adds a weight to each lane.
  @inlinable @inline(__always)
  public mutating func add(_ weight: (Int) -> Float) {
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
  public mutating func addFour(_ weights: (Int) -> SIMD4<Float>) {
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
  public mutating func add(_ weight: Float, lane: Int) {
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
  public var total: Float { ((a + b) + (c + d)) + ((e + f) + (g + h)) }
}
