import Foundation
import Testing
import TupeloWeb

/// Paths, methods and names of the service.
@Suite struct ServiceTests {
  @Test func stateNamesTheAgents() async throws {
    let text = try await WebService.stub().get("/api/state").text
    #expect(
      text == """
        {"agents":[{"evaluators":[],"maximumMilliseconds":2000,"maximumPlies":3,"maximumRollouts":0,"name":"stub",\
        "title":"Stub","usesModel":true,"valuesMoves":true},\
        {"evaluators":[],"maximumMilliseconds":0,"maximumPlies":0,"maximumRollouts":0,"name":"random",\
        "title":"Random moves","usesModel":false,"valuesMoves":false}],\
        "plies":2,"runs":false}
        """)
  }

  /// The page loads the model of Set from the server, whose state says that there is one.
  @Test func thePageGetsTheModelOfSet() async throws {
    let model = StaticSite.Model(title: "set", file: Array("weights".utf8))
    let service = WebService(agents: [.random], setModel: model)
    #expect(try await service.get("/set.safetensors").text == "weights")
    let state = try await service.get("/api/state").text
    #expect(state.contains("\"set\":{\"model\":\"set.safetensors\",\"title\":\"set\"}"), "\(state)")
    #expect(try await WebService.stub().get("/set.safetensors").status == 404)
    #expect(try await service.get("/model.safetensors").status == 404)
  }

  @Test func otherPathsAreNotThere() async throws {
    let service = WebService.stub()
    for path in [
      "/x", "/page", "//", "/../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/page.css", "/page.css/", "/api",
      "/api/runs/", "/Page/core/game.js", "/core", "/core/../page.js", "/%00",
    ] {
      #expect(try await service.get(path).status == 404, "\(path)")
    }
  }

  /// The page replays games and plays Set by itself, so the server has none of these paths.
  @Test(arguments: ["/api/replay", "/api/review?plies=1", "/set/game?seed=1", "/set/analyze?table=&unseen="])
  func endedPathsAreNotThere(_ target: String) async throws {
    for method in ["GET", "POST", "OPTIONS"] {
      let response = try await WebService.stub().get(target, method: method)
      #expect(response.status == 404, "\(method) \(target)")
      #expect(response.text == "there is nothing at \(target.prefix { $0 != "?" })")
    }
  }

  @Test func methodsThatDoNotFitAreRefused() async throws {
    let service = WebService.stub()
    for (method, path, allowed) in [
      ("POST", "/move", "GET, HEAD, OPTIONS"), ("DELETE", "/", "GET, HEAD"), ("PUT", "/analyze", "GET, HEAD, OPTIONS"),
      ("POST", "/api/state", "GET, HEAD"), ("BREW", "/page.js", "GET, HEAD"),
    ] {
      let response = try await service.get(path, method: method)
      #expect(response.status == 405)
      #expect(response.headers["Allow"] == allowed)
      #expect(response.text == "\(method) is not allowed: use \(allowed)")
    }
  }

  /// An unknown parameter may be misspelt, and then the answer would be to another request.
  @Test func unknownParametersAreRefused() async throws {
    let service = WebService.stub()
    let board = "1200000000000000"
    for (target, name) in [
      ("/analyze?board=\(board)&wibble=1", "wibble"), ("/analyze?board=\(board)&ply=3", "ply"),
      ("/move?board=\(board)&Plies=1", "Plies"), ("/move?board=\(board)&", nil), ("/move?board=\(board)&=1", ""),
      ("/api/state?x=1", "x"),
    ] {
      let response = try await service.get(target)
      guard let name else {
        #expect(response.status == 200, "\(target)")
        continue
      }
      #expect(response.status == 400, "\(target)")
      #expect(response.text.hasPrefix("there is no parameter '\(name)': this request takes "), "\(response.text)")
    }
    let known = try await service.get("/move?board=\(board)&ply=1").text
    #expect(known.hasSuffix("takes board, agent, plies, evaluator, rollouts, milliseconds, four"), "\(known)")
    #expect(try await service.get("/api/state?x=1").text.hasSuffix("this request takes none"))
    #expect(try await service.get("/nothing?x=1").status == 404)
    #expect(try await service.get("/?x=1").status == 200, "the page has no parameters to mistype")
  }

  @Test func otherPagesMayAskForMoves() async throws {
    let response = try await WebService.stub().get("/move", method: "OPTIONS")
    #expect(response.status == 204)
    #expect(response.headers["Access-Control-Allow-Origin"] == "*")
    #expect(response.headers["Access-Control-Allow-Methods"]?.contains("GET") == true)
    #expect(try await WebService.stub().get("/api/state").headers["Access-Control-Allow-Origin"] == nil)
  }

  /// A page whose own name points at this machine is refused by that name.
  @Test func foreignNamesAreRefused() async throws {
    let service = WebService.stub()
    for host in ["localhost", "localhost:2048", "127.0.0.1:80", "[::1]:2048", "LOCALHOST:1", "[::1]"] {
      #expect(try await service.get("/", headers: ["host": host]).status == 200, "\(host)")
    }
    for host in [
      "evil.example", "evil.example:2048", "localhost.evil.example", "127.0.0.1.evil.example:2048", "", ":80",
    ] {
      #expect(try await service.get("/move?board=1200000000000000", headers: ["host": host]).status == 421, "\(host)")
    }
    for host in ["localhost.", "localhost.:2048"] {
      #expect(try await service.get("/", headers: ["host": host]).status == 200, "\(host)")
    }
    let network = WebService(agents: [.random], hosts: ["tupelo.local"], allowsAddresses: true)
    for (host, status) in [
      ("192.168.1.7:2048", 200), ("[fe80::1]:2048", 200), ("tupelo.local:2048", 200), ("evil.example:2048", 421),
      ("1.2.3", 421), ("1.2.3.256", 421), ("1.2.3.4.evil.example", 421),
    ] {
      #expect(try await network.get("/", headers: ["host": host]).status == status, "\(host)")
    }
    let open = WebService(agents: [.random], hosts: nil)
    #expect(try await open.get("/", headers: ["host": "my-machine.local:2048"]).status == 200)
  }

  /// A page of another server may send a POST without asking first, and no path accepts one.
  @Test func nothingTakesAPost() async throws {
    for path in [
      "/", "/page.js", "/move?board=1200000000000000", "/analyze?board=1200000000000000", "/api/state", "/api/runs",
      "/api/game", "/api/metrics",
    ] {
      #expect(try await WebService.stub().post(path, "1200000000000000").status == 405, "\(path)")
    }
  }

  @Test func repeatedParametersAndBadEscapesAreRefused() throws {
    #expect(throws: WebRequestError.repeatedParameter("a")) { try WebRequest(method: "GET", target: "/?a=1&a=2") }
    for target in ["/%", "/%2", "/%zz", "/%ff", "/?board=%e2%82", "/?%g0=1"] {
      #expect(throws: WebRequestError.self, "\(target)") { try WebRequest(method: "GET", target: target) }
    }
    #expect(throws: WebRequestError.badTarget("move")) { try WebRequest(method: "GET", target: "move") }
    let request = try WebRequest(method: "GET", target: "/%6dove?b%6Fard=1+2%2B&x&=y&&z=a=b")
    #expect(request.path == "/move")
    #expect(request.query == ["board": "1 2+", "x": "", "": "y", "z": "a=b"])
  }
}
