internal import TupeloBase

/// A decoded request within limits, as handlers see it.
public struct WebRequest: Hashable, Sendable {
  /// The method as sent, in capitals: `GET`.
  public var method: String
  /// The path, percent-decoded and without the query: `/analyze`.
  public var path: String
  /// The query, percent-decoded, with `+` read as a space; no name occurs twice.
  public var query: [String: String]
  /// The headers by lower-case name.
  public var headers: [String: String]
  public var body: [UInt8]

  /// - Parameters:
  ///   - method: the method as sent, in capitals: `GET`
  ///   - target: the text between method and version in a request line: `/move?board=1200...`
  ///   - headers: the headers by lower-case name
  ///   - body: the bytes of the body; empty for none
  /// - Throws: `WebRequestError` when the target cannot be decoded.
  public init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = [])
    throws(WebRequestError)
  {
    let (target, authority) = Self.withoutAuthority(target)
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("/") else { throw .badTarget(String(target.prefix(80))) }
    self.method = method
    path = try PercentEncoding.decode(first, plusIsSpace: false)
    query = parts.count > 1 ? try Self.query(of: parts[1]) : [:]
    self.headers = headers
    if let authority { self.headers["host"] = authority }
    self.body = body
  }

  /// Whether the client accepts gzip (RFC 9110, section 12.5.3): by name, else by `*`, and not with the weight 0.
  var acceptsGzip: Bool {
    var weights: [String: Bool] = [:]
    for item in (headers["accept-encoding"] ?? "").lowercased().split(separator: ",") {
      let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
      if let name = parts.first { weights[name] = weight ?? 1 > 0 }
    }
    return weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? false
  }

  /// A target may name the server, as to a proxy: its name then stands for the header `Host` (RFC 9112, section 3.2.2).
  private static func withoutAuthority(_ target: String) -> (target: String, authority: String?) {
    guard target.lowercased().hasPrefix("http://") else { return (target, nil) }
    let rest = target.dropFirst("http://".count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty else { return (target, nil) }
    let path = rest.dropFirst(authority.count)
    return (path.hasPrefix("/") ? String(path) : "/" + path, String(authority))
  }

  private static func query(of text: Substring) throws(WebRequestError) -> [String: String] {
    var query: [String: String] = [:]
    for item in text.split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try PercentEncoding.decode(pair[0], plusIsSpace: true)
      let value = pair.count > 1 ? try PercentEncoding.decode(pair[1], plusIsSpace: true) : ""
      guard query.updateValue(value, forKey: name) == nil else { throw .repeatedParameter(String(name.prefix(40))) }
    }
    return query
  }
}

/// Decodes percent signs strictly by RFC 3986, section 2.1: two hex digits follow each, and the bytes are UTF-8.
enum PercentEncoding {
  static func decode(_ text: Substring, plusIsSpace: Bool) throws(WebRequestError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          throw .badEscape(String(text.prefix(80)))
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard let decoded = String(validUTF8: bytes) else { throw .badEscape(String(text.prefix(80))) }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
