internal import Foundation
internal import TupeloSearch
internal import TupeloTraining
internal import TupeloRuns

/// Names of models for people.
enum ModelName {
  /// The last part of a model's path; for a checkpoint or model with a standard name, the name of its folder.
  static func short(_ path: String) -> String {
    let parts = (path as NSString).pathComponents.filter { $0 != "/" }
    guard let last = parts.last else { return path }
    let isPlain = [RunDirectory.Name.checkpoint, "model.safetensors"].contains(last)
    return isPlain && parts.count > 1 ? parts[parts.count - 2] : last
  }
}

extension Contestant {
  /// The name of the player's evaluator; `nil` when it uses none.
  var evaluatorName: String? {
    guard specification.usesEvaluator else { return nil }
    guard model != nil, specification.evaluator != .heuristic, let path else { return "the hand-written heuristic" }
    return ModelName.short(path)
  }
}
