internal import Foundation
internal import TupeloReports
internal import TupeloTraining

/// Finds arguments, environment variables and a working folder that are not UTF-8.
///
/// Swift repairs such texts: `m\xe9.safetensors` and `m\xe8.safetensors` become one name, which is the name of another
/// file. So they are refused before anything is read or made.
enum ForeignText {
  /// The problem of the command line or of a variable that the program reads; `nil` when there is none.
  static var complaint: CommandEnd? {
    for number in 1..<max(Int(CommandLine.argc), 1) {
      guard let bytes = unsafe CommandLine.unsafeArgv[number] else { break }
      guard unsafe String(validatingCString: bytes) == nil else { continue }
      return refusal(unsafe String(cString: bytes), "this argument")
    }
    for name in ["TUPELO_MODEL"] + ConfigurationKeys.program.all.map(\.variable) {
      guard let bytes = unsafe getenv(name), unsafe String(validatingCString: bytes) == nil else { continue }
      return refusal(unsafe String(cString: bytes), "the environment variable \(name)")
    }
    return nil
  }

  private static func refusal(_ repaired: String, _ what: String) -> CommandEnd {
    CommandEnd.wrong("\(repaired): \(what) is not UTF-8 text: give another name, or rename the file")
  }

  /// Refuses a working folder whose path is not UTF-8: Foundation completes relative paths, and would look in another
  /// folder.
  ///
  /// - Throws: `CommandEnd`.
  static func checkFolder() throws {
    guard let path = unsafe getcwd(nil, 0) else { return }
    defer { unsafe free(path) }
    guard unsafe String(validatingCString: path) == nil else { return }
    throw CommandEnd.failure(
      "\(unsafe String(cString: path)): the path of this working folder is not UTF-8 text: rename it, or go to another "
        + "folder")
  }
}
