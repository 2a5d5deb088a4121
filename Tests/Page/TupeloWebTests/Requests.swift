import TupeloEngine
import TupeloSearch
import TupeloWeb

/// A value that depends on every cell and is cheap to compute twice.
struct StubEvaluator: Evaluator {
  func value(of afterstate: Afterstate) -> Float {
    Float((afterstate.bits &* 0x9e37_79b9_7f4a_7c15) >> 48) / 16
  }
}

/// Prefers empty cells: a simple evaluator, good enough for some hundred moves.
struct EmptyCells: Evaluator {
  func value(of afterstate: Afterstate) -> Float {
    Float(ChanceModel(.standard).emptyMask(of: afterstate).nonzeroBitCount) * 10
  }
}

extension WebService {
  /// A service with one searching agent and the random one.
  static func stub(runs: RunShelf? = nil) -> WebService {
    WebService(agents: [.searching(StubEvaluator(), name: "stub", title: "Stub"), .random], runs: runs)
  }

  func get(_ target: String, method: String = "GET", headers: [String: String] = [:]) async throws -> WebResponse {
    await respond(to: try WebRequest(method: method, target: target, headers: headers))
  }

  func post(_ target: String, _ body: String) async throws -> WebResponse {
    await respond(to: try WebRequest(method: "POST", target: target, body: Array(body.utf8)))
  }
}

extension WebResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}
