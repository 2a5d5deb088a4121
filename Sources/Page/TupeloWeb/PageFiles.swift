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

  /// The modules of the page by their paths, such as `core/text.js`.
  static let modules = Dictionary(
    uniqueKeysWithValues: (0..<tupelo_page_module_count()).map { number in
      (
        unsafe String(cString: tupelo_page_module_path(number)),
        unsafe String(cString: tupelo_page_module_text(number))
      )
    })

  /// The engine as text, for a script that runs before the modules: it is there without a request of its own.
  static var engine: String {
    "const ENGINE = \"\(Data(unsafe bytes(of: tupelo_page_engine())).base64EncodedString())\";\n"
  }

  /// The engine and all modules as one script, for pages that need no server.
  ///
  /// A browser does not import modules into a page that was opened from a disk. Here each module follows those that it
  /// imports, and all of them share one scope: names at the top of a module differ from those of all other modules.
  static var script: String {
    var parts = [String](), added = Set<String>()
    func add(_ path: String) {
      guard added.insert(path).inserted, let text = modules[path] else { return }
      let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for (_, way, name) in text.matches(of: #/(?m)^import [^;]*"(\.\.?/)([^"]+)";/#).map(\.output) {
        add("\(way == "./" ? folder : "")\(name)")
      }
      let code = text.replacing(#/(?m)^import [^;]*;\n/#, with: "")
      parts.append(code.replacing(#/(?m)^export /#, with: ""))
    }
    add("page.js")
    return "(() => {\n\"use strict\";\n\(engine)\(parts.joined())})();\n"
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
      "/page.css": Self.file("text/css; charset=utf-8", Self.styles), "/engine.js": Self.script(Self.engine),
    ]
    for (path, text) in Self.modules { files["/\(path)"] = Self.script(text) }
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

  private static func script(_ text: String) -> File { file("text/javascript; charset=utf-8", Array(text.utf8)) }

  /// A name for contents: FNV-1a (64 bits), of `body` after the contents that `seed` is the hash of.
  static func hash(of body: [UInt8], after seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    body.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
