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
