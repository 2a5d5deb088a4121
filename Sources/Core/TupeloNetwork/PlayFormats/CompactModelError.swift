/// Why a model in half precision or compact form cannot be read or written.
public enum CompactModelError: Error, Hashable, Sendable {
  case badMetadata(path: String, key: String)
  case notAStream(path: String, name: String)
  case damagedStream(path: String, name: String, reason: String)
  case wrongCount(path: String, table: Int, found: Int, expected: Int)
  case badChecksum(path: String, table: Int, found: String, expected: String)
  case badStep(path: String, step: Float, drop: Float)
  case stepTooFine(path: String, step: Float, weight: Float)
  case cannotCompress(path: String, reason: String)
  case cannotFit(path: String, bytes: Int, smallest: Int)
  /// Every weight would become zero.
  case nothingLeft(path: String, largest: Float, below: Float)
  case lossTooLarge(path: String, loss: Float)
}

extension CompactModelError: CustomStringConvertible {
  /// One line: the file, what is wrong with it, and the remedy.
  public var description: String {
    let copyAgain = "the file is damaged: copy or download it again"
    return switch self {
    case .badMetadata(let path, let key):
      "\(path): its metadata has no usable \(key): \(copyAgain)"
    case .notAStream(let path, let name):
      "\(path): the tensor \(name) is not a row of bytes: \(copyAgain)"
    case .damagedStream(let path, let name, let reason):
      "\(path): the tensor \(name) cannot be unpacked: \(reason): copy or download the file again"
    case .wrongCount(let path, let table, let found, let expected):
      "\(path): table \(table) has \(found) weights, its metadata says \(expected): \(copyAgain)"
    case .badChecksum(let path, let table, let found, let expected):
      "\(path): table \(table) has the checksum \(found), its metadata says \(expected): \(copyAgain)"
    case .badStep(let path, let step, let drop):
      "\(path): a step of \(step) with weights under \(drop) dropped is impossible: give a step above 0 and a drop of "
        + "0 or more"
    case .stepTooFine(let path, let step, let weight):
      "\(path): the weight \(weight) is too many steps of \(step): give a larger step"
    case .cannotCompress(let path, let reason):
      "\(path): the weights cannot be compressed: \(reason)"
    case .cannotFit(let path, let bytes, let smallest):
      "\(path): no weight of this network fits into \(bytes) bytes, a file without weights has \(smallest): "
        + "allow more, or train a smaller network"
    case .nothingLeft(let path, let largest, let below):
      "\(path): no weight would be left: the largest is \(largest), and weights below \(below) become 0: "
        + "give a smaller step or drop, or save as f32"
    case .lossTooLarge(let path, let loss):
      "\(path): a loss of \(loss) leaves no weight: give a smaller one"
    }
  }
}
