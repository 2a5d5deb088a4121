internal import Foundation
internal import TupeloBase

/// Finds the files that come with the program, wherever the program was started.
enum ShippedFile {
  /// The path of a file, such as `models/probe/boards.txt`; `nil` where none of the folders has it.
  static func path(_ name: String) -> String? {
    folders.lazy.map { $0 + "/" + name }.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The folders that may hold `models` and `configs`: the working folder, `../share/tupelo` beside an installed
  /// program, and all folders above the program, so that a program finds the files if it lies where it was built.
  static var folders: [String] {
    var folder = ProgramFile.url.deletingLastPathComponent().path as NSString
    var above = [folder as String]
    while folder.length > 1 {
      folder = folder.deletingLastPathComponent as NSString
      above.append(folder as String)
    }
    return [".", (above[0] as NSString).deletingLastPathComponent + "/share/tupelo"] + above
  }

  /// The names of what is in a folder that comes with the program, such as `models`, in alphabetical order.
  static func names(in folder: String) throws -> [String] {
    let paths = folders.map { $0 + "/" + folder }.filter {
      isFolder($0) && FileManager.default.isReadableFile(atPath: $0)
    }
    return Set(try paths.flatMap { try FileManager.default.contentsOfDirectory(atPath: $0) }).sorted()
  }

  /// The path itself, if something is there. Otherwise, for `models` and names such as `models/small`, the file that
  /// comes with the program.
  static func found(_ path: String) -> String {
    guard path == "models" || path.hasPrefix("models/"), !FileManager.default.fileExists(atPath: path) else {
      return path
    }
    return Self.path(path) ?? path
  }
}
