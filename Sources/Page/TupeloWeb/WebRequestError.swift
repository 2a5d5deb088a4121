/// The reason why the bytes of a client are not a valid request.
public enum WebRequestError: Error, Hashable, Sendable {
  case badRequestLine(String)
  case badTarget(String)
  case badEscape(String)
  case badHeader(String)
  case controlCharacter(UInt8)
  case badVersion(String)
  case badContentLength(String)
  case missingHost
  case repeatedHeader(String)
  case repeatedParameter(String)
  case unsupportedTransfer(String)
  case headTooLarge(limit: Int)
  case bodyTooLarge(limit: Int)
  case tooSlow(seconds: Int)
  case tooManyConnections(limit: Int)
}

extension WebRequestError {
  /// The HTTP status of the error.
  public var status: Int {
    switch self {
    case .badRequestLine, .badTarget, .badEscape, .badHeader, .controlCharacter, .badContentLength, .missingHost,
      .repeatedHeader, .repeatedParameter:
      400
    case .badVersion: 505
    case .unsupportedTransfer: 501
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    case .tooSlow: 408
    case .tooManyConnections: 503
    }
  }
}

extension WebRequestError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badRequestLine(let line): "'\(line)' is not a request line: expected a method, a target and HTTP/1.1"
    case .badTarget(let target): "'\(target)' is not a target: it begins with /"
    case .badEscape(let text): "'\(text)' has a bad escape: % is followed by two hex digits, and the bytes are UTF-8"
    case .badHeader(let line): "'\(line)' is not a header: expected a name, a colon and a value"
    case .controlCharacter(let byte):
      "the request line or a header has the control character 0x"
        + "\(byte < 16 ? "0" : "")\(String(byte, radix: 16)): leave it out"
    case .badVersion(let version): "'\(version)' is not supported: use HTTP/1.1"
    case .badContentLength(let text): "Content-Length is '\(text)': expected a number of bytes"
    case .missingHost: "the header Host is missing"
    case .repeatedHeader(let name): "the header \(name) is there twice"
    case .repeatedParameter(let name): "the parameter '\(name)' is there twice"
    case .unsupportedTransfer(let coding): "Transfer-Encoding \(coding) is not supported: send a Content-Length"
    case .headTooLarge(let limit): "the request line and headers are longer than \(limit) bytes"
    case .bodyTooLarge(let limit): "the body is longer than \(limit) bytes"
    case .tooSlow(let seconds): "the request was not there after \(seconds) seconds"
    case .tooManyConnections(let limit): "\(limit) clients are connected, which is the limit: try again later"
    }
  }
}
