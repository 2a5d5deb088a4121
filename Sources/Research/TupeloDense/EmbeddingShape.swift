internal import TupeloTables

/// The shape of a sparse first layer: sums of rows of a table, one row per feature (an "embedding bag").
///
/// A sample has a fixed number of features, and each position among them belongs to a group. The rows of the features
/// of group g are summed into block g of the layer's output:
///
///     x[g * width ..< (g + 1) * width] = sum of table[feature] over the features of group g
///
/// - One-hot or multi-hot input: one group, as wide as the first hidden layer, rectified.
/// - N-tuple embeddings: 8 or 16 numbers per table entry, and a group per pattern, for its symmetric boards.
public struct EmbeddingShape: Hashable, Sendable {
  /// The number of rows of the table: every feature is below it.
  public let indexCount: Int
  /// The number of numbers that a row adds to a block.
  public let width: Int
  /// The group of each position.
  public let groups: [Int]
  public let groupCount: Int
  /// Whether the last number of each row is a linear weight, which is added directly to the network's value. With width
  /// 7 or 15 a row then fills 32 or 64 bytes.
  public let hasLinearWeights: Bool
  /// Whether a bias and a rectifier follow the sums, as in a hidden layer.
  public let isRectified: Bool
  /// The padding row for unused features: it is zero, and never learned. `nil` if there is no such row.
  public let paddingIndex: Int?
  /// Runs of positions of one group.
  let runs: [Run]

  struct Run: Hashable, Sendable {
    var positions: Range<Int>
    var group: Int
    /// Whether no earlier run has the group.
    var isFirst: Bool
  }

  public static let featureCounts = 1...1 << 20

  /// - Parameters:
  ///   - indexCount: the number of rows, 1...2^32
  ///   - width: numbers that a row adds to its block, 1...8192
  ///   - groups: the group of each of a sample's features, numbered from 0 without gaps; 1...2^20 features
  ///   - hasLinearWeights: whether each row has one more number, for the value itself
  ///   - isRectified: whether a bias and a rectifier follow
  ///   - paddingIndex: the padding row for unused features, below `indexCount`
  /// - Throws: `DenseError` when a number is out of range; the output may have 8192 numbers at most.
  public init(
    indexCount: Int, width: Int, groups: [Int], hasLinearWeights: Bool = false, isRectified: Bool = false,
    paddingIndex: Int? = nil
  ) throws(DenseError) {
    guard (1...1 << 32).contains(indexCount) else { throw .indexCount(indexCount) }
    guard DenseSpecification.widths.contains(width) else { throw .width(width, of: "an embedding row") }
    guard Self.featureCounts.contains(groups.count) else { throw .featureCount(groups.count) }
    precondition(paddingIndex.map { (0..<indexCount).contains($0) } ?? true, "padding is a row of the table")
    var runs: [Run] = []
    // A group number that is not below the count of positions certainly leaves a gap.
    var isUsed = [Bool](repeating: false, count: groups.count)
    for (position, group) in groups.enumerated() {
      guard isUsed.indices.contains(group) else { continue }
      if runs.last?.group == group {
        runs[runs.count - 1].positions = runs[runs.count - 1].positions.lowerBound..<position + 1
      } else {
        runs.append(Run(positions: position..<position + 1, group: group, isFirst: !isUsed[group]))
      }
      isUsed[group] = true
    }
    let groupCount = isUsed.firstIndex(of: false) ?? isUsed.count
    guard groups.allSatisfy({ (0..<groupCount).contains($0) }) else { throw .groups(missing: groupCount) }
    guard DenseSpecification.widths.contains(groupCount * width) else {
      throw .width(groupCount * width, of: "the embedding of \(groupCount) groups")
    }
    (self.indexCount, self.width, self.groups, self.groupCount) = (indexCount, width, groups, groupCount)
    (self.hasLinearWeights, self.isRectified, self.runs) = (hasLinearWeights, isRectified, runs)
    self.paddingIndex = paddingIndex
  }

  /// Groups of equally many features side by side: for n-tuples the symmetric boards of each pattern.
  ///
  /// - Precondition: `size` is at least 1.
  public static func consecutiveGroups(featureCount: Int, size: Int) -> [Int] {
    precondition(size >= 1)
    return (0..<featureCount).map { $0 / size }
  }

  public var featureCount: Int { groups.count }
  /// The numbers of a row in memory, with the linear weight.
  public var rowWidth: Int { width + (hasLinearWeights ? 1 : 0) }
  /// The width of the layer's output.
  public var outputWidth: Int { groupCount * width }

  /// The number of features in the largest group.
  var largestGroup: Int {
    var sizes = [Int](repeating: 0, count: groupCount)
    for group in groups { sizes[group] += 1 }
    return sizes.max() ?? 0
  }

  /// Whether the features of a buffer name only rows of this table.
  func accepts(_ layout: FeatureLayout) -> Bool {
    layout.featureCount == groups.count && layout.weightCount <= indexCount
  }
}
