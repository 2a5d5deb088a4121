import Foundation
import TestSupport
import Testing
import TupeloBase
import TupeloEngine
import TupeloWeb

/// The server on a real socket, asked by another program.
@Suite struct ServerTests {
  private static let hasPython = (try? Python.run("import http.client")) != nil

  private static let questions = """
    import http.client, socket, sys, threading
    port = int(sys.argv[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    for path in ("/move?board=1200000000000000", "/nothing", "/", "/move?board=12"):
        connection.request("GET", path)
        response = connection.getresponse()
        print(response.status, len(response.read()) > 0)
    bad = []
    def noise(data):
        one = socket.create_connection(("127.0.0.1", port), timeout=300)
        try:
            one.sendall(data)
            answer = one.recv(100000)
            if not answer.startswith(b"HTTP/1.1 4"): bad.append(answer)
        except ConnectionError: pass
        finally: one.close()
    for data in (b"\\x16\\x03\\x01\\r\\n\\r\\n", b"GET / HTTP/1.1\\r\\nX: " + b"a" * 3000000, b"GET /%zz \
    HTTP/1.1\\r\\n\\r\\n"): noise(data)
    left = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    for one in left: one.sendall(b"GET / HT"); one.close()
    results = []
    def many():
        own = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        for _ in range(20):
            own.request("GET", "/move?board=1200000000000000&plies=2")
            results.append(own.getresponse().read())
    threads = [threading.Thread(target=many) for _ in range(20)]
    for one in threads: one.start()
    for one in threads: one.join()
    print(len(results), len(set(results)), bad)
    """

  @Test(.enabled(if: hasPython, "python3 is not installed: the server is not asked over a socket"))
  func otherProgramsAskIt() async throws {
    let server = RunningServer(.stub())
    let port = try await server.port()
    let output = try await OwnThread.run { try Python.run(Self.questions, "\(port)") }
    await server.stop()
    #expect(output == "200 True\n404 True\n200 True\n400 True\n400 1 []\n")
  }

  /// No search begins for a client that has left; only searches that have begun are finished.
  ///
  /// The server notices soon that a client has left, but nothing shows when it has. The test gives it a moment, and in
  /// another try more, because a busy machine needs more.
  @Test(.timeLimit(.minutes(5)), .enabled(if: hasPython, "python3 is not installed: no client leaves its server"))
  func workOfClientsThatLeaveEnds() async throws {
    let threads = max(Processors.count, 2)
    var begun = 0
    for seconds in [0.25, 1, 4, 16, 64] where begun != threads + 1 {
      begun = try await searches(threads: threads, clients: threads + 40, noticedWithin: seconds)
    }
    // Each thread has begun one search before the clients left. One more search is for the client that stays.
    #expect(begun == threads + 1, "\(begun) of \(threads + 41) searches")
  }

  private static let leaving = """
    import os, socket, sys, time
    ask = b"GET /move?board=1200000000000000 HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
    clients = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
    for one in clients: one.sendall(ask)
    end = time.monotonic() + 120
    while not os.path.exists(sys.argv[3]) and time.monotonic() < end: time.sleep(0.01)
    for one in clients: one.close()
    """

  /// The number of searches that begin when every thread has a search and all clients leave before it ends. The last
  /// search is for another client, which stays.
  private func searches(threads: Int, clients: Int, noticedWithin seconds: Double) async throws -> Int {
    let (asked, gate) = (Counter(), Gate())
    let slow = WebAgent(name: "slow", title: "Slow", maximumPlies: 0, isSlow: true) { _, _, _ in
      asked.add(1)
      gate.wait()
      return .init(move: .left, analysis: nil)
    }
    let service = WebService(agents: [slow])
    let server = RunningServer(service)
    let port = try await server.port()
    let sign = TemporaryFile.path("leave")
    defer { TemporaryFile.remove(sign) }
    async let script = OwnThread.run { try Python.run(Self.leaving, "\(port)", "\(clients)", sign) }
    while asked.value < threads { try await Task.sleep(for: .milliseconds(5)) }
    try Data().write(to: URL(fileURLWithPath: sign))
    _ = try await script
    try await Task.sleep(for: .seconds(seconds))
    gate.open()
    // This request is the last one in the queue: every search that should begin has begun by then.
    #expect(try await service.get("/move?board=1200000000000000").text == "l")
    await server.stop()
    return asked.value
  }

