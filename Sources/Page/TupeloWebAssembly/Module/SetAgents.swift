internal import SetAgents
internal import SetEngine
internal import TupeloEngine

/// The players of Set that a page offers without a server.
enum SetAgents {
  /// - Parameter network: the learned values; `nil` while there are none
  static func list(_ network: SetNetwork?) -> [SetWebAgent] {
    let others = [SetWebAgent.heuristic(HeuristicSetEvaluator())] + SetWebAgent.simple { Module.shared.lots.next() }
    guard let network else { return others }
    return [.greedy(by: network, usesModel: true, name: "network", title: "Network")] + others
  }
}
