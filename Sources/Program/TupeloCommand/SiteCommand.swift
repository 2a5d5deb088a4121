internal import ArgumentParser
internal import Foundation
internal import Safetensors
internal import SetAgents
internal import SetTraining
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloTraining
internal import TupeloWeb

struct SiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "site",
    abstract: "Writes the page with its models, for use without a server.",
    usage: "tupelo site --output <output> [<options>]",
    discussion: """
      The folder is for any web host. Engine and search run in the browser, so the host runs no program. On a host \
      with https, the page can be installed, and after the first visit it works without a network. With --single-file, \
      one file contains everything and can be opened from a disk. Training curves need a server: tupelo serve shows \
      them.

      Example:
        tupelo site -o public
      """)

  @Option(name: .shortAndLong, help: "The folder of the site, or the file of --single-file.", completion: .file())
  var output: String

  @Option(
    name: .long,
    help: "Model of 2048: a file, checkpoint or run folder (default: models/medium; with --single-file models/small).",
    completion: .models)
  var model: String?

  @Option(
    name: .long,
    help: "Smaller model that gives hints until --model has loaded (default: models/tiny before the default model).",
    completion: .models)
  var firstModel: String?

  @Option(
    name: .long,
    help: "Model in the place of --model on phones (default: models/small in the place of the default model).",
    completion: .models)
  var phoneModel: String?

  @Option(
    name: .long, help: "Model of Set: a file, checkpoint or run folder (default: models/set).",
    completion: .models)
  var setModel: String?

  @Option(name: .long, help: "Address at which the site will be: links to it get a preview with a picture.")
  var address: String?

  @Flag(name: .long, help: "One file with the models inside.")
  var singleFile = false

  @OptionGroup var force: ForceOption

  func validate() throws {
    if singleFile, !output.hasSuffix(".html") {
      throw CommandEnd.wrong("--output is \(output): with --single-file give a file that ends in .html")
    }
    if singleFile, firstModel != nil {
      throw CommandEnd.wrong("--first-model is for a folder: a single file has all its models at once")
    }
    if singleFile, phoneModel != nil {
      throw CommandEnd.wrong("--phone-model is for a folder: a single file has all its models at once")
    }
    if let address {
      guard !singleFile else {
        throw CommandEnd.wrong("--address is for a folder: a single file has no address")
      }
      guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host?.isEmpty == false else {
        throw CommandEnd.wrong("--address is \(address): give the whole address, such as https://example.org/2048/")
      }
    }
  }

  func run() throws {
    let path = try model ?? defaultModel()
    let file = try SafetensorsFile(path: ShippedModel.file(at: path))
    try checkNetwork(of: file, path: path)
    let firstPath = firstModel ?? defaultFirstModel(before: path)
    let firstFile = try firstPath.map { try SafetensorsFile(path: ShippedModel.file(at: $0)) }
    if let firstFile { try checkNetwork(of: firstFile, path: firstPath ?? firstFile.path) }
    let phonePath = phoneModel ?? defaultPhoneModel(beside: path)
    let phoneFile = try phonePath.map { try SafetensorsFile(path: ShippedModel.file(at: $0)) }
    if let phoneFile { try checkNetwork(of: phoneFile, path: phonePath ?? phoneFile.path) }
    let setPath = setModel ?? ShippedModel.path(for: .set)
    let setFile = try setPath.map { try SafetensorsFile(path: ShippedModel.file(at: $0)) }
    let setWeights = try setFile.map { file in
      let description = try ModelDescription(in: file, of: .program)
      let path = setPath ?? file.path
      return try PageOffer.setSpecification(of: description, path: path, option: "--set-model").weightCount
    }
    if singleFile {
      _ = try OutputFile(output, for: .page, force: force.force)
    } else {
      try checkFolder()
    }
    let (site, weights) = try Progress.during("packing") {
      let (bytes, weights) = try PageOffer.packed(file) { try weightBytes(of: $0, path: path) }
      let setModel = try setFile.map { file in
        StaticSite.Model(title: ModelName.short(setPath ?? file.path), file: try PageOffer.packed(file) { _ in }.bytes)
      }
      func smaller(_ file: SafetensorsFile?, _ path: String?) throws -> StaticSite.Model? {
        guard let file else { return nil }
        let (bytes, _) = try PageOffer.packed(file) { try weightBytes(of: $0, path: path ?? $0.path) }
        return StaticSite.Model(title: ModelName.short(path ?? file.path), file: bytes)
      }
      let (firstModel, phoneModel) = try (smaller(firstFile, firstPath), smaller(phoneFile, phonePath))
      let model = StaticSite.Model(title: ModelName.short(path), file: bytes)
      let site = StaticSite(
        model: model, firstModel: firstModel, phoneModel: phoneModel, setModel: setModel, address: address)
      return (site, weights)
    }
    let size = try singleFile ? write(site.singleFile, to: output) : write(site.files)
    let more = setWeights.map { ", those of Set \(Format.bytes(4 * $0)) more" } ?? ""
    Terminal.line(
      "saved \(output), \(Format.bytes(size)); its weights take \(Format.bytes(weights)) of a browser's memory"
        + more)
    if setPath == nil { Terminal.line("no model of Set: the hand-written heuristic plays; name one with --set-model") }
  }

  private func defaultModel() throws -> String {
    if let path = singleFile ? ShippedModel.path(named: "small") : ShippedModel.path(for: .twentyFortyEight) {
      return path
    }
    let name = singleFile ? "small" : "medium"
    let isThere = ShippedModel.path(named: name) != nil
    let reason = isThere ? "TUPELO_MODEL is none" : "there is no models/\(name)"
    throw CommandEnd.failure("\(reason), so no model goes into the page: name one with --model")
  }

  /// The model that answers before the medium one, which takes long to load; `nil` before other models.
  private func defaultFirstModel(before path: String) -> String? {
    !singleFile && path == ShippedModel.path(named: "medium") ? ShippedModel.path(named: "tiny") : nil
  }

  /// The model of phones, which the medium one would cost much memory and data; `nil` beside other models.
  private func defaultPhoneModel(beside path: String) -> String? {
    !singleFile && path == ShippedModel.path(named: "medium") ? ShippedModel.path(named: "small") : nil
  }

  /// Makes sure that a page has the engine for a model.
  private func checkNetwork(of file: SafetensorsFile, path: String) throws {
    guard let network = try ModelDescription(in: file, of: .program).patterns else {
      throw CommandEnd.failure("\(path): is not an n-tuple network of 2048, which the page needs: name another model")
    }
    guard PageModel.isPlayable(network) else {
      throw CommandEnd.failure(
        "\(path): a network for \(network.shape) with \(Format.grouped(network.weightCount)) weights: a page plays 4x4 "
          + "with up to \(Format.grouped(Int(Int32.max))): name another model")
    }
  }

  /// The memory that a browser needs for the weights of a file as it goes into the page, in bytes.
  private func weightBytes(of file: SafetensorsFile, path: String) throws -> Int {
    let bytes = try SparseNetwork.byteCount(of: file)
    guard bytes <= PageModel.largestMemory else {
      throw CommandEnd.failure(
        "\(path): its weights need \(Format.bytes(bytes)) in a page, which has up to "
          + "\(Format.bytes(PageModel.largestMemory)): name another model")
    }
    return bytes
  }

  // MARK: Writing

  /// Makes sure that a site in the folder replaces nothing but an older site, and that it can be written.
  private func checkFolder() throws {
    guard FileManager.default.fileExists(atPath: output) else {
      var parent = output.parentFolder
      while !isThere(parent), parent != parent.parentFolder { parent = parent.parentFolder }
      guard isFolder(parent), FileManager.default.isWritableFile(atPath: parent) else {
        throw CommandEnd.failure("\(output): the folder cannot be made in \(parent): name another folder")
      }
      return
    }
    guard isFolder(output) else {
      throw CommandEnd.failure("\(output): is a file: name a folder, or add --single-file for one file")
    }
    let page = try OutputFile(path(of: StaticSite.names[0]), for: .page, force: force.force).path
    for name in StaticSite.names { try ReplacementFile.check(path(of: name)) }
    // The other files belong to the page.
    guard !force.force, !FileManager.default.fileExists(atPath: page) else { return }
    for name in StaticSite.names where FileManager.default.fileExists(atPath: path(of: name)) {
      throw CommandEnd.failure(
        "\(path(of: name)): is there already and would be lost: name another folder, or add --force")
    }
  }

  private func path(of name: String) -> String { output + "/" + name }

  /// Writes the files of a site. The page is written last, when all the files that it needs are there.
  ///
  /// - Returns: the bytes written.
  private func write(_ files: [String: [UInt8]]) throws -> Int {
    do {
      try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    } catch {
      throw CommandEnd.failure("\(output): the folder cannot be made: \(FailedCall.reason(error)): name another folder")
    }
    return try StaticSite.names.reversed().reduce(0) { sum, name in
      sum + (try files[name].map { try write($0, to: path(of: name)) } ?? 0)
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws -> Int {
    try TextFile.write(bytes, to: path)
    return bytes.count
  }
}
