/// The architecture of a dense value network, apart from its features.
public struct DenseArchitecture: Hashable, Sendable {
  /// What the rows of a position's features are summed into.
  public enum Sums: String, CaseIterable, Sendable {
    /// A sum for each group of features, side by side: for n-tuples one per pattern, over its symmetric boards; for Set
    /// one for cards, one for Sets and one for the phase.
    case groups
    /// One sum of all rows, with a rectifier: a hidden layer over one-hot features.
    case all
  }

  /// The widths of the hidden layers; empty for no dense network.
  public var hidden: [Int] = []
  /// The numbers of a row of the embedding, apart from its linear weight.
  public var embedding = 15
  /// Whether each row also has a number that is added straight to the value.
  public var linear = true
  public var sums = Sums.groups

  public init() {}

  /// Whether there is a dense network at all.
  public var isDense: Bool { !hidden.isEmpty }
}
