internal import CPageFiles
internal import Foundation

/// The files of the page, embedded in the program. Nothing is read from the disk, so no path can lead anywhere else.
struct PageFiles: Sendable {
  /// A file as clients get it that accept gzip, and as others do.
  private struct File: Sendable {
    let packed, plain: WebResponse

    /// The tag names the contents.
    init(_ type: String, _ body: [UInt8]) {
      let headers = [
        "Cache-Control": "no-cache", "Content-Security-Policy": PageFiles.servedPolicy,
        "Referrer-Policy": "no-referrer", "ETag": "\"\(String(PageFiles.hash(of: body), radix: 16))\"",
      ]
      let response = WebResponse(type: type, headers: headers, body: body)
      (packed, plain) = (response.compressed(true), response.compressed(false))
    }
  }

  /// The page by its paths. A process compresses it once, for its first request.
  private static let page: [String: File] = {
    var files = [
      "/": File("text/html; charset=utf-8", Array(servedHTML.utf8)),
      "/page.css": File("text/css; charset=utf-8", styles), "/engine.wasm": File("application/wasm", engine),
      "/learn.wasm": File("application/wasm", learner),
    ]
    files["/index.html"] = files["/"]
    for (path, text) in modules { files["/\(path)"] = File("text/javascript; charset=utf-8", Array(text.utf8)) }
    return files
  }()

  /// Files that only this server has.
  private var files: [String: File] = [:]

  /// The page, without its styles and scripts.
  static var html: [UInt8] { unsafe bytes(of: tupelo_page_html()) }

  /// The page names its modules, so that a browser requests all of them at once. Imports alone would be found one after
  /// another.
  private static var servedHTML: String {
    let links = modulePaths.map { "<link rel=\"modulepreload\" href=\"\($0)\">\n" }.joined()
    let page = String(decoding: html, as: UTF8.self)
    return page.replacing("<script src", with: "\(links)<script src", maxReplacements: 1)
  }

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

  /// The engine: WebAssembly.
  static var engine: [UInt8] { unsafe bytes(of: tupelo_page_engine()) }

  /// The learner of the view Learn: WebAssembly.
  static var learner: [UInt8] { unsafe bytes(of: tupelo_page_learner()) }

  /// The engine as text, for pages that come from a disk: those cannot read other files than scripts.
  static var engineScript: String { "const ENGINE = \"\(Data(engine).base64EncodedString())\";\n" }

  /// The learner as text.
  static var learnerScript: String { "const LEARNER = \"\(Data(learner).base64EncodedString())\";\n" }

  /// The paths of the modules, each after those that it imports.
  private static var modulePaths: [String] {
    var paths = [String](), added = Set<String>()
    func add(_ path: String) {
      guard added.insert(path).inserted, let text = modules[path] else { return }
      let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for (_, way, name) in text.matches(of: #/(?m)^import [^;]*"(\.\.?/)([^"]+)";/#).map(\.output) {
        add("\(way == "./" ? folder : "")\(name)")
      }
      paths.append(path)
    }
    add("page.js")
    return paths
  }

  /// All modules as one script, for pages that need no server.
  ///
  /// A browser does not import modules into a page that was opened from a disk. In the script all modules share one
  /// scope: names at the top of a module differ from those of all other modules.
  static var script: String {
    let code = modulePaths.map { path in
      (modules[path] ?? "").replacing(#/(?m)^import [^;]*;\n/#, with: "").replacing(#/(?m)^export /#, with: "")
    }
    return "(async () => {\n\"use strict\";\n\(code.joined())})();\n"
  }

  /// The worker that keeps a static site in a browser, without the names of what it keeps.
  static var appWorker: [UInt8] { unsafe bytes(of: tupelo_app_worker()) }

  /// The manifest of a site that can be installed.
  static var appManifest: [UInt8] { unsafe bytes(of: tupelo_app_manifest()) }

  /// The icon of the app, a PNG of 192 or 512 points.
  static func appIcon(_ points: Int) -> [UInt8] { unsafe bytes(of: tupelo_app_icon(CInt(points))) }

  /// The picture of previews of links, a PNG.
  static var appPreview: [UInt8] { unsafe bytes(of: tupelo_app_preview()) }

  /// A copy of a file that the program holds. Its bytes are constants, so the pointer is valid at any time.
  @unsafe
  private static func bytes(of file: tupelo_page_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  /// Adds a file that only this server has, such as a model.
  mutating func add(_ body: [UInt8], type: String, at path: String) { files[path] = File(type, body) }

  /// The response for a file of the page; `nil` for any other path.
  func response(to request: WebRequest) -> WebResponse? {
    guard let file = files[request.path] ?? Self.page[request.path] else { return nil }
    var response = request.acceptsGzip ? file.packed : file.plain
    guard let tag = response.headers["ETag"], Self.matches(request.headers["if-none-match"], tag) else {
      return response
    }
    (response.status, response.body, response.headers["Content-Encoding"]) = (304, [], nil)
    return response
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

  /// A name for contents: FNV-1a (64 bits), of `body` after the contents that `seed` is the hash of.
  static func hash(of body: [UInt8], after seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    body.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}
