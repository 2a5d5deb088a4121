import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

/// The bytes of a client and the answers to it, in memory. The client leaves when its last bytes have an answer.
actor MemoryStream: ByteStream {
  struct End: Error {}
  private var pieces: [[UInt8]]
  private let isPatient: Bool
  private(set) var sent: [UInt8] = []
  /// The length of the answers when the client sent its last bytes.
  private var answered = 0

  /// - Parameter isPatient: whether the client stays when all is answered
  init(_ pieces: [[UInt8]], isPatient: Bool = false) {
    self.pieces = pieces.reversed()
    self.isPatient = isPatient
  }

  func read() async throws -> [UInt8] {
    if let piece = pieces.popLast() {
      answered = sent.count
      return piece
    }
    // The server gives up the work for a client that leaves without its answer.
    while isPatient || sent.count == answered { try await Task.sleep(for: .milliseconds(2)) }
    throw End()
  }

  func write(_ bytes: [UInt8]) { sent += bytes }

  var text: String { String(decoding: sent, as: UTF8.self) }
}

@Suite struct ConnectionTests {
  private static func answers(to text: String, limits: WebLimits = WebLimits(), isPatient: Bool = false) async -> String
  {
    let stream = MemoryStream([Array(text.utf8)], isPatient: isPatient)
    await WebConnection(stream: stream, service: .stub(), limits: limits).run()
    return await stream.text
  }

  @Test func requestsOfOneConnectionAreAnsweredInOrder() async {
    let text = await Self.answers(
      to: "GET /move?board=1000000000000000&agent=random HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"
        + "GET /api/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET /after HTTP/1.1\r\n\r\n",
      isPatient: true)
    let starts = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
    #expect(starts == ["200", "404", "200", "200"])
    #expect(text.contains("Connection: close\r\n"))
    #expect(!text.contains("<html"), "HEAD has no body")
    let policies = text.split(separator: "\r\n").filter { $0.hasPrefix("Cross-Origin-Resource-Policy") }
      .map { $0.split(separator: " ")[1] }
    #expect(policies == ["cross-origin", "same-origin", "same-origin", "same-origin"], "moves are for all pages")
    #expect(text.hasSuffix("\"runs\":false}"))
  }

  @Test func bodiesThatWaitForAWordGetIt() async {
    let stream = MemoryStream(
      [
        Array("POST /move HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n".utf8),
        Array("hello".utf8),
      ])
    await WebConnection(stream: stream, service: .stub()).run()
    let text = await stream.text
    #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 4"), "\(text)")
  }

  @Test func malformedRequestIsToldAndTheConnectionEnds() async {
    let text = await Self.answers(to: "WHAT\r\n\r\nGET / HTTP/1.1\r\n\r\n")
    #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(text.contains("Connection: close\r\n"))
    #expect(text.hasSuffix("'WHAT' is not a request line: expected a method, a target and HTTP/1.1"))
    #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2, "one answer")
  }

  @Test func hugeHeadsAndBodiesAreRefused() async {
    let head = await Self.answers(to: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 1 << 20))
    #expect(head.hasPrefix("HTTP/1.1 431 "))
    let body = await Self.answers(to: "POST /move HTTP/1.1\r\nContent-Length: 600000\r\n\r\n")
    #expect(body.hasPrefix("HTTP/1.1 413 "))
  }

  /// The time is over at once. It counts when the server next looks at the clock, which takes up to half a second.
  @Test(.slow) func slowClientIsNotWaitedForForever() async {
    var limits = WebLimits()
    limits.seconds = 0
    let text = await Self.answers(to: "GET / HTTP/1.1\r\nHost: loc", limits: limits, isPatient: true)
    #expect(text.hasPrefix("HTTP/1.1 408 "))
    let idle = await Self.answers(
      to: "GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n", limits: limits, isPatient: true)
    #expect(idle.hasPrefix("HTTP/1.1 200 ") && !idle.contains("408"), "an idle connection ends without a word")
  }

  /// Requests with one error, invalid boards, and random bytes each get an answer.
  @Test func fuzzedConnectionsGetAnAnswerEach() async {
    var random = RandomStream(seed: 77)
    let paths = [
      "/", "/move", "/analyze", "/api/state", "/api/runs", "/api/metrics", "/engine.wasm",
    ]
    let symbols = Array("0123456789abcdefghGHz%+&=?/.{}\"-: ")
    for _ in 0..<400 {
      func noise(_ most: Int) -> String {
        String((0..<random.next(below: most)).map { _ in symbols[random.next(below: symbols.count)] })
      }
      let board = random.next(below: 3) == 0 ? noise(40) : String((0..<16).map { _ in symbols[random.next(below: 18)] })
      let body = noise(300)
      let method = ["GET", "POST", "OPTIONS", "HEAD"][random.next(below: 4)]
      let target = paths[random.next(below: paths.count)] + "?board=\(board)&plies=\(random.next(below: 4))\(noise(6))"
      let request =
        "\(method) \(target.replacing(" ", with: "%20")) HTTP/1.1\r\nHost: localhost\r\nX: \(noise(30))\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body
      let text = await Self.answers(to: request)
      #expect(text.hasPrefix("HTTP/1.1 "), "\(request)")
      #expect(!text.hasPrefix("HTTP/1.1 500"), "\(request)")
    }
  }

  /// The memory of a request is released when it is answered, not when its deadline passes. The test has a process of
  /// its own, because other tests change the memory of theirs.
  @Test(.slow, .enabled(if: ResidentMemory.bytes > 0, "the system does not report the memory in use"))
  func answeredRequestsLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let request = Array("GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      let connection = { (count: Int) in
        let stream = MemoryStream([[UInt8]](repeating: request, count: count))
        await WebConnection(stream: stream, service: .stub()).run()
      }
      await connection(1000)
      let before = ResidentMemory.bytes
      await connection(15_000)
      #expect(ResidentMemory.bytes - before < 20_000_000)
    }
  }
}
