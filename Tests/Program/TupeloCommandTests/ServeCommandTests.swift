import Foundation
import TestSupport
import Testing
import Tupelo
import TupeloNetwork

/// The server as a process, to which another process sends requests.
@Suite(.serialized) final class ServeCommandTests {
  private static let hasPython = (try? Python.run("import http.client")) != nil
  private let folder: String

  init() throws {
    folder = TemporaryFile.path("serve")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { TemporaryFile.remove(folder) }

  /// Prints the agents, the analysis of a board by each of them, and the answers to bad requests.
  private static let questions = """
    import http.client, json, sys
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=300)
    def get(path):
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read().decode()
    print(*get("/move?board=1234000000000000"))
    print(*get("/move?board=1212212112122121"))
    agents = [one["name"] for one in json.loads(get("/api/state")[1])["agents"]]
    print(*agents)
    for agent in agents:
        status, text = get(f"/analyze?board=1230020031004211&plies=1&agent={agent}")
        reply = json.loads(text)
        values = [float(one["value"]) if "value" in one else None for one in reply["moves"]]
        print(status, reply["plies"], [one["legal"] for one in reply["moves"]], values)
    for path in ("/move?board=12", "/analyze?board=1230020031004211&plies=4", "/nothing"):
        print(*get(path))
    """

  @Test(.enabled(if: hasPython, "python3 is not installed: the running server is not asked"))
  func answersOtherPrograms() throws {
    let model = folder + "/small.safetensors"
    try RandomModel.save(to: model, seed: 6)
    let server = try RunningProgram(["serve", model, "--port", "0"])
    let port = try server.value(after: "listening on http://127.0.0.1:", upTo: "/")
    let lines = try Python.run(Self.questions, port).split(separator: "\n").map(String.init)
    try #require(lines.count == 12, "\(lines)")
    #expect(lines[0] == "200 d" && lines[1] == "200 g")
    #expect(lines[2] == "network heuristic greedy minimax montecarlo random")
    let board = try Board(hex: "1230020031004211")
    var network = Expectimax(try NTupleNetwork(path: model), plies: 1)
    var heuristic = Expectimax(HeuristicEvaluator(), plies: 1)
    #expect(lines[3] == Self.answer(network.analyze(board)))
    #expect(lines[4] == Self.answer(heuristic.analyze(board)))
    #expect(lines[5...6].allSatisfy { $0.hasPrefix("200 1 [True, True, True, True] [") && !$0.contains("None") })
    #expect(lines[7].hasPrefix("200 0 [True, True, True, True] [") && !lines[7].contains("None"))
    #expect(lines[8] == "200 0 [True, True, True, True] [None, None, None, None]")
    #expect(lines[9] == "400 a board has 16 hex digits, this has 2")
    #expect(lines[10] == "400 plies is '4': give 1 to 3" && lines[11].hasPrefix("404 "))
    let end = server.interrupt()
    #expect(end.output.hasPrefix("loading \(model)\n"), "a message says first what takes long: \(end.output)")
    #expect(end.status == 0 && end.output.hasSuffix("\nstopped\n"))
  }

  /// The line that the script prints for an analysis.
  private static func answer(_ analysis: MoveAnalysis) -> String {
    "200 1 [True, True, True, True] [" + analysis.candidates.map { "\($0.value)" }.joined(separator: ", ") + "]"
  }

  /// The page gets a model of Set: a file for play as it is, and a checkpoint in compact form.
  @Test(.enabled(if: hasPython, "python3 is not installed: the running server is not asked"))
  func servesAModelOfSet() throws {
    let model = folder + "/run"
    let training = try Program.run([
      "train", "--set", "game=set", "--set", "training.games=100", "--set", "training.threads=1", "--set",
      "evaluation.games=20", "--output", model,
    ])
    #expect(training.status == 0, "\(training)")
    let shipped = "models/set/model.safetensors"
    for (path, title) in [(model, "run"), (shipped, "set")] {
      let server = try RunningProgram(["serve", path, "--port", "0"])
      let port = try server.value(after: "listening on http://127.0.0.1:", upTo: "/")
      let output = try Python.run(Self.questionsOfSet, port)
      let lines: [String] = [
        "heuristic greedy minimax montecarlo random", "{'model': 'set.safetensors', 'title': '\(title)'}", "True",
      ]
      #expect(output == lines.map { "\($0)\n" }.joined(), "\(path)")
      let end = server.interrupt()
      #expect(end.status == 0 && end.output.hasSuffix("\nstopped\n"))
    }
  }

  @Test func refusesADenseModelOfSet() throws {
    let model = folder + "/dense"
    let training = try Program.run([
      "train", "--set", "game=set", "--set", "network.dense.hidden=[8]", "--set", "learner.batch=8", "--set",
      "training.games=20", "--set", "evaluation.games=0", "--output", model,
    ])
    #expect(training.status == 0, "\(training)")
    let result = try Program.run(["serve", model, "--port", "0"])
    #expect(result.status == 1 && !result.output.contains("listening"))
    let reason = "is not a table network of Set, which the page needs: name another model"
    #expect(result.errors == "Error: \(model): \(reason)\n", "\(result)")
  }

  private static let questionsOfSet = """
    import json, sys, urllib.request
    def get(path): return urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}{path}", timeout=300).read()
    state = json.loads(get("/api/state"))
    print(*[agent["name"] for agent in state["agents"]])
    print(state["set"])
    print(0 < len(get("/" + state["set"]["model"])) < 1_000_000)
    """

  /// A proxy passes requests on with the name that the browser has typed.
  @Test(.enabled(if: hasPython, "python3 is not installed: the running server is not asked"))
  func goesByTheNameOfAProxy() throws {
    let server = try RunningProgram(["serve", "--port", "0", "--name", "Play.example", "--name", "other.example"])
    let port = try server.value(after: "listening on http://127.0.0.1:", upTo: "/")
    let script = """
      import http.client, sys
      for host in ("play.example", "play.example:443", "other.example", "127.0.0.1", "evil.example"):
          connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=300)
          connection.request("GET", "/api/state", headers={"Host": host})
          print(connection.getresponse().status)
      """
    #expect(try Python.run(script, port) == "200\n200\n200\n200\n421\n")
    #expect(server.interrupt().status == 0)
  }

  @Test func linkedRunsAreNotLeftOutWithoutAWord() throws {
    try FileManager.default.createDirectory(atPath: folder + "/disk/run", withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder + "/runs", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: folder + "/disk/run/metrics.jsonl"))
    try FileManager.default.createSymbolicLink(atPath: folder + "/runs/far", withDestinationPath: "../disk/run")
    let server = try RunningProgram(["serve", "--port", "0", "--runs", folder + "/runs"])
    #expect(try server.value(after: "note: links in \(folder)/runs are not followed: ", upTo: "\n") == "far")
    _ = try server.value(after: "listening on http://127.0.0.1:", upTo: "/")
    #expect(server.interrupt().status == 0)
  }

