internal import CPageFiles
internal import Foundation

/// The files of the page, embedded in the program. Nothing is read from the disk, so no path can lead anywhere else.
struct PageFiles: Sendable {
  private struct File: Sendable {
    let type: String
    let body: [UInt8]
    let tag: String
  }

  private var files: [String: File]

  /// The page, without its styles and scripts.
  static var html: [UInt8] { unsafe bytes(of: tupelo_page_html()) }

  /// All styles, in the order in which they apply.
  static var styles: [UInt8] { unsafe bytes(of: tupelo_page_styles()) }

  /// All scripts, after the engine as text: so it is there before the page, without a request of its own.
  static var script: [UInt8] {
    let engine = Data(unsafe bytes(of: tupelo_page_engine())).base64EncodedString()
    let scripts = unsafe bytes(of: tupelo_page_scripts())
    return Array("(() => {\n\"use strict\";\nconst ENGINE = \"\(engine)\";\n".utf8) + scripts + Array("})();\n".utf8)
  }

  /// The worker that keeps a static site in a browser, without the names of what it keeps.
  static var appWorker: [UInt8] { unsafe bytes(of: tupelo_app_worker()) }

  /// The manifest of a site that can be installed.
  static var appManifest: [UInt8] { unsafe bytes(of: tupelo_app_manifest()) }

  /// The icon of the app, a PNG of 192 or 512 points.
  static func appIcon(_ points: Int) -> [UInt8] { unsafe bytes(of: tupelo_app_icon(CInt(points))) }

  /// A copy of a file that the program holds. Its bytes are constants, so the pointer is valid at any time.
  @unsafe
  private static func bytes(of file: tupelo_page_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  init() {
    files = [
      "/": Self.file("text/html; charset=utf-8", Self.html),
      "/page.css": Self.file("text/css; charset=utf-8", Self.styles),
      "/page.js": Self.file("text/javascript; charset=utf-8", Self.script),
    ]
  }

  /// Adds a file that only this server has, such as a model.
  mutating func add(_ body: [UInt8], type: String, at path: String) { files[path] = Self.file(type, body) }

  /// The response for a file of the page; `nil` for any other path.
  func response(to request: WebRequest) -> WebResponse? {
    guard let file = files[request.path == "/index.html" ? "/" : request.path] else { return nil }
    var headers = ["Cache-Control": "no-cache", "ETag": file.tag]
    headers["Content-Security-Policy"] = Self.servedPolicy
    headers["Referrer-Policy"] = "no-referrer"
    if Self.matches(request.headers["if-none-match"], file.tag) {
      return WebResponse(status: 304, type: file.type, headers: headers, body: [])
    }
    return WebResponse(type: file.type, headers: headers, body: file.body)
  }

  /// Whether a client has the contents that a tag names; weak tags compare like strong ones (RFC 9110, section 13.1.2).
  private static func matches(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    return header.split(separator: ",").contains { part in
      let known = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
      return String(known) == "*" || String(known) == tag || String(known) == "W/" + tag
    }
  }

  /// The page uses its own files and nothing else. Its engine is WebAssembly, and the page makes the worker that hosts
  /// it.
  static let ownFilesAlone = ownFiles(workers: "blob:", more: "")

  /// A site may be installed besides: it has a manifest, and a worker that keeps it.
  static let ownAppAlone = ownFiles(workers: "'self' blob:", more: "manifest-src 'self'; ")

  private static func ownFiles(workers: String, more: String) -> String {
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src \(workers); style-src 'self'; "
      + "connect-src 'self'; img-src 'self' data:; \(more)base-uri 'none'; form-action 'none'"
  }

  /// And no other page may frame it.
  private static let servedPolicy = ownFilesAlone + "; frame-ancestors 'none'"

  /// A file with a tag for its contents.
  private static func file(_ type: String, _ body: [UInt8]) -> File {
    File(type: type, body: body, tag: "\"\(String(hash(of: body), radix: 16))\"")
  }

  /// A name for contents: FNV-1a (64 bits), of `body` after the contents that `seed` is the hash of.
  static func hash(of body: [UInt8], after seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    body.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
