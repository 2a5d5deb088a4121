internal import Foundation
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// The models that come with the repository, one per game. They play when no model is named.
enum ShippedModel {
  /// The path of a game's shipped model.
  ///
  /// In 2048 it is the value of `TUPELO_MODEL`; `none` there means no model of any game. Otherwise it is
  /// `models/medium` or `models/set` in one of `ShippedFile.folders`.
  ///
  /// - Returns: `nil` when there is no such model: then the hand-written heuristic plays.
  static func path(for game: GameKind) -> String? {
    if let named = ProcessInfo.processInfo.environment["TUPELO_MODEL"], !named.isEmpty {
      if named == "none" { return nil }
      if game == .twentyFortyEight { return named }
    }
    return ShippedFile.path(relativePath(for: game))
  }

  /// The model file that a path on the command line means. A name such as `models/small` means the model that comes
  /// with the program, if there is no such file.
  ///
  /// - Throws: `ModelPathError`, as `ModelPath.file(at:)`; `CommandEnd` for a configuration, and for a name that is
  ///   nearly the name of such a model.
  static func file(at path: String) throws -> String {
    let found = ShippedFile.found(path)
    let isText = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
    guard !isFolder(found), !isThere(found) || isText else { return try ModelPath.file(at: found) }
    if isText || ["configs/\(path).yaml", path + ".yaml"].contains(where: { ShippedFile.path($0) != nil }) {
      let name = isText ? path : (path as NSString).lastPathComponent
      throw CommandEnd.failure(
        "\(path): is a configuration, not a model: train it with \(ShellText.command(["tupelo", "train", name])), and "
          + "name the folder of that run")
    }
    if path.count == 16, path.allSatisfy(\.isHexDigit) {
      throw CommandEnd.failure(
        "\(path): is a board, not a model: name the model before it; advise takes it with --board")
    }
    let names = try names()
    guard let meant = names.first(where: { $0 == "models/" + path }) ?? Spelling.nearest(to: path, among: names) else {
      return found
    }
    throw CommandEnd.failure("\(path): there is no such file, did you mean \(meant)?")
  }

  /// The names of the models that come with the program, such as `models/small`.
  static func names() throws -> [String] {
    let names = try ShippedFile.names(in: "models").filter { path(named: $0) != nil }
    return names.map { "models/" + $0 }
  }

  /// The checkpoint that `--resume` means: a file, or the newest one of a run folder.
  ///
  /// - Throws: `CommandEnd` for a run that has saved nothing, and where there is no run; errors of reading
  static func checkpoint(at path: String) throws -> Checkpoint {
    try Checkpoint(path: checkpointFile(at: path), of: .program)
  }

  /// The path of the checkpoint that `--resume` means.
  static func checkpointFile(at path: String) throws -> String {
    if let run = try RunDirectory.unsaved(at: path) { throw run }
    let file = try file(at: path)
    guard isThere(file) else {
      throw CommandEnd.failure(
        "\(path.quotedPath) is not a run: name the folder of a run, such as runs/first, or a checkpoint")
    }
    return file
  }

  /// Finds the model that a run starts from as other commands find models.
  static func locate(_ configuration: inout RunConfiguration) {
    configuration.initialModel = configuration.initialModel.map(ShippedFile.found)
  }

  /// The path of a model that comes with the repository, such as `17x4`; `nil` when it is not there.
  static func path(named name: String) -> String? {
    ShippedFile.path("models/\(name)/model.safetensors")
  }

  /// The name for people of the model at `path`: `models/medium`, or the short name of another.
  static func title(of path: String) -> String {
    for relative in CommandGames.all.map({ relativePath(for: $0.game) }) where path.hasSuffix(relative) {
      return (relative as NSString).deletingLastPathComponent
    }
    return ModelName.short(path)
  }

  private static func relativePath(for game: GameKind) -> String {
    "models/\(CommandGames.of(game).shippedModel)/model.safetensors"
  }
}
