/// Turns states of a game into features.
///
/// What a state is, is between an encoder and its game; learners hand states on without looking into them.
public protocol FeatureEncoder: Sendable {
  associatedtype State: Sendable

  /// What the features of a state look like.
  var layout: FeatureLayout { get }

  /// Writes the features of a state into a slot.
  ///
  /// - Precondition: the buffer was made for `layout`.
  func write(_ state: State, into features: inout FeatureBuffer, slot: Int)
}

extension FeatureEncoder {
  /// Room for the features of `slots` states.
  public func makeBuffer(slots: Int) -> FeatureBuffer { FeatureBuffer(layout, slots: slots) }
}
