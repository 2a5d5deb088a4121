internal import TupeloBase

/// Limits on a client's requests and connections.
public struct WebLimits: Sendable {
  /// The largest size of request line and headers, in bytes.
  public var head = 16 << 10
  /// The largest size of the body, in bytes. Nothing uses a body; it is read to find the next request behind it.
  public var body = 512 << 10
  /// The time for a whole request, and for the client to take each 64 KiB of an answer, in seconds. An idle connection
  /// is also closed after this time.
  public var seconds = 20
  /// The largest number of open connections.
  public var connections = 256
  /// The time, in seconds, for which a client that keeps the server waiting keeps its place when all connections are
  /// open.
  public var patience = 1

  public init() {}
}

/// Parses bytes into requests (a part of RFC 9112). It holds bytes that are not used yet, never more than the limits
/// allow.
package struct RequestParser {
  let limits: WebLimits
  private var buffer: [UInt8] = []
  /// The number of bytes already searched for the end of a head.
  private var scanned = 0
  private var head: (request: WebRequest, length: Int)?
  private var asksToGoOn = false

  package init(limits: WebLimits) { self.limits = limits }

  var isEmpty: Bool { buffer.isEmpty && head == nil }

  /// The number of bytes held that belong to no finished request.
  package var count: Int { buffer.count }

  package mutating func append(_ bytes: [UInt8]) { buffer.append(contentsOf: bytes) }

  /// True once for a client that waits for a word before it sends a body (RFC 9110, section 10.1.1).
  mutating func takeExpectation() -> Bool {
    defer { asksToGoOn = false }
    return asksToGoOn
  }

  /// The next request, or `nil` while bytes are missing.
  package mutating func next() throws(WebRequestError) -> WebRequest? {
    if head == nil { head = try takeHead() }
    guard let (request, length) = head, buffer.count >= length else { return nil }
    var complete = request
    complete.body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    head = nil
    return complete
  }

  private mutating func takeHead() throws(WebRequestError) -> (WebRequest, Int)? {
    // Empty lines before a request line are ignored (RFC 9112, section 2.2).
    let blank = buffer.prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.count
    if blank > 0, scanned == 0 { buffer.removeFirst(blank) }
    guard let end = endOfHead() else {
      guard buffer.count <= limits.head else { throw .headTooLarge(limit: limits.head) }
      return nil
    }
    guard end <= limits.head else { throw .headTooLarge(limit: limits.head) }
    let lines = buffer.prefix(end).split(separator: UInt8(ascii: "\n"))
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
    buffer.removeFirst(end)
    scanned = 0
    let (request, version) = try Self.request(lines: lines)
    let length = try bodyLength(of: request)
    guard version == "HTTP/1.0" || request.headers["host"] != nil else { throw .missingHost }
    let isComplete = buffer.count >= length
    asksToGoOn = !isComplete && request.headers["expect"]?.lowercased() == "100-continue"
    return (request, length)
  }

  /// The index after the empty line that ends a head; `nil` when it is not there yet.
  private mutating func endOfHead() -> Int? {
    let newline = UInt8(ascii: "\n")
    for index in scanned..<buffer.count where buffer[index] == newline {
      if index >= 1, buffer[index - 1] == newline { return index + 1 }
      if index >= 2, buffer[index - 1] == UInt8(ascii: "\r"), buffer[index - 2] == newline { return index + 1 }
    }
    scanned = buffer.count
    return nil
  }

  private static func request(lines: [ArraySlice<UInt8>]) throws(WebRequestError) -> (WebRequest, version: Substring) {
    try checkControls(lines)
    let line = String(decoding: lines.first ?? [], as: UTF8.self)
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy(isTokenByte) else {
      throw .badRequestLine(String(line.prefix(80)))
    }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      guard words[2].hasPrefix("HTTP/") else { throw .badRequestLine(String(line.prefix(80))) }
      throw .badVersion(String(words[2].prefix(20)))
    }
    var headers: [String: String] = [:]
    for bytes in lines.dropFirst() {
      guard let text = String(validUTF8: bytes), let colon = text.firstIndex(of: ":"),
        colon > text.startIndex, text[..<colon].utf8.allSatisfy(isTokenByte)
      else { throw .badHeader(String(String(decoding: bytes, as: UTF8.self).prefix(80))) }
      let name = text[..<colon].lowercased()
      let value = String(text[text.index(after: colon)...].trimmingSpaces)
      if let earlier = headers[name] {
        guard name != "host", name != "content-length" else { throw .repeatedHeader(name) }
        headers[name] = earlier + ", " + value
      } else {
        headers[name] = value
      }
    }
    // HTTP/1.0 closes the connection unless asked not to; this server always closes it.
    if words[2] == "HTTP/1.0" { headers["connection"] = "close" }
    return (try WebRequest(method: String(words[0]), target: String(words[1]), headers: headers), words[2])
  }

  /// A head has no control characters; a header may have tabs (RFC 9112, section 3, and RFC 9110, section 5.5).
  private static func checkControls(_ lines: [ArraySlice<UInt8>]) throws(WebRequestError) {
    for (index, line) in lines.enumerated() {
      let isControl = { (byte: UInt8) in byte < 0x20 && (index == 0 || byte != UInt8(ascii: "\t")) || byte == 0x7f }
      if let byte = line.first(where: isControl) { throw .controlCharacter(byte) }
    }
  }

  private func bodyLength(of request: WebRequest) throws(WebRequestError) -> Int {
    if let coding = request.headers["transfer-encoding"] { throw .unsupportedTransfer(String(coding.prefix(40))) }
    guard let text = request.headers["content-length"] else { return 0 }
    guard text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(text) else {
      throw .badContentLength(String(text.prefix(40)))
    }
    guard length <= limits.body else { throw .bodyTooLarge(limit: limits.body) }
    return length
  }

  /// Whether a byte may be in the name of a method or header (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at both ends.
  fileprivate var trimmingSpaces: SubSequence {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return text
  }
}
