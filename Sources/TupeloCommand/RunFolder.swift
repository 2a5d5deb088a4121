internal import Foundation
internal import PlainText
internal import TupeloRuns

/// Folders and foreign files where a model is asked for.
enum RunFolder {
  /// The checkpoint that a path means: the file itself, or the one in that run folder.
  static func checkpoint(at path: String) -> String {
    isFolder(path) ? path + "/" + RunDirectory.Name.checkpoint : path
  }

  /// The model that a path means: the file itself, the checkpoint of a run folder, or the model of a model folder.
  ///
  /// - Throws: `CommandFailure` for a folder without either, and for a weight file of TDL2048+, which can be imported.
  static func model(at path: String) throws -> String {
    guard isFolder(path) else {
      guard !path.hasSuffix(".w") || !FileManager.default.fileExists(atPath: path) else {
        let name = (path as NSString).deletingPathExtension + ".safetensors"
        throw CommandFailure(
          "\(path): a weight file of TDL2048+: make a model of it with: tupelo import "
            + "\(ShellText.word(path)) -o \(ShellText.word(name))")
      }
      return path
    }
    let names = [RunDirectory.Name.checkpoint, "model.safetensors"]
    guard let name = names.first(where: { FileManager.default.fileExists(atPath: path + "/" + $0) }) else {
      throw CommandFailure("\(path): holds neither \(names.joined(separator: " nor ")): name a model")
    }
    return path + "/" + name
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
