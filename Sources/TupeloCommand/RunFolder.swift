internal import Foundation
internal import TupeloTraining
internal import TupeloRuns

/// Run folders where a model is asked for.
enum RunFolder {
  /// The checkpoint that a path means: the file itself, or the one in that folder.
  static func checkpoint(at path: String) -> String {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? path + "/" + RunDirectory.Name.checkpoint : path
  }
}
