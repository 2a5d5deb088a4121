import Testing
import TupeloWeb

/// The files of a site.
@Suite struct StaticSiteTests {
  private static let site = StaticSite(
    model: .init(title: "</script><b>\u{22}4x6", file: [1, 2, 3]), setModel: .init(title: "</script>s", file: [4, 5]))

  @Test func aSiteHasThePageAndItsModel() throws {
    let files = Self.site.files
    #expect(Set(files.keys) == Set(StaticSite.names))
    #expect(files["model.safetensors"] == [1, 2, 3] && files["set.safetensors"] == [4, 5])
    let page = String(decoding: try #require(files["index.html"]), as: UTF8.self)
    #expect(page.contains(StaticSite.mark) && page.contains("default-src 'none'"))
    #expect(page.contains("\"model\":\"model.safetensors\"") && page.contains("\"model\":\"set.safetensors\""))
    let alone = StaticSite(model: Self.site.model).files
    #expect(Set(alone.keys) == Set(StaticSite.names.dropLast()), "without a model of Set")
    #expect(!String(decoding: try #require(alone["index.html"]), as: UTF8.self).contains("set.safetensors"))
  }

  /// Nothing is loaded: all that could be is inside.
  @Test func oneFileNeedsNoOther() {
    let page = String(decoding: Self.site.singleFile, as: UTF8.self)
    #expect(page.contains(">AQID</script>") && page.contains(">BAU=</script>"), "the models")
    for word in [" src=", "rel=\"stylesheet\"", "@import", "url("] { #expect(!page.contains(word), "\(word)") }
    #expect(page.replacing("http://www.w3.org/2000/svg", with: "").contains("http:") == false)
  }

  /// A name from outside stays text.
  @Test func aTitleEndsNoScript() {
    let page = String(decoding: Self.site.singleFile, as: UTF8.self)
    #expect(!page.contains("<b>") && page.contains("\\u003c/script>\\u003cb>") || !page.contains("<b>\""))
    #expect(page.ranges(of: "</script>").count == 4, "of the page's facts, the models, the script")
  }
}
