/// Why a model in half precision or compact form cannot be read or written.
public enum CompactModelError: Error, Hashable, Sendable {
  case badMetadata(path: String, key: String)
  case notAStream(path: String, name: String)
  case damagedStream(path: String, name: String, reason: String)
  case wrongCount(path: String, table: Int, found: Int, expected: Int)
  case badChecksum(path: String, table: Int, found: String, expected: String)
  case stepTooFine(path: String, step: Float, weight: Float)
  #if !hasFeature(Embedded)
  // The page writes no such files.
  case badStep(path: String, step: Float, drop: Float)
  case cannotCompress(path: String, reason: String)
  case cannotFit(path: String, bytes: Int, smallest: Int)
  /// Every weight would become zero.
  case nothingLeft(path: String, largest: Float, below: Float)
  case lossTooLarge(path: String, loss: Float)
  #endif
}

extension CompactModelError: CustomStringConvertible {
  /// One line: the file, what is wrong with it, and the remedy.
  public var description: String {
    let copyAgain = "the file is damaged: copy or download it again"
    switch self {
    case .badMetadata(let path, let key):
      return "\(path): its metadata has no usable \(key): \(copyAgain)"
    case .notAStream(let path, let name):
      return "\(path): the tensor \(name) is not a row of bytes: \(copyAgain)"
    case .damagedStream(let path, let name, let reason):
      return "\(path): the tensor \(name) cannot be unpacked: \(reason): copy or download the file again"
    case .wrongCount(let path, let table, let found, let expected):
      return "\(path): table \(table) has \(found) weights, its metadata says \(expected): \(copyAgain)"
    case .badChecksum(let path, let table, let found, let expected):
      return "\(path): table \(table) has the checksum \(found), its metadata says \(expected): \(copyAgain)"
    case .stepTooFine(let path, let step, let weight):
      return "\(path): the weight \(weight) is too many steps of \(step): give a larger step"
    #if !hasFeature(Embedded)
    case .badStep(let path, let step, let drop):
      return "\(path): a step of \(step) with weights under \(drop) dropped is impossible: "
        + "give a step above 0 and a drop of 0 or more"
    case .cannotCompress(let path, let reason):
      return "\(path): the weights cannot be compressed: \(reason)"
    case .cannotFit(let path, let bytes, let smallest):
      return "\(path): no weight of this network fits into \(bytes) bytes, a file without weights has \(smallest): "
        + "allow more, or train a smaller network"
    case .nothingLeft(let path, let largest, let below):
      return "\(path): no weight would be left: the largest is \(largest), and weights below \(below) become 0: "
        + "give a smaller step or drop, or save as f32"
    case .lossTooLarge(let path, let loss):
      return "\(path): a loss of \(loss) leaves no weight: give a smaller one"
    #endif
    }
  }
}
