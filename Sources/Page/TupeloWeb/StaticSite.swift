internal import Foundation

/// The page with its models, as files that need no server: engine and search run in the browser.
public struct StaticSite: Sendable {
  /// A model that the page plays by.
  public struct Model: Sendable {
    /// The name for people.
    public let title: String
    /// The bytes of a model file.
    public let file: [UInt8]

    public init(title: String, file: [UInt8]) { (self.title, self.file) = (title, file) }
  }

  /// An n-tuple network of 4x4 boards.
  public let model: Model
  /// A table network of Set; `nil` for none, which leaves the other players of Set.
  public let setModel: Model?

  /// Says that a page was written here, so that it may be written again.
  public static let mark = "<meta name=\"generator\" content=\"tupelo site\">"

  /// The names of the files of a site, the page first. The last one is there with a model of Set.
  public static let names = ["index.html", "page.css", "page.js", "model.safetensors", "set.safetensors"]

  public init(model: Model, setModel: Model? = nil) { (self.model, self.setModel) = (model, setModel) }

  /// The files of a site, by their names.
  public var files: [String: [UInt8]] {
    let page = page(isOneFile: false, policy: PageFiles.ownFilesAlone)
    var contents = [Array(page.utf8), PageFiles.styles, PageFiles.script, model.file]
    if let setModel { contents.append(setModel.file) }
    return Dictionary(uniqueKeysWithValues: zip(Self.names, contents))
  }

  /// The page as one file, with styles, scripts, engine and models inside. It loads nothing, so it can be opened from a
  /// disk.
  public var singleFile: [UInt8] {
    let policy =
      "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; "
      + "img-src data:; base-uri 'none'; form-action 'none'"
    let styles = String(decoding: PageFiles.styles, as: UTF8.self)
    let script = String(decoding: PageFiles.script, as: UTF8.self)
    let models = [("model", model)] + (setModel.map { [("set-model", $0)] } ?? [])
    let texts = models.map { name, model in
      "<script type=\"text/plain\" id=\"\(name)\">\(Data(model.file).base64EncodedString())</script>\n"
    }
    var page = page(isOneFile: true, policy: policy)
    Self.replace("<link rel=\"stylesheet\" href=\"page.css\">", with: "<style>\n\(styles)</style>", in: &page)
    Self.replace("<script src=\"page.js\" defer></script>\n", with: "", in: &page)
    Self.replace("</body>", with: "\(texts.joined())<script>\n\(script)</script>\n</body>", in: &page)
    return Array(page.utf8)
  }

  /// The HTML of the page: with the policy that a server would send, and with what the page is told of its models.
  private func page(isOneFile: Bool, policy: String) -> String {
    struct Site: Encodable {
      struct Model: Encodable { let title: String, model: String? }
      let title: String, model: String?, set: Model?
    }
    var page = String(decoding: PageFiles.html, as: UTF8.self)
    let head = """
      <meta charset="utf-8">
      \(Self.mark)
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="referrer" content="no-referrer">
      """
    Self.replace("<meta charset=\"utf-8\">", with: head, in: &page)
    // In HTML a script of data ends where `<` begins its end.
    let site = Site(
      title: model.title, model: isOneFile ? nil : Self.names[3],
      set: setModel.map { .init(title: $0.title, model: isOneFile ? nil : Self.names[4]) })
    let text = String(decoding: WebResponse.json(site).body, as: UTF8.self).replacing("<", with: "\\u003c")
    Self.replace("id=\"site\">null<", with: "id=\"site\">\(text)<", in: &page)
    return page
  }

  /// Replaces a text that the page has once.
  private static func replace(_ text: String, with other: String, in page: inout String) {
    let ranges = page.ranges(of: text)
    precondition(ranges.count == 1, "the page has '\(text)' \(ranges.count) times instead of once")
    page.replaceSubrange(ranges[0], with: other)
  }
}
