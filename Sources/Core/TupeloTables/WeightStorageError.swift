/// Why storage for weights cannot be made.
public enum WeightStorageError: Error, Hashable, Sendable {
  case outOfMemory(bytes: Int, available: Int)
  /// The machine has this much memory, but the system does not provide it.
  case refused(bytes: Int)
}

extension WeightStorageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .outOfMemory(let bytes, let available):
      "the weights need \(Self.size(bytes)) and this process may use \(Self.size(available)) of memory: use fewer or "
        + "shorter patterns"
    case .refused(let bytes):
      "the system refuses \(Self.size(bytes)) of memory for weights: raise its limit (ulimit -v), or end other programs"
    }
  }

  private static func size(_ bytes: Int) -> String {
    let megabytes = Double(bytes) / 1e6
    return megabytes < 1000 ? "\(Int(megabytes.rounded(.up))) MB" : "\((megabytes / 100).rounded(.up) / 10) GB"
  }
}
