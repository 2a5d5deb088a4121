internal import TupeloEngine

/// The reason why a well-formed request is not served.
enum WebProblem: Error {
  case notFound(String)
  case badMethod(String, allowed: [String])
  case missing(String)
  case unknownParameter(String, known: [String])
  case badBoard(BoardTextError)
  case badNumber(parameter: String, text: String, range: String)
  case noAgent(String, known: [String])
  case noSetting(String, agent: String)
  case noEvaluator(String, known: [String])
  case noRuns
  case noRun(String)
  case noGame(String, run: String)
  case unreadable(String)
  case busy
}

extension WebProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .notFound(let path): "there is nothing at \(path.prefix(80))"
    case .badMethod(let method, let allowed):
      "\(method.prefix(20)) is not allowed: use \(allowed.joined(separator: ", "))"
    case .missing(let name): "the parameter '\(name)' is missing"
    case .unknownParameter(let name, let known):
      "there is no parameter '\(name.prefix(40))': "
        + (known.isEmpty ? "this request takes none" : "this request takes \(known.joined(separator: ", "))")
    case .badBoard(let error): "\(error)"
    case .badNumber(let parameter, let text, let range): "\(parameter) is '\(text.prefix(40))': give \(range)"
    case .noAgent(let name, let known):
      "no agent is called '\(name.prefix(40))': there is \(known.joined(separator: ", "))"
    case .noSetting(let name, let agent): "the agent '\(agent)' has no \(name) to choose: leave it out"
    case .noEvaluator(let name, let known):
      "no evaluator is called '\(name.prefix(40))': there is \(known.joined(separator: ", "))"
    case .noRuns: "no folder with runs was named: start the server with --runs"
    case .noRun(let name): "there is no run '\(name.prefix(80))' with a metrics.jsonl"
    case .noGame(let game, let run): "\(RunShelfError.noGame(String(game.prefix(40)), run: String(run.prefix(80))))"
    case .unreadable(let reason): reason
    case .busy: "too many searches are waiting: try again in a second"
    }
  }

  var response: WebResponse {
    var response = WebResponse.text(description, status: status)
    switch self {
    case .badMethod(_, let allowed): response.headers["Allow"] = allowed.joined(separator: ", ")
    case .busy: response.headers["Retry-After"] = "1"
    default: break
    }
    return response
  }

  private var status: Int {
    switch self {
    case .notFound, .noRuns, .noRun, .noGame: 404
    case .badMethod: 405
    case .unreadable: 500
    case .busy: 503
    default: 400
    }
  }
}
