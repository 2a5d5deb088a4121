internal import Foundation

/// The model that comes with the repository. It plays when no model is named.
enum ShippedModel {
  /// The path of the shipped model.
  ///
  /// It is the value of `TUPELO_MODEL` (`none` for no model). Otherwise it is `models/4x6` in the working folder or in
  /// a folder above the program, which finds it for a program that lies where it was built.
  ///
  /// - Returns: `nil` when there is no such model: then the hand-written heuristic plays.
  static var path: String? {
    if let named = ProcessInfo.processInfo.environment["TUPELO_MODEL"], !named.isEmpty {
      return named == "none" ? nil : named
    }
    var folder = (Bundle.main.executablePath ?? CommandLine.arguments[0]) as NSString
    var folders = ["."]
    while folder.length > 1 {
      folder = folder.deletingLastPathComponent as NSString
      folders.append(folder as String)
    }
    return folders.lazy.map { $0 + "/" + relativePath }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The name for people of the model at `path`: `models/4x6`, or the short name of another.
  static func title(of path: String) -> String {
    path.hasSuffix(relativePath) ? (relativePath as NSString).deletingLastPathComponent : ModelName.short(path)
  }

  private static let relativePath = "models/4x6/model.safetensors"
}
