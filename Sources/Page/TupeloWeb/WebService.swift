/// Turns requests into responses, without a socket. All of the server's functions are here.
public struct WebService: Sendable {
  /// The agents that are offered; a request that names none gets the first.
  public let agents: [WebAgent]
  /// The plies of a request that names none, and of the page.
  public let plies: Int
  /// The time for a request about a board that names no plies, for agents that search by a model; `nil` for `plies`.
  public let milliseconds: Int?
  /// The training runs that may be read; `nil` for none.
  public let runs: RunShelf?
  /// The host names that a request may be addressed to, in lower case and without a port; `nil` allows all.
  ///
  /// This stops DNS rebinding: a page can make its own name point at this machine, but its requests still carry that
  /// name.
  public let hosts: Set<String>?
  /// Whether numeric addresses are allowed besides the names: a page cannot make one of those point elsewhere.
  public let allowsAddresses: Bool
  /// The model that a page may load, to answer by itself; `nil` for none.
  public let pageModel: PageModel?
  /// The table network by which a page plays Set; `nil` for none.
  public let setModel: StaticSite.Model?
  let queue = SearchQueue()
  let page: PageFiles

  /// The names by which this machine reaches itself.
  public static let loopbackHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

  /// - Precondition: there is at least one agent.
  public init(
    agents: [WebAgent], plies: Int = 2, milliseconds: Int? = nil, runs: RunShelf? = nil,
    hosts: Set<String>? = WebService.loopbackHosts, allowsAddresses: Bool = false, pageModel: PageModel? = nil,
    setModel: StaticSite.Model? = nil
  ) {
    precondition(!agents.isEmpty, "a server offers at least one agent")
    self.agents = agents
    self.plies = plies
    self.milliseconds = milliseconds
    self.runs = runs
    self.hosts = hosts
    self.allowsAddresses = allowsAddresses
    self.pageModel = pageModel
    self.setModel = setModel
    var page = PageFiles()
    for (file, address) in [(pageModel?.file, PageModel.address), (setModel?.file, PageModel.setAddress)] {
      if let file { page.add(file, type: "application/octet-stream", at: "/" + address) }
    }
    self.page = page
  }

  public func respond(to request: WebRequest) async -> WebResponse {
    guard isAddressedToUs(request) else {
      return .text("this server does not go by the name '\(request.headers["host"] ?? "")'", status: 421)
    }
    do {
      return try await route(request).compressed(request.acceptsGzip)
    } catch {
      let response = error.response
      return Self.openPaths.contains(request.path) ? response.readableByAllPages() : response
    }
  }

  /// The paths that pages of other servers may read too.
  private static let openPaths: Set<String> = ["/move", "/analyze"]

  private func isAddressedToUs(_ request: WebRequest) -> Bool {
    guard let hosts, let host = request.headers["host"]?.lowercased() else { return true }
    var name = host[...]
    if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber), !hosts.contains(host) {
      name = host[..<colon]
    }
    // A name may end in the point that stands for the root of all names.
    if name.hasSuffix(".") { name = name.dropLast() }
    return hosts.contains(String(name)) || (allowsAddresses && Self.isAddress(name))
  }

  private static func isAddress(_ name: Substring) -> Bool {
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }

  private func route(_ request: WebRequest) async throws(WebProblem) -> WebResponse {
    let path = request.path
    if Self.openPaths.contains(path) {
      if request.method == "OPTIONS" { return Self.options }
      try Self.allow(["GET", "HEAD", "OPTIONS"], request)
      try Self.checkParameters(of: request)
      return try await (path == "/move" ? move(request) : analyze(request)).readableByAllPages()
    }
    if let response = page.response(to: request) {
      try Self.allow(["GET", "HEAD"], request)
      return response
    }
    try Self.checkParameters(of: request)
    switch path {
    case "/api/state":
      try Self.allow(["GET", "HEAD"], request)
      return state
    case "/api/runs":
      try Self.allow(["GET", "HEAD"], request)
      return try listRuns()
    case "/api/metrics":
      try Self.allow(["GET", "HEAD"], request)
      return try metrics(request)
    case "/api/settings":
      try Self.allow(["GET", "HEAD"], request)
      return try settings(request)
    case "/api/game":
      try Self.allow(["GET", "HEAD"], request)
      return try keptGame(request)
    default:
      throw .notFound(path)
    }
  }

  private static func allow(_ methods: [String], _ request: WebRequest) throws(WebProblem) {
    guard methods.contains(request.method) else { throw .badMethod(request.method, allowed: methods) }
  }

  /// The answer to a CORS preflight request, which a browser sends before a request to another server than its page's.
  private static var options: WebResponse {
    var response = WebResponse(status: 204, type: "text/plain", body: []).readableByAllPages()
    response.headers["Allow"] = "GET, HEAD, OPTIONS"
    response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
    response.headers["Access-Control-Allow-Headers"] = "*"
    // Older versions of Chromium ask for this before a page of a public address may send requests to this machine.
    response.headers["Access-Control-Allow-Private-Network"] = "true"
    return response
  }

  private var state: WebResponse {
    struct State: Encodable {
      struct Agent: Encodable {
        let name, title: String
        let maximumPlies, maximumRollouts, maximumMilliseconds: Int
        let evaluators: [WebAgent.EvaluatorName]
        let usesModel, valuesMoves: Bool
      }
      struct Local: Encodable { let agent, address: String }
      struct Model: Encodable { let title, model: String }
      let agents: [Agent]
      let plies: Int
      let runs: Bool
      /// The agent that the page can be itself, with a model from the server.
      let local: Local?
      /// The model of Set for the page.
      let set: Model?
    }
    return .json(
      State(
        agents: agents.map {
          .init(
            name: $0.name, title: $0.title, maximumPlies: $0.maximumPlies, maximumRollouts: $0.maximumRollouts,
            maximumMilliseconds: $0.maximumMilliseconds, evaluators: $0.evaluators, usesModel: $0.usesModel,
            valuesMoves: $0.valuesMoves)
        },
        plies: plies, runs: runs != nil,
        local: pageModel.map { .init(agent: $0.agent, address: PageModel.address) },
        set: setModel.map { .init(title: $0.title, model: PageModel.setAddress) }))
  }
}

extension WebService {
  private static let agentParameters = ["agent", "plies", "evaluator", "rollouts", "milliseconds", "four"]

  /// The parameters that a request may have. The value is `nil` when the service has nothing at the request's path.
  private static func parameters(of request: WebRequest) -> [String]? {
    switch request.path {
    case "/move", "/analyze": ["board"] + agentParameters
    case "/api/game": ["run", "game"]
    case "/api/metrics": ["run", "from", "mark"]
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