  private static let crowd = """
    import socket, sys, time
    port = int(sys.argv[1])
    def connect():
        one = socket.create_connection(("127.0.0.1", port), timeout=300)
        return one
    ask = b"GET /api/state HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
    one = connect()
    def answers(count):
        text = b""
        while text.count(b"HTTP/1.1 200") < count or not text.endswith(b"}"): text += one.recv(65536)
    one.sendall(ask); answers(1)
    # Answers that are held back always take 40 ms. On a busy machine other answers take as long, but not all of them.
    fastest, end = 1, time.monotonic() + 120
    while fastest >= 0.03 and time.monotonic() < end:
        begin = time.monotonic()
        one.sendall(ask + ask); answers(2)
        fastest = min(fastest, time.monotonic() - begin)
    other = connect(); other.sendall(ask); other.recv(65536)
    third = connect(); third.sendall(ask)
    print(third.recv(65536).split(b"\\r\\n")[0].decode(), fastest < 0.03)
    """

  /// Answers to requests that arrive together are not delayed, and a client that is not admitted gets an answer.
  @Test(.enabled(if: hasPython, "python3 is not installed: the server is not asked over a socket"))
  func crowdsAreToldAndPipelinesFlow() async throws {
    var limits = WebLimits.patient
    limits.connections = 2
    let server = RunningServer(.stub(), limits: limits)
    let port = try await server.port()
    let output = try await OwnThread.run { try Python.run(Self.crowd, "\(port)") }
    await server.stop()
    #expect(output == "HTTP/1.1 503 Service Unavailable True\n")
  }

  private static let halfOpen = """
    import socket, sys, time
    port = int(sys.argv[1])
    def connect(data):
        one = socket.create_connection(("127.0.0.1", port), timeout=300)
        one.sendall(data)
        return one
    def status(one): return one.recv(65536).split(b"\\r\\n")[0].decode()
    ask = b"GET /api/state HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"
    # The server asks for the body, so it has read the head, and it accepts connections in their order.
    half = connect(b"POST /move HTTP/1.1\\r\\nHost: a\\r\\nExpect: 100-continue\\r\\nContent-Length: 5\\r\\n\\r\\n")
    half.recv(65536)
    silent = connect(b"")
    third = connect(ask)
    print(status(third))
    print(status(half))
    fourth = connect(ask)
    print(status(fourth), silent.recv(100))
    """

  /// Clients that never finish their request are closed when another client needs the connection: the one that has
  /// waited longest first.
  @Test(.enabled(if: hasPython, "python3 is not installed: the server is not asked over a socket"))
  func halfOpenConnectionsKeepNobodyOut() async throws {
    var limits = WebLimits()
    // Less than the time that the script waits: on a busy machine the silent connection may be closed only then.
    limits.seconds = 100
    limits.connections = 2
    limits.patience = 0
    let server = RunningServer(.stub(), limits: limits)
    let port = try await server.port()
    let output = try await OwnThread.run { try Python.run(Self.halfOpen, "\(port)") }
    await server.stop()
    #expect(output == "HTTP/1.1 200 OK\nHTTP/1.1 503 Service Unavailable\nHTTP/1.1 200 OK b''\n")
  }

  private static let unread = """
    import socket, sys, time
    port = int(sys.argv[1])
    def connect(path):
        one = socket.create_connection(("127.0.0.1", port), timeout=300)
        one.sendall(f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n".encode())
        return one
    readers = [connect("/model.safetensors") for _ in range(2)]
    for one in readers: one.recv(1)  # the answer has begun
    end = time.monotonic() + 120
    while time.monotonic() < end:
        status = connect("/api/state").recv(65536).split(b"\\r\\n")[0].decode()
        if status == "HTTP/1.1 200 OK": break
        time.sleep(0.1)
    print(status)
    """

