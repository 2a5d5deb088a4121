internal import Foundation

/// The model that comes with the repository. It plays when no model is named.
enum ShippedModel {
  /// The path of the shipped model.
  ///
  /// It is the value of `TUPELO_MODEL` (`none` for no model). Otherwise it is `models/4x6` in one of `folders`.
  ///
  /// - Returns: `nil` when there is no such model: then the hand-written heuristic plays.
  static var path: String? {
    if let named = ProcessInfo.processInfo.environment["TUPELO_MODEL"], !named.isEmpty {
      return named == "none" ? nil : named
    }
    return folders.lazy.map { $0 + "/" + relativePath }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The folders that may hold `models`: the working folder, `../share/tupelo` beside an installed program, and all
  /// folders above the program, which finds the model for a program that lies where it was built.
  private static var folders: [String] {
    var folder = ProgramFile.url.deletingLastPathComponent().path as NSString
    var above = [folder as String]
    while folder.length > 1 {
      folder = folder.deletingLastPathComponent as NSString
      above.append(folder as String)
    }
    return [".", above[0] + "/../share/tupelo"] + above
  }

  /// The name for people of the model at `path`: `models/4x6`, or the short name of another.
  static func title(of path: String) -> String {
    path.hasSuffix(relativePath) ? (relativePath as NSString).deletingLastPathComponent : ModelName.short(path)
  }

  private static let relativePath = "models/4x6/model.safetensors"
}
