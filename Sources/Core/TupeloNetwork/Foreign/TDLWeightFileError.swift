public import TupeloEngine

/// Why a TDL2048+ weight file cannot be read or written.
public enum TDLWeightFileError: Error, Hashable, Sendable {
  case notAWeightFile(path: String)
  case badTableCount(path: String, found: Int)
  case unknownVersion(path: String, table: Int, found: Int)
  case notAPattern(path: String, table: Int, name: String)
  case badWidth(path: String, name: String, found: Int)
  case wrongLength(path: String, name: String, found: UInt64, expected: Int)
  case repeatedTable(path: String, name: String)
  /// The file ends too early: at `offset`, `needed` bytes are expected and only `left` are there.
  case truncated(path: String, offset: Int, needed: UInt64, left: Int)
  case trailingBytes(path: String, offset: Int, length: Int)
  case badNetwork(path: String, reason: String)
  /// A weight that is not finite, or beyond `ModelFile.largestWeight`.
  case notFinite(path: String, name: String, index: Int)
  /// The network is not for the 4x4 board; TDL2048+ plays on 4x4 only.
  case otherShape(path: String, shape: BoardShape)
  /// The network has stages, which TDL2048+ files cannot store.
  case severalStages(path: String, count: Int)
}

extension TDLWeightFileError: CustomStringConvertible {
  /// One line: the file, what is wrong with it, and the remedy if there is one.
  public var description: String {
    switch self {
    case .notAWeightFile(let path):
      "\(path): not a TDL2048+ weight file: it does not begin with 0: give a .w file that the program saved"
    case .badTableCount(let path, let found):
      "\(path): says it has \(found) tables, not 1 to 256: it is damaged or not a TDL2048+ weight file"
    case .unknownVersion(let path, let table, let found):
      "\(path): table \(table) has version \(found), only version 4 is known: it is damaged or from another program"
    case .notAPattern(let path, let table, let name):
      "\(path): table \(table) is called \(Self.quoted(name)), which is not a pattern: only networks whose tables are "
        + "named by their"
        + " cells, such as 012345, can be imported"
    case .badWidth(let path, let name, let found):
      "\(path): table \(Self.quoted(name)) has numbers of \(found) bytes, not of 2, 4 or 8: the file is damaged"
    case .wrongLength(let path, let name, let found, let expected):
      "\(path): table \(Self.quoted(name)) has \(found) weights, its pattern \(expected): it is damaged or of another "
        + "kind of network"
    case .repeatedTable(let path, let name):
      "\(path): two tables are called \(Self.quoted(name)), which TDL2048+ would average: use a network with each "
        + "pattern once"
    case .truncated(let path, let offset, let needed, let left):
      "\(path): \(left) bytes are left at byte \(offset), where \(needed) are needed: copy or download it again"
    case .trailingBytes(let path, let offset, let length):
      "\(path): its tables end at byte \(offset), the file at \(length): it is damaged or holds more than one network"
    case .badNetwork(let path, let reason):
      "\(path): its tables make no network: \(reason)"
    case .notFinite(let path, let name, let index):
      "\(path): weight \(index) of table \(Self.quoted(name)) is not finite, or beyond \(ModelFile.largestWeight): the "
        + "file is damaged or training diverged"
    case .otherShape(let path, let shape):
      "\(path): TDL2048+ knows only 4x4 boards and this network is of \(shape): export it in another format"
    case .severalStages(let path, let count):
      "\(path): a TDL2048+ file holds one stage and this network has \(count): export it in another format"
    }
  }

  /// A name in quotation marks, without characters that could break a line.
  private static func quoted(_ name: String) -> String {
    "'" + name.unicodeScalars.map { (" "..."~").contains($0) ? String($0) : "?" }.joined() + "'"
  }
}
