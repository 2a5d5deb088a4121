internal import Foundation
internal import TupeloTraining

/// The file of this program.
enum ProgramFile {
  /// The program itself, symbolic links followed, however it was called.
  static var url: URL {
    (Bundle.main.executableURL ?? fileURL(CommandLine.arguments[0])).resolvingSymlinksInPath()
  }

  /// The word that starts this program from any shell and folder: its name where the PATH leads to it, else its path.
  static var command: String { isOnPath ? name : url.path }

  /// A text of the package with the commands of this program, which may have another name.
  static func commands(in text: String) -> String {
    name == "tupelo" ? text : text.replacing(/\btupelo(?=\s+[a-z<\[-])/, with: name)
  }

  private static var name: String { ProgramBuild.name }

  private static var isOnPath: Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let files = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    guard let first = files.first(where: FileManager.default.isExecutableFile) else { return false }
    return fileURL(first).resolvingSymlinksInPath() == url
  }
}
