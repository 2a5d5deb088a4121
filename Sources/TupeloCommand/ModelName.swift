internal import Foundation
internal import TupeloSearch
internal import TupeloTraining
internal import TupeloRuns

/// What people call a model.
enum ModelName {
  /// The last part of its path, and the folder's name for the checkpoint or model in it.
  static func short(_ path: String) -> String {
    let parts = (path as NSString).pathComponents.filter { $0 != "/" }
    guard let last = parts.last else { return path }
    let isPlain = [RunDirectory.Name.checkpoint, "model.safetensors"].contains(last)
    return isPlain && parts.count > 1 ? parts[parts.count - 2] : last
  }
}

extension Contestant {
  /// What its values come from; `nil` when it asks for none.
  var evaluatorName: String? {
    guard specification.usesEvaluator else { return nil }
    guard model != nil, specification.evaluator != .heuristic, let path else { return "the hand-written heuristic" }
    return ModelName.short(path)
  }
}
