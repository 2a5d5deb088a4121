import Testing
import TupeloWeb

/// The files of a site.
@Suite struct StaticSiteTests {
  private static let site = StaticSite(
    model: .init(title: "</script><b>\u{22}4x6", file: [1, 2, 3]), firstModel: .init(title: "first", file: [6]),
    phoneModel: .init(title: "phone", file: [7]), setModel: .init(title: "</script>s", file: [4, 5]),
    address: "https://example.org/a&b")

  @Test func aSiteHasThePageAndItsModel() throws {
    let files = Self.site.files
    #expect(Set(files.keys) == Set(StaticSite.names))
    #expect(files["model.safetensors"] == [1, 2, 3] && files["set.safetensors"] == [4, 5])
    let page = String(decoding: try #require(files["index.html"]), as: UTF8.self)
    #expect(page.contains(StaticSite.mark) && page.contains("default-src 'none'"))
    for name in ["model", "first", "phone", "set"] {
      #expect(page.contains("\"model\":\"\(name).safetensors?v="), "\(name)")
    }
    let alone = StaticSite(model: Self.site.model).files
    #expect(Set(alone.keys) == Set(StaticSite.names.dropLast(4)), "without other models and an address")
    let other = String(decoding: try #require(alone["index.html"]), as: UTF8.self)
    #expect(!other.contains("set.safetensors") && !other.contains("first.safetensors") && !other.contains("og:image"))
  }

  /// Messengers read the address of a picture, which is there. An address from outside stays text.
  @Test func aLinkHasAPreview() throws {
    let page = String(decoding: try #require(Self.site.files["index.html"]), as: UTF8.self)
    #expect(page.contains("<meta property=\"og:image\" content=\"https://example.org/a&amp;b/preview.png\">"))
    #expect(Self.site.files["preview.png"]?.starts(with: [0x89, 0x50, 0x4e, 0x47]) == true)
    let wrong = StaticSite(model: Self.site.model, address: "https://example.org/\"><script>").files
    #expect(!String(decoding: try #require(wrong["index.html"]), as: UTF8.self).contains("\"><script>"))
  }

  /// The worker keeps all files but itself, and the site has another version when any of them changes.
  @Test func theWorkerKnowsTheFiles() throws {
    func text(_ site: StaticSite, _ name: String) throws -> String {
      String(decoding: try #require(site.files[name]), as: UTF8.self)
    }
    let worker = try text(Self.site, "offline.js")
    // Only messengers read the picture.
    for name in StaticSite.names.dropFirst() where !["offline.js", "preview.png"].contains(name) {
      #expect(worker.contains("\"\(name)") == !["engine.js", "learn.js"].contains(name), "\(name)")
    }
    // The page and the worker name scripts and engine of one version.
    let page = try text(Self.site, "index.html")
    for name in ["page.css", "page.js", "engine.wasm", "learn.wasm"] {
      let address = try #require(worker.firstMatch(of: try Regex("\"\(name)\\?v=[0-9a-f]{8}\""))).output
      #expect(page.contains("\(address[0].substring ?? "")"), "\(name)")
    }
    let version = try #require(worker.firstMatch(of: /^const VERSION = "([0-9a-f]{8})";/)).1
    #expect(try text(Self.site, "index.html").contains("\"version\":\"\(version)\""))
    let other = StaticSite(model: .init(title: Self.site.model.title, file: [1, 2, 4]), setModel: Self.site.setModel)
    #expect(try !text(other, "offline.js").contains(version))
    for (site, count) in [(Self.site, 4), (other, 2)] {
      #expect(try text(site, "index.html").matches(of: /safetensors\?v=[0-9a-f]{8}/).count == count)
    }
    let manifest = try #require(Self.site.files["manifest.webmanifest"])
    let icons = String(decoding: manifest, as: UTF8.self).matches(of: /"src": "([^"]+)"/).map { String($0.1) }
    #expect(icons.count == 3)
    for icon in icons {
      #expect(Self.site.files[icon]?.starts(with: [0x89, 0x50, 0x4e, 0x47]) == true, "\(icon): a PNG")
    }
  }

  /// The file loads nothing: everything is inside.
  @Test func oneFileNeedsNoOther() {
    let page = String(decoding: Self.site.singleFile, as: UTF8.self)
    #expect(page.contains(">AQID</script>") && page.contains(">BAU=</script>"), "the models")
    for word in [" src=", "rel=\"stylesheet\"", "rel=\"manifest\"", "rel=\"preload\"", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.replacing("http://www.w3.org/2000/svg", with: "").contains("http:") == false)
  }

  /// A name from outside stays text.
  @Test func aTitleEndsNoScript() {
    let page = String(decoding: Self.site.singleFile, as: UTF8.self)
    #expect(!page.contains("<b>") && page.contains("\\u003c/script>\\u003cb>") || !page.contains("<b>\""))
    #expect(page.ranges(of: "</script>").count == 4, "of the page's facts, the models, the script")
  }
}
