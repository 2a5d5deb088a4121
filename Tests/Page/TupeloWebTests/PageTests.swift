import Foundation
import TestSupport
import Testing
import TupeloWeb

/// The page that the server sends.
@Suite struct PageTests {
  private static let sources = URL(fileURLWithPath: Repository.file("Sources/Page/TupeloWeb/Page"))

  private static func source(_ name: String) throws -> String {
    try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
  }

  private static func served(_ path: String) async throws -> WebResponse { try await WebService.stub().get(path) }

  @Test func everyFileOfThePageIsServed() async throws {
    let script = try await Self.served("/page.js").text
    let styles = try await Self.served("/page.css").text
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    #expect(names.count >= 15)
    for name in names {
      switch (name as NSString).pathExtension {
      case "js": #expect(script.contains(try Self.source(name)), "\(name)")
      case "css": #expect(styles.contains(try Self.source(name)), "\(name)")
      case "wasm":
        let engine = try Data(contentsOf: Self.sources.appendingPathComponent(name))
        #expect(script.contains("\"\(engine.base64EncodedString())\""), "\(name)")
      default: #expect(try await Self.served("/").text == Self.source(name), "\(name)")
      }
    }
  }

  @Test func thePageNeedsNothingFromOutside() async throws {
    for path in ["/", "/page.css", "/page.js"] {
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
    let script = try await Self.served("/page.js").text
    for match in script.matches(of: /byId\("([^"]+)"\)/) { #expect(ids.contains(String(match.1)), "\(match.1)") }
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
    for exponent in 1...17 { #expect(styles.contains(".tile[data-exponent=\"\(exponent)\"] { --tile: #")) }
  }
}
