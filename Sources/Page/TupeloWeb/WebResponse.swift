internal import Foundation
internal import TupeloNetwork

/// An HTTP response before it is encoded.
public struct WebResponse: Hashable, Sendable {
  public var status: Int
  public var headers: [String: String]
  public var body: [UInt8]

  public init(status: Int = 200, type: String, headers: [String: String] = [:], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.headers["Content-Type"] = type
    self.body = body
  }

  /// A response in plain text: a move, or a reason.
  public static func text(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  /// A response in JSON with sorted keys.
  static func json(_ value: some Encodable) -> WebResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return WebResponse(type: "application/json", body: [UInt8](try encoder.encode(value)))
    } catch {
      return .text("the answer cannot be written as JSON: a value is not finite", status: 500)
    }
  }

  /// The response with permission for all pages to read it, also pages of other servers.
  func readableByAllPages() -> WebResponse {
    var response = self
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
  }

  /// Bodies up to this number of bytes are not compressed: headers take about as much as compression saves.
  private static let smallBody = 1024

  /// Whether the body depends on what the client accepts. Models and images are dense already.
  private var isCompressible: Bool {
    let type = headers["Content-Type"] ?? ""
    let isText = type.hasPrefix("text/") || type == "application/json" || type == "application/wasm"
    return status == 200 && isText && body.count > Self.smallBody && headers["Content-Encoding"] == nil
  }

  /// The response for a client that accepts gzip, and for one that does not. A body that is compressed has another tag
  /// (RFC 9110, section 8.8.3.3).
  func compressed(_ acceptsGzip: Bool) -> WebResponse {
    guard isCompressible else { return self }
    var response = self
    response.headers["Vary"] = "Accept-Encoding"
    guard acceptsGzip, let packed = Zlib.gzip(body), packed.count < body.count else { return response }
    response.body = packed
    response.headers["Content-Encoding"] = "gzip"
    response.headers["ETag"] = headers["ETag"].map { "\($0.dropLast())-gzip\"" }
    return response
  }

  /// The bytes of an HTTP/1.1 response before its body. The length is the length of the body, even when HEAD leaves the
  /// body out.
  ///
  /// - Parameter closing: whether the response says that the connection ends here
  func head(closing: Bool = false) -> [UInt8] {
    var fields = headers
    // Status 204 has neither a body nor a length.
    if status != 204 { fields["Content-Length"] = String(body.count) }
    fields["Connection"] = closing ? "close" : "keep-alive"
    fields["X-Content-Type-Options"] = "nosniff"
    fields["Cache-Control"] = fields["Cache-Control"] ?? "no-store"
    fields["Cross-Origin-Resource-Policy"] = fields["Cross-Origin-Resource-Policy"] ?? "same-origin"
    let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
    return Array("HTTP/1.1 \(status) \(Self.phrase(status))\r\n\(lines.joined())\r\n".utf8)
  }

  /// The reason phrase of a status code, by RFC 9110.
  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 413: "Content Too Large"
    case 421: "Misdirected Request"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Status"
    }
  }
}
