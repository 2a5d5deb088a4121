/// Why a dense network cannot be made.
public enum DenseError: Error, Hashable, Sendable {
  /// A width of a layer, of an embedding row or of the whole input is out of range.
  case width(Int, of: String)
  case hiddenLayers(Int)
  case indexCount(Int)
  case featureCount(Int)
  /// Groups are numbered from 0, and each has at least one feature.
  case groups(missing: Int)
  case parameterCount(Int)
  case gradientRows(Int)
  case outOfMemory(bytes: Int, available: Int)
  /// The machine has this much memory, but the system does not provide it.
  case refused(bytes: Int)
}

extension DenseError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .width(let width, let owner):
      "\(owner) has width \(width): choose 1 to \(DenseSpecification.widths.upperBound)"
    case .hiddenLayers(let count):
      "the network has \(count) hidden layers: choose at most \(DenseSpecification.mostHiddenLayers)"
    case .indexCount(let count):
      "the embedding has \(count) rows: choose 1 to 2^32"
    case .featureCount(let count):
      "a sample has \(count) features: choose 1 to \(EmbeddingShape.featureCounts.upperBound)"
    case .groups(let missing):
      "no feature is in group \(missing): number the groups from 0 without gaps"
    case .parameterCount(let count):
      "the network has \(count) parameters, more than \(DenseSpecification.mostParameters): choose narrower layers or "
        + "fewer embedding rows"
    case .gradientRows(let count):
      "a gradient may touch \(count) embedding rows, more than \(1 << 30): choose fewer samples"
    case .outOfMemory(let bytes, let available):
      "a dense network's array needs \(Self.size(bytes)) and this process may use \(Self.size(available)) of memory: "
        + "choose narrower layers, fewer embedding rows or fewer samples"
    case .refused(let bytes):
      "the system refuses \(Self.size(bytes)) of memory for a dense network: raise its limit (ulimit -v), or end other "
        + "programs"
    }
  }

  private static func size(_ bytes: Int) -> String {
    let megabytes = Double(bytes) / 1e6
    return megabytes < 1000 ? "\(Int(megabytes.rounded(.up))) MB" : "\((megabytes / 100).rounded(.up) / 10) GB"
  }
}
