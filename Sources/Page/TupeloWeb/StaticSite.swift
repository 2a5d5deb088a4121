internal import Foundation

/// The page with its models, as files that need no server, because engine and search run in the browser.
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
  /// A smaller network, which gives hints until `model` has loaded; `nil` for none. One file has none.
  public let firstModel: Model?
  /// The network in the place of `model` on phones; `nil` for none. One file has none.
  public let phoneModel: Model?
  /// A table network of Set; `nil` for none, which leaves only the other players of Set.
  public let setModel: Model?

  /// The address at which the site will be; with it, links to the site have a preview with a picture.
  public let address: String?

  /// Marks a page that tupelo has written, so that it may be replaced.
  public static let mark = "<meta name=\"generator\" content=\"tupelo site\">"

  /// The names of the files of a site, the page first. The last ones are there with their models, and with an address.
  public static let names =
    shell + [
      worker, engineScript, learnerScript,
      "model.safetensors", "first.safetensors", "phone.safetensors", "set.safetensors", picture,
    ]

  /// The files that make the page, and the worker that keeps them in a browser.
  private static let shell = [
    "index.html", "page.css", "page.js", "engine.wasm", "learn.wasm", "manifest.webmanifest", "icon-192.png",
    "icon-512.png",
  ]
  private static let worker = "offline.js"
  /// The engine and the learner of a folder that is opened from a disk. A page from a web host never requests it.
  private static let engineScript = "engine.js"
  private static let learnerScript = "learn.js"
  /// The picture of previews: one for all games, because a game stands behind `#`, which hosts never see.
  private static let picture = "preview.png"

  /// - Parameters:
  ///   - model: an n-tuple network of 4x4 boards
  ///   - firstModel: a smaller one that answers until `model` is there
  ///   - phoneModel: one in the place of `model` on phones
  ///   - setModel: a table network of Set
  ///   - address: the address at which the site will be
  public init(
    model: Model, firstModel: Model? = nil, phoneModel: Model? = nil, setModel: Model? = nil, address: String? = nil
  ) {
    (self.model, self.firstModel, self.phoneModel, self.setModel) = (model, firstModel, phoneModel, setModel)
    self.address = address
  }

  /// The files of a site, by their names.
  public var files: [String: [UInt8]] {
    let models = [
      ("model.safetensors", model), ("first.safetensors", firstModel), ("phone.safetensors", phoneModel),
      ("set.safetensors", setModel),
    ].compactMap { name, model in model.map { (name, $0) } }
    let contents = [
      PageFiles.styles, Array(PageFiles.script.utf8), PageFiles.engine, PageFiles.learner, PageFiles.appManifest,
      PageFiles.appIcon(192), PageFiles.appIcon(512),
    ]
    // An address contains a hash of the contents: a browser never keeps an outdated model, and never runs scripts with
    // an engine of another version.
    func address(_ name: String, _ body: [UInt8]) -> String {
      "\(name)?v=\(Self.version(of: PageFiles.hash(of: body)))"
    }
    let addresses = models.map { name, model in address(name, model.file) }
    let named = models.map(\.1.title) + addresses
    let all = contents + [PageFiles.html, PageFiles.appWorker, Array(named.joined().utf8)]
    let version = Self.version(of: all.reduce(PageFiles.hash(of: [])) { PageFiles.hash(of: $1, after: $0) })
    var page = page(
      policy: PageFiles.ownAppAlone, version: version,
      addresses: Dictionary(uniqueKeysWithValues: zip(models.map(\.0), addresses)))
    var shell = Array(Self.shell.dropFirst())
    for index in 0..<4 { shell[index] = address(shell[index], contents[index]) }
    let links = """
      <link rel="manifest" href="manifest.webmanifest">
      <link rel="apple-touch-icon" href="icon-192.png">
      <link rel="stylesheet" href="\(shell[0])">
      """
    Self.replace(Self.styles, with: links + preview, in: &page)
    Self.replace(Self.script, with: "<script src=\"\(shell[1])\" defer></script>\n", in: &page)
    Self.replace("href=\"engine.wasm\"", with: "href=\"\(shell[2])\"", in: &page)
    Self.replace("data-module=\"learn.wasm\"", with: "data-module=\"\(shell[3])\"", in: &page)
    var files = Dictionary(uniqueKeysWithValues: zip(Self.shell, [Array(page.utf8)] + contents))
    files[Self.worker] = Self.worker(version: version, shell: ["./"] + shell, models: addresses)
    files[Self.engineScript] = Array(PageFiles.engineScript.utf8)
    files[Self.learnerScript] = Array(PageFiles.learnerScript.utf8)
    for (name, model) in models { files[name] = model.file }
    if self.address != nil { files[Self.picture] = PageFiles.appPreview }
    return files
  }

  /// What messengers read of a link to the site.
  private var preview: String {
    guard let address else { return "" }
    let base = (address.hasSuffix("/") ? address : address + "/").replacing("&", with: "&amp;")
      .replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
    return """

      <meta property="og:type" content="website">
      <meta property="og:title" content="Tupelo 2048">
      <meta property="og:description" content="Play 2048 with a coach, and watch shared games move by move.">
      <meta property="og:url" content="\(base)">
      <meta property="og:image" content="\(base)\(Self.picture)">
      <meta property="og:image:width" content="1200">
      <meta property="og:image:height" content="630">
      <meta name="twitter:card" content="summary_large_image">
      """
  }

  /// Eight digits of a hash.
  private static func version(of hash: UInt64) -> String { String(String(hash | 1 << 63, radix: 16).suffix(8)) }

  /// The worker, after the names of the files that it keeps. A web host sends the page at the folder's own address.
  private static func worker(version: String, shell: [String], models: [String]) -> [UInt8] {
    let constants = [("VERSION", "\"\(version)\""), ("SHELL", list(shell)), ("MODELS", list(models))]
    return Array(constants.map { "const \($0) = \($1);\n" }.joined().utf8) + PageFiles.appWorker
  }

  private static func list(_ names: [String]) -> String {
    "[" + names.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }

  /// The page as one file, with styles, scripts, engine and models inside. It loads nothing, so it can be opened from a
  /// disk.
  public var singleFile: [UInt8] {
    let policy =
      "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; "
      + "img-src data:; base-uri 'none'; form-action 'none'"
    let styles = String(decoding: PageFiles.styles, as: UTF8.self)
    let models = [("model", model)] + (setModel.map { [("set-model", $0)] } ?? [])
    let texts = models.map { name, model in
      "<script type=\"text/plain\" id=\"\(name)\">\(Data(model.file).base64EncodedString())</script>\n"
    }
    var page = page(policy: policy, version: nil, addresses: [:])
    Self.replace(Self.styles, with: "<style>\n\(styles)</style>", in: &page)
    Self.replace(Self.engineLink, with: "", in: &page)
    Self.replace(Self.script, with: "", in: &page)
    let script = "\(PageFiles.engineScript)\(PageFiles.learnerScript)\(PageFiles.script)"
    Self.replace("</body>", with: "\(texts.joined())<script>\n\(script)</script>\n</body>", in: &page)
    return Array(page.utf8)
  }

  /// The HTML of the page: with the policy that a server would send, and with the facts about its models.
  ///
  /// - Parameters:
  ///   - version: names the contents of a site that can be kept; `nil` for one file
  ///   - addresses: the addresses of the models, by the names of their files; models inside the page have none
  private func page(policy: String, version: String?, addresses: [String: String]) -> String {
    struct Site: Encodable {
      struct Model: Encodable { let title: String, model: String?, megabytes: Double }
      let title: String, model: String?, megabytes: Double, first: Model?, phone: Model?, set: Model?, version: String?
    }
    func megabytes(_ model: StaticSite.Model) -> Double { (Double(model.file.count) / 1e5).rounded() / 10 }
    // A model inside the page has no address; a page without addresses has no further networks of 2048.
    func facts(_ model: StaticSite.Model?, _ name: String, isInside: Bool = false) -> Site.Model? {
      guard let model, isInside || addresses[name] != nil else { return nil }
      return .init(title: model.title, model: addresses[name], megabytes: megabytes(model))
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
      title: model.title, model: addresses["model.safetensors"], megabytes: megabytes(model),
      first: facts(firstModel, "first.safetensors"), phone: facts(phoneModel, "phone.safetensors"),
      set: facts(setModel, "set.safetensors", isInside: true), version: version)
    let text = String(decoding: WebResponse.json(site).body, as: UTF8.self).replacing("<", with: "\\u003c")
    Self.replace("id=\"site\">null<", with: "id=\"site\">\(text)<", in: &page)
    return page
  }

  /// What a server's page loads: styles, engine and modules. Pages of a site have one script.
  private static let styles = "<link rel=\"stylesheet\" href=\"page.css\">"
  private static let engineLink = "<link rel=\"preload\" id=\"engine\" href=\"engine.wasm\" as=\"fetch\" crossorigin>\n"
  private static let script = "<script src=\"page.js\" type=\"module\"></script>\n"

  /// Replaces a text that the page has once.
  private static func replace(_ text: String, with other: String, in page: inout String) {
    let ranges = page.ranges(of: text)
    precondition(ranges.count == 1, "the page has '\(text)' \(ranges.count) times instead of once")
    page.replaceSubrange(ranges[0], with: other)
  }
}
