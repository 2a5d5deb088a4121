internal import Foundation
internal import TupeloRuns

/// Finds the checkpoint of a run folder.
enum RunFolder {
  /// The checkpoint that a path means: the path itself if it is a file, or the checkpoint in the folder.
  static func checkpoint(at path: String) -> String {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? path + "/" + RunDirectory.Name.checkpoint : path
  }
}
