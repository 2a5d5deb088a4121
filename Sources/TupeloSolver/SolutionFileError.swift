/// Why a file is not a valid solution. Indices count from 0.
public enum SolutionFileError: Error, Hashable, Sendable {
  case notASolution(path: String)
  case newerFormat(path: String, found: Int, supported: Int)
  case badMetadata(path: String, key: String, found: String?)
  case missingTensor(path: String, name: String)
  case wrongTensor(path: String, name: String, found: String, expected: String)
  /// The layers do not divide the positions.
  case badLayer(path: String, index: Int)
  /// A position is not above the one before it in its layer, or is no position of the board.
  case badCode(path: String, index: Int)
  /// A value is negative or not finite.
  case badValue(path: String, index: Int)
  /// The metadata's E[score] differs from that of the values.
  case wrongStartValue(path: String, found: String, expected: String)
  /// The numbers are not those that were written.
  case badChecksum(path: String)
}

extension SolutionFileError: CustomStringConvertible {
  public var description: String {
    let (path, problem) = parts
    return "\(path): \(problem): solve the board again with: tupelo solve --board ROWSxCOLUMNS --output FILE"
  }

  private var parts: (path: String, problem: String) {
    switch self {
    case .notASolution(let path):
      (path, "not a solution: a safetensors file, but without tupelo.solution in its metadata")
    case .newerFormat(let path, let found, let supported):
      (path, "written in format \(found), this program reads up to \(supported)")
    case .badMetadata(let path, let key, let found):
      (
        path,
        found.map { "its metadata has \($0.prefix(40).debugDescription) as \(key)" } ?? "its metadata has no \(key)"
      )
    case .missingTensor(let path, let name):
      (path, "the tensor \(name) is missing")
    case .wrongTensor(let path, let name, let found, let expected):
      (path, "the tensor \(name) is \(found) instead of \(expected)")
    case .badLayer(let path, let index):
      (path, "layer \(index) does not begin where it can: the file is damaged")
    case .badCode(let path, let index):
      (path, "the code at index \(index) is out of order or no position: the file is damaged")
    case .badValue(let path, let index):
      (path, "the value at index \(index) is negative or not finite: the file is damaged")
    case .wrongStartValue(let path, let found, let expected):
      (path, "E[score] comes to \(found) instead of \(expected): the file is damaged")
    case .badChecksum(let path):
      (path, "the numbers do not have the checksum in the metadata: the file is damaged")
    }
  }
}
