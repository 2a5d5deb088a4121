/// Why storage for weights cannot be made.
public enum WeightStorageError: Error, Hashable, Sendable {
  case outOfMemory(bytes: Int, available: Int)
}

extension WeightStorageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outOfMemory(let bytes, let available):
      "the weights need \(Self.size(bytes)) and the machine has \(Self.size(available)) of memory: use fewer or "
        + "shorter patterns"
    }
  }

  private static func size(_ bytes: Int) -> String {
    let megabytes = Double(bytes) / 1e6
    return megabytes < 1000 ? "\(Int(megabytes.rounded(.up))) MB" : "\((megabytes / 100).rounded(.up) / 10) GB"
  }
}
