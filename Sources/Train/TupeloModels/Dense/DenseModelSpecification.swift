internal import SetAgents
public import SetEngine
public import TupeloDense
internal import TupeloEngine
public import TupeloNetwork
internal import TupeloTables

/// The structure of a dense value network of a game: its features, its architecture and the unit of its output.
public struct DenseModelSpecification: Hashable, Sendable {
  /// What a position is described by.
  public enum Features: Hashable, Sendable {
    /// The entries that n-tuples look up: a row of the embedding for each.
    case tuples(NetworkSpecification)
    /// Cards and Sets left, by their degrees; see `SetEmbeddingEncoder`.
    case set(SetRules)
  }

  public let features: Features
  public let architecture: DenseArchitecture
  /// Score points (in Set: Sets) per unit of the network's output.
  public let unit: Int
  /// Layers and tensors.
  public let network: DenseSpecification

  public static let units = 1...1 << 20

  /// - Parameters:
  ///   - features: networks of tuples have one stage
  ///   - architecture: with at least one hidden layer
  ///   - unit: in `units`; `nil` for the game's own, with which values are numbers of a few units
  /// - Throws: `DenseError` for widths that are out of range.
  public init(
    _ features: Features, _ architecture: DenseArchitecture, unit: Int? = nil
  ) throws(DenseError) {
    let unit = unit ?? features.standardUnit
    precondition(architecture.isDense && Self.units.contains(unit))
    (self.features, self.architecture, self.unit) = (features, architecture, unit)
    let isOne = architecture.sums == .all
    let groups = features.groups
    let shape = try EmbeddingShape(
      indexCount: features.rowCount, width: architecture.embedding,
      groups: isOne ? [Int](repeating: 0, count: groups.count) : groups, hasLinearWeights: architecture.linear,
      isRectified: isOne, paddingIndex: features.paddingIndex)
    network = try DenseSpecification(input: .embedding(shape), hiddenWidths: architecture.hidden)
  }
}

extension DenseModelSpecification.Features {
  /// The rows of the embedding.
  public var rowCount: Int {
    switch self {
    case .tuples(let network): network.weightCount
    case .set(let rules): SetEmbeddingEncoder(rules).layout.weightCount
    }
  }

  /// The group of each feature of a position.
  var groups: [Int] {
    switch self {
    case .tuples(let network):
      EmbeddingShape.consecutiveGroups(featureCount: network.featureCount, size: network.boardsPerPattern)
    case .set(let rules): SetEmbeddingEncoder(rules).groups
    }
  }

  var paddingIndex: Int? {
    switch self {
    case .tuples: nil
    case .set: SetEmbeddingEncoder.paddingIndex
    }
  }

  /// With it, values are numbers of at most a few tens. Scores double with each cell of a board.
  var standardUnit: Int {
    switch self {
    case .tuples(let network): 1 << (network.shape.cellCount - 2)
    case .set: 1
    }
  }

  /// The features in one line.
  var canonicalText: String {
    switch self {
    case .tuples(let network): network.canonicalText
    case .set(let rules): SetSpecification(rules).canonicalText
    }
  }

  init(canonicalText text: String) throws {
    if let set = try SetSpecification(canonicalText: text) {
      self = .set(set.rules)
    } else {
      let network = try NetworkSpecification(canonicalText: text)
      guard network.stages.count == 1 else { throw DenseModelError.unknown(text) }
      self = .tuples(network)
    }
  }
}

// MARK: Text

extension DenseModelSpecification: CustomStringConvertible {
  /// The specification in one line, such as
  /// `dense hidden=32 embedding=15 linear=yes sums=groups unit=16384 of 4x4 shared 0123 4567 0145 1256 569a`.
  public var canonicalText: String {
    let widths = architecture.hidden.map(String.init).joined(separator: ",")
    return "\(Self.prefix)hidden=\(widths) embedding=\(architecture.embedding) "
      + "linear=\(architecture.linear ? "yes" : "no") sums=\(architecture.sums.rawValue) unit=\(unit)"
      + Self.separator + features.canonicalText
  }

  public var description: String { canonicalText }

  private static let (prefix, separator) = ("dense ", " of ")

  /// Reads `canonicalText` back; `nil` for the text of another kind of network.
  ///
  /// - Throws: `DenseModelError` or `DenseError` for a dense network that cannot be made.
  public init?(canonicalText text: String) throws {
    guard text.hasPrefix(Self.prefix) else { return nil }
    // Before any of it is looked at: no network has a longer line.
    guard text.utf8.count <= 1 << 15, let middle = text.firstRange(of: Self.separator) else {
      throw DenseModelError.unknown(text)
    }
    var architecture = DenseArchitecture()
    var unit: Int?
    for word in text[..<middle.lowerBound].dropFirst(Self.prefix.count).split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw DenseModelError.unknown(text) }
      switch parts[0] {
      case "hidden": architecture.hidden = parts[1].split(separator: ",").compactMap { Int($0) }
      case "embedding": architecture.embedding = Int(parts[1]) ?? 0
      case "linear": architecture.linear = parts[1] == "yes"
      case "sums": architecture.sums = DenseArchitecture.Sums(rawValue: parts[1]) ?? .groups
      case "unit": unit = Int(parts[1])
      default: throw DenseModelError.unknown(text)
      }
    }
    guard architecture.isDense, let unit, Self.units.contains(unit) else { throw DenseModelError.unknown(text) }
    try self.init(
      Features(canonicalText: String(text[middle.upperBound...])), architecture, unit: unit)
    // What was not understood is written otherwise.
    guard canonicalText == text else { throw DenseModelError.unknown(text) }
  }
}

/// Why a text names no dense network.
public enum DenseModelError: Error, Hashable, Sendable {
  case unknown(String)
}

extension DenseModelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown: "this program knows no such dense network: use a newer tupelo"
    }
  }
}