  @Test func ctrlCEndsItWellAndATakenPortIsNamed() throws {
    let server = try RunningProgram(["serve", "--port", "0", "--max-plies", "2"])
    let port = try server.value(after: "listening on http://127.0.0.1:", upTo: "/")
    let second = try Program.run(["serve", "--port", port])
    #expect(second.status != 0 && !second.output.contains("listening"))
    #expect(
      second.errors == "Error: port \(port) is in use: stop the program using it, or choose another with --port\n")
    let end = server.interrupt()
    #expect(end.status == 0 && end.output.hasSuffix("\nstopped\n"), "\(end)")
    let again = try RunningProgram(["serve", "--port", port])
    #expect(try again.value(after: "listening on http://127.0.0.1:", upTo: "/") == port)
    #expect(again.interrupt().status == 0)
  }

  @Test(
    arguments: [
      (["missing.safetensors"], "missing.safetensors"), (["EMPTY"], "empty.safetensors"),
      (["--plies", "9"], "--plies is 9: give 1 to 3"), (["--max-plies", "5"], "--max-plies is 5: give 1 to 4"),
      (["--plies", "3", "--max-plies", "2"], "--plies is 3: give 1 to 2"),
      (["--port", "65536"], "--port is 65536: give 0 to 65535"),
      (["--name", "https://play.example"], "--name is https://play.example: give the name of a host"),
      (["--runs", "missing"], "missing"), (["--host", "nonsense"], "--host takes an address"),
      (["SMALL"], "the page shows 4x4"),
    ] as [([String], String)]) func refusesBadArguments(_ arguments: [String], _ fact: String) throws
  {
    let empty = folder + "/empty.safetensors"
    try Data().write(to: URL(fileURLWithPath: empty))
    let small = folder + "/3x3.safetensors"
    let shape = try BoardShape(rows: 3, columns: 3)
    try NTupleNetwork(NetworkSpecification(patterns: [try TuplePattern(text: "012", shape: shape)], shape: shape)).save(
      to: small)
    let result = try Program.run(
      ["serve", "--port", "0"] + arguments.map { ["EMPTY": empty, "SMALL": small][$0] ?? $0 })
    #expect(result.status != 0 && !result.output.contains("listening"))
    #expect(result.errors.split(separator: "\n").first?.contains(fact) == true, "\(result)")
  }
}
