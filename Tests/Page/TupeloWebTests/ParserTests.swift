import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

/// The parser makes requests from bytes.
@Suite struct ParserTests {
  private static func parse(_ text: String, limits: WebLimits = WebLimits()) throws -> [WebRequest] {
    var parser = RequestParser(limits: limits)
    parser.append(Array(text.utf8))
    var requests: [WebRequest] = []
    while let request = try parser.next() { requests.append(request) }
    return requests
  }

  static let three =
    "\r\nGET /move?board=12%3041 HTTP/1.1\r\nHost: a:1\r\nX-Many: 1\r\nx-many:  2 \r\n\r\n"
    + "POST /move HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe\r\no" + "GET / HTTP/1.0\nhost: b\n\n"

  @Test func requestsAreTakenApart() throws {
    let requests = try Self.parse(Self.three)
    try #require(requests.count == 3)
    #expect(requests[0].method == "GET" && requests[0].path == "/move" && requests[0].query == ["board": "12041"])
    #expect(requests[0].headers == ["host": "a:1", "x-many": "1, 2"])
    #expect(requests[1].body == Array("he\r\no".utf8))
    #expect(requests[2].headers == ["host": "b", "connection": "close"])
  }

  @Test func controlCharactersAreNamedAndTabsAreNone() throws {
    let error = #expect(throws: WebRequestError.self) { try Self.parse("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n") }
    #expect(error == .controlCharacter(0) && error.map { "\($0)" }?.contains("control character 0x00") == true)
    #expect(try Self.parse("GET / HTTP/1.1\r\nHost: a\r\nX: \tb\tc\t\r\n\r\n").first?.headers["x"] == "b\tc")
  }

  /// The bytes may arrive in pieces of any size.
  @Test func piecesMakeNoDifference() throws {
    let expected = try Self.parse(Self.three)
    let bytes = Array(Self.three.utf8)
    for size in 1..<bytes.count {
      var parser = RequestParser(limits: WebLimits())
      var requests: [WebRequest] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        parser.append(Array(bytes[start..<min(start + size, bytes.count)]))
        while let request = try parser.next() { requests.append(request) }
      }
      #expect(requests == expected, "pieces of \(size)")
    }
  }

  @Test(
    arguments: [
      ("GARBAGE\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1 more\r\n\r\n", 400),
      (" GET / HTTP/1.1\r\n\r\n", 400),
      ("G\u{e9}T / HTTP/1.1\r\n\r\n", 400), ("GET / FTP/1.1\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
      ("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("GET * HTTP/1.1\r\n\r\n", 400), ("GET /%4 HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("GET / HTTP/1.1\r\n: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nBad Name: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\n folded: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\u{7f}\r\n\r\n", 400),
      ("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /\ta HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
      ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: 1e3\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 524289\r\n\r\n", 413),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501),
    ] as [(String, Int)])
  func malformedRequestsAreRefused(text: String, status: Int) {
    let error = #expect(throws: WebRequestError.self) { try Self.parse(text) }
    #expect(error?.status == status)
    #expect(error.map { "\($0)".isEmpty || "\($0)".contains("\n") } == false)
  }

  /// A target that names the server is accepted (RFC 9112, section 3.2.2).
  @Test func targetsMayNameTheServer() throws {
    let requests = try Self.parse(
      "GET http://a:1/move?board=12 HTTP/1.1\r\nHost: b\r\n\r\nGET HTTP://c HTTP/1.1\r\nHost: b\r\n\r\n")
    #expect(requests.map(\.path) == ["/move", "/"] && requests.map { $0.headers["host"] } == ["a:1", "c"])
    #expect(requests[0].query == ["board": "12"])
  }

  @Test func headsHaveABound() throws {
    var limits = WebLimits()
    limits.head = 100
    func head(of count: Int) -> String {
      let (line, end) = ("GET / HTTP/1.1\r\nHost: a\r\na: ", "\r\n\r\n")
      return line + String(repeating: "b", count: count - line.utf8.count - end.utf8.count) + end
    }
    #expect(try Self.parse(head(of: 100), limits: limits).count == 1)
    #expect(throws: WebRequestError.headTooLarge(limit: 100)) { try Self.parse(head(of: 101), limits: limits) }
    #expect(throws: WebRequestError.headTooLarge(limit: 100)) {
      try Self.parse(String(repeating: "x", count: 101), limits: limits)
    }
  }

  /// The parser answers or refuses any bytes, and never holds more of them than it may.
  @Test func randomBytesDoNoHarm() throws {
    var random = RandomStream(seed: 41)
    let alphabet = Array("GET / HTTP/1.1\r\n\r\nHost:Content-Length: 7%=&?+\u{0}\u{ff}POST".utf8)
    for _ in 0..<5_000 {
      var bytes = Array(Self.three.utf8)
      for _ in 0..<random.next(below: 12) + 1 {
        let place = random.next(below: bytes.count)
        switch random.next(below: 4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(alphabet[random.next(below: alphabet.count)], at: place)
        default: bytes.insert(contentsOf: bytes.prefix(random.next(below: bytes.count)), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      var limits = WebLimits()
      limits.head = 200
      limits.body = 50
      var parser = RequestParser(limits: limits)
      do {
        for start in stride(from: 0, to: bytes.count, by: 16) {
          parser.append(Array(bytes[start..<min(start + 16, bytes.count)]))
          while let request = try parser.next() {
            #expect(request.path.hasPrefix("/") && request.body.count <= limits.body)
          }
          #expect(parser.count <= limits.head + limits.body)
        }
      } catch {
        #expect(error.status >= 400)
      }
    }
  }
}
