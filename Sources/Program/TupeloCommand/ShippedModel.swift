internal import Foundation
internal import TupeloRuns
internal import TupeloTraining

/// The models that come with the repository, one per game. They play when no model is named.
enum ShippedModel {
  /// The path of the shipped model of 2048.
  static var path: String? { path(for: .twentyFortyEight) }

  /// The path of a game's shipped model.
  ///
  /// In 2048 it is the value of `TUPELO_MODEL`; `none` there means no model of any game. Otherwise it is
  /// `models/medium` or `models/set` in one of `folders`.
  ///
  /// - Returns: `nil` when there is no such model: then the hand-written heuristic plays.
  static func path(for game: GameKind) -> String? {
    if let named = ProcessInfo.processInfo.environment["TUPELO_MODEL"], !named.isEmpty {
      if named == "none" { return nil }
      if game == .twentyFortyEight { return named }
    }
    return file(relativePath(for: game))
  }

  /// The path of a file that comes with the repository, such as `models/probe/boards.txt`; `nil` where none of the
  /// folders has it.
  static func file(_ name: String) -> String? {
    folders.lazy.map { $0 + "/" + name }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The path of a model that comes with the repository, such as `17x4`; `nil` when it is not there.
  static func path(named name: String) -> String? {
    folders.lazy.map { "\($0)/models/\(name)/model.safetensors" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The folders that may hold `models`: the working folder, `../share/tupelo` beside an installed program, and all
  /// folders above the program, so that a program finds the model if it lies where it was built.
  private static var folders: [String] {
    var folder = ProgramFile.url.deletingLastPathComponent().path as NSString
    var above = [folder as String]
    while folder.length > 1 {
      folder = folder.deletingLastPathComponent as NSString
      above.append(folder as String)
    }
    return [".", above[0] + "/../share/tupelo"] + above
  }

  /// The name for people of the model at `path`: `models/medium`, or the short name of another.
  static func title(of path: String) -> String {
    for relative in CommandGames.all.map({ relativePath(for: $0.kind) }) where path.hasSuffix(relative) {
      return (relative as NSString).deletingLastPathComponent
    }
    return ModelName.short(path)
  }

  private static func relativePath(for game: GameKind) -> String {
    "models/\(CommandGames.of(game).shippedModel)/model.safetensors"
  }
}
