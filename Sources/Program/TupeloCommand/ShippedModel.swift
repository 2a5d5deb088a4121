internal import Foundation
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloRuns
internal import TupeloTraining

/// The models that come with the repository, one per game. They play when no model is named.
enum ShippedModel {
  /// The path of the shipped model of 2048.
  static var path: String? { path(for: .twentyFortyEight) }

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
  /// - Throws: `ModelPathError`, as `ModelPath.file(at:)`.
  static func file(at path: String) throws(ModelPathError) -> String { try ModelPath.file(at: ShippedFile.found(path)) }

  /// The checkpoint that `--resume` means: a file, or the newest one of a run folder.
  ///
  /// - Throws: `CommandFailure` for a run that has saved nothing, and where there is no run; errors of reading
  static func checkpoint(at path: String) throws -> Checkpoint {
    if let run = try RunDirectory.unsaved(at: path) { throw run }
    let file = try file(at: path)
    guard isThere(file) else {
      throw CommandFailure("\(path.quoted) is not a run: name the folder of a run, such as runs/first, or a checkpoint")
    }
    return try Checkpoint(path: file, of: .program)
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
    for relative in CommandGames.all.map({ relativePath(for: $0.kind) }) where path.hasSuffix(relative) {
      return (relative as NSString).deletingLastPathComponent
    }
    return ModelName.short(path)
  }

  private static func relativePath(for game: GameKind) -> String {
    "models/\(CommandGames.of(game).shippedModel)/model.safetensors"
  }
}
