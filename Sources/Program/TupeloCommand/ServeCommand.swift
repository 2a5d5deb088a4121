internal import ArgumentParser
internal import Foundation
internal import Safetensors
internal import TupeloBase
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloTraining
internal import TupeloWeb

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves a web page to play, watch, review games and follow training.",
    usage: "tupelo serve [<models> ...] [<options>]",
    discussion: """
      The page is at http://127.0.0.1:2048/, and only this machine can reach it unless --host says otherwise. Ctrl-C \
      stops the server. Programs can send requests, too: /move?board=1200000000000000 answers one of u r d l, or g \
      when the game is over.

      Example:
        tupelo serve models/small
      """)

  @Argument(
    help: "Models of 2048, and one of Set: files, checkpoints or run folders (default: the shipped models).",
    completion: .models)
  var models: [String] = []

  @Option(name: .long, help: "Folder with run folders, to follow their training.", completion: .directory)
  var runs: String?

  @Option(name: .long, help: "Port to listen on; 0 takes any free one.")
  var port = 2048

  @Option(name: .long, help: "Address to listen on; 0.0.0.0 lets other machines in.")
  var host = "127.0.0.1"

  @Option(
    name: .long,
    help: ArgumentHelp("Another name of this server, as behind a proxy; may be repeated.", valueName: "host"))
  var name: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Plies to search when a request names none (default: a model searches for "
        + "\(AgentOptions.instantMilliseconds) ms, and on the page as many plies as allowed, 3 at most; the heuristic "
        + "searches 2 plies)."))
  var plies: Int?

  @Option(
    name: .long,
    help: "The most plies of a request, 1 to 4: each further ply takes about thirty times as long.")
  var maxPlies = 3

  func validate() throws {
    guard UInt16(exactly: port) != nil else { throw CommandEnd.wrong("--port is \(port): give 0 to 65535") }
    guard (1...4).contains(maxPlies) else { throw CommandEnd.wrong("--max-plies is \(maxPlies): give 1 to 4") }
    if let wrong = name.first(where: { $0.isEmpty || $0.contains { ":/".contains($0) || $0.isWhitespace } }) {
      throw CommandEnd.wrong("--name is \(wrong): give the name of a host, without scheme and port")
    }
    if let plies, !(1...maxPlies).contains(plies) {
      throw CommandEnd.wrong("--plies is \(plies): give 1 to \(maxPlies)")
    }
  }

  func run() async throws {
    try ThreadLimit.check(workers: Processors.count)
    let interrupt = Interrupt()
    let paths = models.isEmpty ? CommandGames.all.compactMap { ShippedModel.path(for: $0.game) } : models
    // Other machines reach this one by an address or by its name. Requests for other names are refused (DNS rebinding).
    let isOpen = !WebServer.isLoopback(host)
    let names = (isOpen ? WebServer.machineNames : [host]) + name.map { $0.lowercased() }
    let shelf = try runs.map { try RunShelf(path: $0) }
    let links = try shelf?.links() ?? []
    if let runs, !links.isEmpty {
      Terminal.note("note: links in \(runs) are not followed: \(links.joined(separator: ", "))")
    }
    let offer = try offer(models: paths)
    // The first agent is the default. Where a game has a model, the model comes first.
    let agents = WebAgent.offered(models: offer.boardModels, maximumPlies: maxPlies)
    let isInstant = plies == nil && agents[0].usesModel
    let service = WebService(
      agents: agents, plies: plies ?? min(isInstant ? 3 : 2, maxPlies),
      milliseconds: isInstant ? AgentOptions.instantMilliseconds : nil, runs: shelf,
      hosts: WebService.loopbackHosts.union(names), allowsAddresses: isOpen, pageModel: offer.page,
      setModel: offer.setModel)
    let server = WebServer(service, host: host, port: UInt16(port))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run { port in announce(port, hasModel: !paths.isEmpty) }
      }
      group.addTask {
        while !interrupt.isRequested { try await Task.sleep(for: .milliseconds(50)) }
      }
      try await group.next()
      group.cancelAll()
    }
    Terminal.line("stopped")
  }

  /// The models that the page plays by.
  private func offer(models paths: [String]) throws -> PageOffer {
    var offer = PageOffer()
    for path in paths {
      let file = try SafetensorsFile(path: ShippedModel.file(at: path))
      // A large model takes some seconds to load, and until then no request is answered.
      Terminal.line("loading \(path)")
      let model = try TrainedModel(file: file, of: .program)
      try CommandGames.of(model.description.game).offer(model, in: file, path: path, on: &offer)
    }
    return offer
  }

  private func announce(_ port: UInt16, hasModel: Bool) {
    if !hasModel {
      Terminal.line("no model: the hand-written heuristic plays; name a model with: tupelo serve MODEL")
    }
    if !WebServer.isLoopback(host) { Terminal.line("other machines can reach this server") }
    // The address that stands for all addresses cannot be opened in a browser.
    let isAll = host == "0.0.0.0" || host == "::"
    let name = isAll ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
    Terminal.line("listening on http://\(name):\(port)/  (Ctrl-C stops)")
    guard isAll else { return }
    for address in WebServer.machineAddresses { Terminal.line("from other machines: http://\(address):\(port)/") }
  }
}
