internal import Foundation
internal import TupeloSearch

/// What people call a model.
enum ModelName {
  /// The last part of its path, and the folder's name for the checkpoint in it.
  static func short(_ path: String) -> String {
    let parts = (path as NSString).pathComponents.filter { $0 != "/" }
    guard let last = parts.last else { return path }
    return last == RunFolder.checkpointName && parts.count > 1 ? parts[parts.count - 2] : last
  }
}

extension Contestant {
  /// What its values come from, when the model was loaded from `path`; `nil` when it asks for none.
  func evaluatorName(path: String?) -> String? {
    guard specification.usesEvaluator else { return nil }
    guard model != nil, specification.evaluator != .heuristic, let path else { return "the hand-written heuristic" }
    return ModelName.short(path)
  }
}
