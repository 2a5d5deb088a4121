/// The architecture of a dense value network, apart from its features.
public struct DenseArchitecture: Hashable, Sendable {
  /// The sums over the rows of a position's features.
  public enum Sums: String, CaseIterable, Sendable {
    /// A sum for each group of features. For n-tuples a group is a pattern, over its symmetric boards. For Set there
    /// are three groups: cards, Sets and the phase.
    case groups
    /// One sum of all rows, with a rectifier: a hidden layer over one-hot features.
    case all
  }

  /// The widths of the hidden layers; empty for a model without a dense network.
  public var hidden: [Int] = []
  /// The number of numbers in a row of the embedding, without its linear weight.
  public var embedding = 15
  /// Whether each row also has a number that is added directly to the value.
  public var linear = true
  public var sums = Sums.groups

  public init() {}

  /// Whether the model has a dense network.
  public var isDense: Bool { !hidden.isEmpty }
}
