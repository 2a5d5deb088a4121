import Foundation
import TestSupport
import Testing
import TupeloWeb

/// The page that the server sends.
@Suite struct PageTests {
  private static func served(_ path: String) async throws -> WebResponse { try await WebService.stub().get(path) }

  /// The texts of the modules, by their paths.
  private static func modules() throws -> [String: String] {
    let paths = try PageSources.paths().filter { $0.hasSuffix(".js") }
    return Dictionary(uniqueKeysWithValues: try paths.map { ($0, try PageSources.text($0)) })
  }

  @Test func everyFileOfThePageIsServed() async throws {
    let styles = try await Self.served("/page.css").text
    let paths = try PageSources.paths()
    #expect(paths.count >= 15)
    for path in paths {
      switch (path as NSString).pathExtension {
      case "css": #expect(styles.contains(try PageSources.text(path)), "\(path)")
      case "wasm":
        let module = try Data(contentsOf: PageSources.folder.appendingPathComponent(path))
        #expect(try await Self.served("/\(path)").body == [UInt8](module))
        let site = StaticSite(model: .init(title: "", file: []))
        #expect(site.files[path] == [UInt8](module))
        let name = path == "engine.wasm" ? "ENGINE" : "LEARNER"
        let text = "const \(name) = \"\(module.base64EncodedString())\";\n"
        #expect(
          String(decoding: try #require(site.files[path.replacing(".wasm", with: ".js")]), as: UTF8.self) == text)
        #expect(String(decoding: site.singleFile, as: UTF8.self).contains(text))
      case "html":
        let page = try await Self.served("/").text
        let links = page.matches(of: /<link rel="modulepreload" href="([^"]+)">\n/).map { String($0.1) }
        #expect(try Set(links) == Set(Self.modules().keys) && links.count == Set(links).count)
        #expect(try page.replacing(/<link rel="modulepreload"[^>]*>\n/, with: "") == PageSources.text(path))
      default: #expect(try await Self.served("/\(path)").text == PageSources.text(path), "\(path)")
      }
    }
  }

  /// Modules share one scope in the script of a site: a name belongs to one module, and comes after what it imports. A
  /// name of another module that is not imported works in that script alone.
  @Test func modulesFitIntoOneScript() throws {
    let site = StaticSite(model: .init(title: "", file: []))
    let script = String(decoding: try #require(site.files["page.js"]), as: UTF8.self)
    #expect(!script.contains("\nimport ") && !script.contains("\nexport "))
    let names = script.matches(of: /(?m)^(?:async )?(?:class|const|function|let) (\w+)/).map { String($0.1) }
    let places = Dictionary(zip(names, names.indices)) { place, _ in place }
    for name in places.keys { #expect(names.count(where: { $0 == name }) == 1, "\(name)") }
    for (path, text) in try Self.modules() {
      let own = text.matches(of: /(?m)^(?:export )?(?:async )?(?:class|const|function|let) (\w+)/).map { String($0.1) }
      let lists = text.matches(of: /(?m)^import \{([^}]*)\}/).map { String($0.1) }
      let imports = lists.flatMap { $0.matches(of: /\w+/).map { String($0.output) } }
      let first = own.compactMap { places[$0] }.min() ?? names.count
      for name in imports { #expect((places[name] ?? names.count) < first, "\(path): \(name)") }
      for match in text.replacing(/(?m)\/\/.*$/, with: "").matches(of: /\b([A-Z]\w+)(?:\.\w|\()/) {
        let name = String(match.1)
        #expect(places[name] == nil || own.contains(name) || imports.contains(name), "\(path): \(name)")
      }
    }
  }

  @Test func thePageNeedsNothingFromOutside() async throws {
    for path in try ["/", "/page.css"] + Self.modules().keys.map({ "/\($0)" }) {
      let response = try await Self.served(path)
      let text = response.text.replacing("http://www.w3.org/2000/svg", with: "")
      for word in ["http:", "https:", "@import", "url(", "eval(", "innerHTML", " style=", "onclick="] {
        #expect(!text.contains(word), "\(path): \(word)")
      }
      #expect(response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
    }
  }

  /// Every name that the script looks for occurs in the page, once.
  @Test func namesMatch() async throws {
    let page = try await Self.served("/").text
    let ids = page.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    for (path, text) in try Self.modules() {
      for match in text.matches(of: /byId\("([^"]+)"\)/) {
        #expect(ids.contains(String(match.1)), "\(path): \(match.1)")
      }
    }
    for match in page.matches(of: /aria-(?:labelledby|controls|describedby)="([^"]+)"/) {
      #expect(ids.contains(String(match.1)), "\(match.1)")
    }
    for match in page.matches(of: /href="#(i-[^"]+)"/) { #expect(ids.contains(String(match.1)), "\(match.1)") }
  }

  @Test func unchangedFilesAreNotSentAgain() async throws {
    let first = try await Self.served("/page.js")
    let tag = try #require(first.headers["ETag"])
    let again = try await WebService.stub().get("/page.js", headers: ["if-none-match": tag])
    #expect(again.status == 304 && again.body.isEmpty)
    for header in ["W/\(tag)", "\"x\", \(tag)", "*"] {
      #expect(
        try await WebService.stub().get("/page.js", headers: ["if-none-match": header]).status == 304, "\(header)")
    }
    #expect(try await WebService.stub().get("/page.js", headers: ["if-none-match": "\"0\""]).body == first.body)
  }

  @Test func tilesTo131072HaveTheirColour() async throws {
    let styles = try await Self.served("/page.css").text
    for exponent in 1...17 { #expect(styles.contains("--tile-\(exponent): #")) }
  }
}
