/// The shape of an encoder's features: the number of features of a position, and the weights that they may name.
///
/// A `FeatureBuffer` remembers the layout that it was made for. An encoder compares this layout with its own before it
/// writes. Storage compares it with its size before it uses an index.
public struct FeatureLayout: Hashable, Sendable {
  /// m: features per position.
  public let featureCount: Int
  /// The number of features side by side that may be equal. Features of different groups are never equal. For n-tuples
  /// a group is the symmetric boards of one pattern.
  public let groupSize: Int
  /// The number of weights that features may name: every feature is below it.
  public let weightCount: Int
  /// Words per slot: `featureCount`, rounded up to whole vectors of eight.
  public let stride: Int
  /// Feature count and weight count in one word, so that one comparison decides whether a buffer may be written.
  @usableFromInline let key: UInt64

  /// - Precondition: `weightCount` is in 1...2^32, because features have 32 bits; `featureCount` is at least 1.
  public init(featureCount: Int, groupSize: Int, weightCount: Int) {
    precondition(weightCount >= 1 && UInt64(weightCount) <= 1 << 32 && (1...1 << 20).contains(featureCount))
    precondition(groupSize >= 1)
    self.featureCount = featureCount
    self.groupSize = groupSize
    self.weightCount = weightCount
    stride = (featureCount + 7) / 8 * 8
    key = UInt64(featureCount) << 40 | UInt64(weightCount)
  }
}

/// Turns states of a game into features.
///
/// Only the encoder and its game interpret a state. Learners pass states on unchanged.
public protocol FeatureEncoder: Sendable {
  associatedtype State: Sendable

  /// The shape of a state's features.
  var layout: FeatureLayout { get }

  /// Writes the features of a state into a slot.
  ///
  /// - Precondition: the buffer was made for `layout`.
  func write(_ state: State, into features: inout FeatureBuffer, slot: Int)
}

extension FeatureEncoder {
  /// A buffer for the features of `slots` states.
  public func makeBuffer(slots: Int) -> FeatureBuffer { FeatureBuffer(layout, slots: slots) }
}
