#if !hasFeature(Embedded)
internal import DurableFiles
internal import PlainText

/// The model file that a path means. A folder stands for the checkpoint of a run or for the model in a model folder.
public enum ModelPath {
  /// The names that are looked for in a folder, in this order.
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

/// Why a path means no model.
public enum ModelPathError: Error, Hashable, Sendable {
  case noModel(folder: String)
  case weightFile(path: String)
  /// A URL of something that is not a file.
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
#endif
