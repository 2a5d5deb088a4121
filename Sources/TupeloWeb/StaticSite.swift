internal import Foundation

/// The page with a model, as files that need no server: engine and search run in the browser.
public struct StaticSite: Sendable {
  /// The model's name for people.
  public let title: String
  /// A model file with an n-tuple network of 4x4 boards.
  public let model: [UInt8]

  /// Says that a page was written here, so that it may be written again.
  public static let mark = "<meta name=\"generator\" content=\"tupelo site\">"

  /// The names of the files of a site, the page first.
  public static let names = ["index.html", "page.css", "page.js", "model.safetensors"]

  public init(title: String, model: [UInt8]) { (self.title, self.model) = (title, model) }

  /// The files of a site, by their names.
  public var files: [String: [UInt8]] {
    let page = Self.page(title: title, address: Self.names[3], policy: PageFiles.ownFilesAlone)
    let contents = [Array(page.utf8), PageFiles.styles, PageFiles.script, model]
    return Dictionary(uniqueKeysWithValues: zip(Self.names, contents))
  }

  /// The page as one file, with styles, scripts, engine and model inside. It loads nothing, so it can be opened from a
  /// disk.
  public var singleFile: [UInt8] {
    let policy =
      "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; "
      + "img-src data:; base-uri 'none'; form-action 'none'"
    let styles = String(decoding: PageFiles.styles, as: UTF8.self)
    let script = String(decoding: PageFiles.script, as: UTF8.self)
    let model = Data(self.model).base64EncodedString()
    var page = Self.page(title: title, address: nil, policy: policy)
    Self.replace("<link rel=\"stylesheet\" href=\"page.css\">", with: "<style>\n\(styles)</style>", in: &page)
    Self.replace("<script src=\"page.js\" defer></script>\n", with: "", in: &page)
    Self.replace(
      "</body>",
      with: "<script type=\"text/plain\" id=\"model\">\(model)</script>\n<script>\n\(script)</script>\n</body>",
      in: &page)
    return Array(page.utf8)
  }

  /// The HTML of the page: with the policy that a server would send, and with what the page is told of its model.
  private static func page(title: String, address: String?, policy: String) -> String {
    struct Site: Encodable { let title: String, model: String? }
    var page = String(decoding: PageFiles.html, as: UTF8.self)
    let head = """
      <meta charset="utf-8">
      \(mark)
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="referrer" content="no-referrer">
      """
    replace("<meta charset=\"utf-8\">", with: head, in: &page)
    // In HTML a script of data ends where `<` begins its end.
    let site = String(decoding: WebResponse.json(Site(title: title, model: address)).body, as: UTF8.self)
      .replacing("<", with: "\\u003c")
    replace("id=\"site\">null<", with: "id=\"site\">\(site)<", in: &page)
    return page
  }

  /// Replaces a text that the page has once.
  private static func replace(_ text: String, with other: String, in page: inout String) {
    let ranges = page.ranges(of: text)
    precondition(ranges.count == 1, "the page has '\(text)' \(ranges.count) times instead of once")
    page.replaceSubrange(ranges[0], with: other)
  }
}
