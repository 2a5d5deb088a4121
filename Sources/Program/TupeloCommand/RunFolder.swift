internal import TupeloBase
internal import TupeloRuns

/// Finds the checkpoint of a run folder.
enum RunFolder {
  /// The checkpoint that a path means: the path itself if it is a file, or the checkpoint in the folder.
  static func checkpoint(at path: String) -> String {
    isFolder(path) ? path + "/" + RunDirectory.Name.checkpoint : path
  }
}
