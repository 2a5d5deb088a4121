extension WebService {
  private static let agentParameters = ["agent", "plies", "evaluator", "rollouts", "milliseconds", "four"]

  /// The parameters that a request may have. The value is `nil` when the service has nothing at the request's path.
  private static func parameters(of request: WebRequest) -> [String]? {
    switch request.path {
    case "/move", "/analyze": ["board"] + agentParameters
    case "/api/game": ["run", "game"]
    case "/api/metrics": ["run", "from"]
    case "/api/settings": ["run"]
    case "/api/state", "/api/runs": []
    default: nil
    }
  }

  /// Refuses an unknown parameter: it may be mistyped, and then the answer would be wrong.
  static func checkParameters(of request: WebRequest) throws(WebProblem) {
    guard let known = parameters(of: request) else { return }
    for name in request.query.keys.sorted() where !known.contains(name) {
      throw .unknownParameter(name, known: known)
    }
  }
}
