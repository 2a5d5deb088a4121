internal import TupeloBase

/// Finds the model file for a path. A folder stands for the checkpoint of a run or for the model in a model folder.
public enum ModelPath {
  /// The file names that are tried in a folder, in this order.
  public static let names = ["checkpoint.safetensors", "model.safetensors"]

  /// The file itself, or the model in a folder.
  ///
  /// - Throws: `ModelPathError` for a folder without a model, and for a TDL2048+ weight file, which can be imported.
  public static func file(at path: String) throws(ModelPathError) -> String {
    guard isThere(path) else { return path }
    guard isFolder(path) else {
      guard !path.hasSuffix(".w") else { throw .weightFile(path: path) }
      return path
    }
    guard let name = names.first(where: { isThere(path + "/" + $0) }) else {
      throw .noModel(folder: path)
    }
    return path + "/" + name
  }
}

/// Why a path does not lead to a model.
public enum ModelPathError: Error, Hashable, Sendable {
  case noModel(folder: String)
  case weightFile(path: String)
  /// The URL is not a file URL.
  case notAFile(url: String)
}

extension ModelPathError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noModel(let folder):
      "\(folder): holds neither \(ModelPath.names.joined(separator: " nor ")): name a model"
    case .weightFile(let path):
      "\(path): a weight file of TDL2048+: make a model of it with: tupelo import \(ShellText.word(path)) -o "
        + ShellText.word(path.dropLast(2) + ".safetensors")
    case .notAFile(let url):
      "\(Spelling.printable(url)): not the URL of a file: download it, and load its bytes"
    }
  }
}
