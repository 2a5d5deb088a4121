internal import Foundation
internal import TupeloRuns
internal import TupeloTraining

/// Names of models for people.
enum ModelName {
  /// The last part of a model's path; for a checkpoint or model with a standard name, the name of its folder. The other
  /// models that every run leaves have the name of the folder before theirs, wherever the program was started.
  static func short(_ path: String) -> String {
    let parts = (path as NSString).pathComponents.filter { $0 != "/" }
    guard let last = parts.last else { return path }
    if [RunDirectory.Name.checkpoint, "model.safetensors"].contains(last) {
      return parts.count > 1 ? parts[parts.count - 2] : last
    }
    guard last == RunDirectory.Name.best || last.wholeMatch(of: /checkpoint-[0-9]+\.safetensors/) != nil else {
      return last
    }
    let folder = fileURL(path).standardizedFileURL.deletingLastPathComponent().lastPathComponent
    return "\(folder)/\(last)"
  }
}
