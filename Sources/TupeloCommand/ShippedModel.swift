internal import Foundation

/// The model that plays when none is named: the one that comes with the repository.
enum ShippedModel {
  /// Where it is: what `TUPELO_MODEL` says (`none` for no model), else `models/4x6` in the working folder or a folder
  /// above the program, which holds for a program that lies where it was built.
  ///
  /// - Returns: `nil` where there is none: then the hand-written heuristic plays.
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

  private static let relativePath = "models/4x6/model.safetensors"
}
