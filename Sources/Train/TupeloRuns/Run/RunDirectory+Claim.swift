internal import Foundation
internal import TupeloBase

extension RunDirectory {
  /// Makes a new folder at a path that the program has chosen: `path` itself or, where something is there, `path-2` and
  /// so on. Making it claims it: a process that chose the same name at the same moment gets the next number. Folders
  /// on the way there are made as well.
  ///
  /// - Returns: the path of the folder
  /// - Throws: `RunDirectoryError.notWritable`.
  public static func claim(_ path: String) throws -> String {
    let files = FileManager.default
    var (name, number) = (path, 1)
    do {
      try files.createDirectory(atPath: path.parentFolder, withIntermediateDirectories: true)
      while true {
        do {
          try files.createDirectory(atPath: name, withIntermediateDirectories: false)
          return name
        } catch let error as CocoaError where error.code == .fileWriteFileExists && number < 1000 {
          number += 1
          name = "\(path)-\(number)"
        }
      }
    } catch {
      throw RunDirectoryError.notWritable(path: name, reason: reason(error))
    }
  }

  /// The present date and time for the name of a folder, such as `2026-01-31_23-59-59`.
  public static func timeText() -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyy-MM-dd_HH-mm-ss"
    return format.string(from: Date())
  }
}
