internal import Foundation

/// The files of this repository, for tests that read them.
public enum Repository {
  /// The path of the repository's folder.
  public static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// The path of a file.
  public static func file(_ name: String) -> String { path + "/" + name }

  public static func text(of name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }
}