  /// Clients that do not read their answers are closed in the same way. The answer is larger than the system's buffer.
  @Test(.enabled(if: hasPython, "python3 is not installed: the server is not asked over a socket"))
  func unreadAnswersKeepNobodyOut() async throws {
    // Otherwise they would stay for the time of these limits.
    var limits = WebLimits.patient
    limits.connections = 2
    limits.patience = 0
    let model = PageModel(agent: "stub", file: [UInt8](repeating: 7, count: 20_000_000))
    let server = RunningServer(WebService(agents: WebService.stub().agents, pageModel: model), limits: limits)
    let port = try await server.port()
    let output = try await OwnThread.run { try Python.run(Self.unread, "\(port)") }
    await server.stop()
    #expect(output == "HTTP/1.1 200 OK\n")
  }

  private static let stalled = """
    import os, socket, sys, time
    port = int(sys.argv[1])
    one = socket.socket()
    one.settimeout(300)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    one.connect(("127.0.0.1", port))
    one.sendall(b"GET /model.safetensors HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    one.recv(1, socket.MSG_PEEK)  # the answer has begun
    # The server's end of the connection in the system's table: state 01 until the server has given up.
    def is_open():
        ends = f":{port:04X}", f":{one.getsockname()[1]:04X}"
        with open("/proc/net/tcp") as table: rows = [line.split() for line in table]
        return any((row[1][-5:], row[2][-5:]) == ends and row[3] == "01" for row in rows[1:])
    if os.path.exists("/proc/net/tcp"):
        while is_open(): time.sleep(0.05)
    else: time.sleep(4)
    count = 0
    while data := one.recv(65536): count += len(data)
    print(65536 < count < 1000000)
    """

  /// The system keeps little of an answer that a client does not read, so that the time for each piece counts.
  @Test(.slow, .enabled(if: hasPython, "python3 is not installed: the server is not asked over a socket"))
  func unreadAnswersFillSmallBuffers() async throws {
    var limits = WebLimits()
    limits.seconds = 1
    let model = PageModel(agent: "stub", file: [UInt8](repeating: 7, count: 20_000_000))
    let server = RunningServer(WebService(agents: WebService.stub().agents, pageModel: model), limits: limits)
    let port = try await server.port()
    let output = try await OwnThread.run { try Python.run(Self.stalled, "\(port)") }
    await server.stop()
    #expect(output == "True\n")
  }

  @Test func takenPortIsNamed() async throws {
    let server = RunningServer(.stub())
    let port = try await server.port()
    let error = await #expect(throws: WebServerError.self) { try await WebServer(.stub(), port: port).run() }
    #expect(
      error.map { "\($0)" } == "port \(port) is in use: stop the program using it, or choose another with --port")
    await server.stop()
    let again = RunningServer(.stub())
    #expect(try await again.port() > 0, "a server that was stopped is gone")
    await again.stop()
  }

  @Test(arguments: ["192.0.2.1", "nonsense", "999.1.1.1", "fe80::zz"])
  func addressesThatAreNotOursAreNamed(host: String) async {
    // The `errno` of an earlier failure must not change the text.
    errno = EADDRINUSE
    let error = await #expect(throws: WebServerError.self) { try await WebServer(.stub(), host: host, port: 0).run() }
    #expect(error.map { "\($0)".contains(host) && "\($0)".contains("127.0.0.1") } == true)
  }

  @Test func loopbackIsToldFromTheRest() {
    for host in ["127.0.0.1", "localhost", "::1", "127.8.8.8"] { #expect(WebServer.isLoopback(host)) }
    for host in ["0.0.0.0", "::", "192.168.1.2", "example.org"] { #expect(!WebServer.isLoopback(host)) }
  }
}
