public import Safetensors
public import TupeloModels
internal import TupeloNetwork

/// The structure of a dense value network of a game: its features, its architecture and the unit of its output.
public struct DenseModelSpecification: Sendable {
  public let features: Features
  public let architecture: DenseArchitecture
  /// Score points (in Set: Sets) per unit of the network's output.
  public let unit: Int
  /// Layers and tensors.
  public let network: DenseSpecification

  public static let units = 1...1 << 20

  /// - Parameters:
  ///   - features: the features; networks of tuples must have one stage
  ///   - architecture: an architecture with at least one hidden layer
  ///   - unit: a number in `units`; `nil` for the game's standard unit, with which values are a few units
  /// - Throws: `DenseError` for widths that are out of range.
  public init(
    _ features: Features, _ architecture: DenseArchitecture, unit: Int? = nil
  ) throws(DenseError) {
    let unit = unit ?? features.base.standardUnit
    precondition(architecture.isDense && Self.units.contains(unit))
    let own = features.base
    (self.features, self.architecture, self.unit) = (features, architecture, unit)
    let isOne = architecture.sums == .all
    let groups = own.groups
    let shape = try EmbeddingShape(
      indexCount: own.rowCount, width: architecture.embedding,
      groups: isOne ? [Int](repeating: 0, count: groups.count) : groups, hasLinearWeights: architecture.linear,
      isRectified: isOne, paddingIndex: own.paddingIndex)
    network = try DenseSpecification(input: .embedding(shape), hiddenWidths: architecture.hidden)
  }
}

extension DenseModelSpecification: Hashable {
  public static func == (a: DenseModelSpecification, b: DenseModelSpecification) -> Bool {
    a.canonicalText == b.canonicalText
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }
}

extension DenseModelSpecification: ModelStructure {
  public var game: GameKind { features.base.game }
  public var featureCount: Int { network.embedding?.featureCount ?? 0 }

  public var title: String {
    let widths = architecture.hidden.map(String.init).joined(separator: "-")
    return "dense \(architecture.embedding)-\(widths) over \(features.base.title)"
  }

  public func model(in file: SafetensorsFile) throws -> any GameModel {
    func model<F: DenseFeatures>(_ features: F) throws -> any GameModel {
      try DenseModel(file, self, encoder: features.makeEncoder())
    }
    return try model(features.base)
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
      + Self.separator + features.base.canonicalText
  }

  public var description: String { canonicalText }

  private static let (prefix, separator) = ("dense ", " of ")

  /// Reads `canonicalText` back; `nil` for the text of another kind of network.
  ///
  /// - Parameter kinds: the allowed features, in the order in which they are tried
  /// - Throws: `DenseModelError` or `DenseError` for an impossible dense network.
  public init?(canonicalText text: String, of kinds: [any DenseFeatures.Type]) throws {
    guard text.hasPrefix(Self.prefix) else { return nil }
    // This check comes before any parsing: no network has a longer line.
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
    guard let features = try Features(canonicalText: String(text[middle.upperBound...]), of: kinds) else { return nil }
    try self.init(features, architecture, unit: unit)
    // If a part was not understood, the text that is written differs.
    guard canonicalText == text else { throw DenseModelError.unknown(text) }
  }
}

/// Why a text does not describe a dense network.
public enum DenseModelError: Error, Hashable, Sendable {
  case unknown(String)
}

extension DenseModelError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknown: "this program has no such dense network: use a newer tupelo"
    }
  }
}
