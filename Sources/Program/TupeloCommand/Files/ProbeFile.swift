internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// Boards to probe on disk.
enum ProbeFile {
  /// The boards that come with the repository.
  static let shippedName = "models/probe/boards.txt"

  /// The path of the boards that come with the repository; `nil` when they are missing.
  static var shipped: String? { ShippedFile.path(shippedName) }

  /// The name for people of the file at `path`.
  static func title(of path: String) -> String { path.hasSuffix("/" + shippedName) ? shippedName : path }

  /// A board takes some fifty bytes.
  private static var largestBytes: Int { 64 << 20 }

  /// - Throws: one line that names the file.
  static func read(from path: String) throws -> ProbeBoards {
    let data = try InputFile.read(path, limit: largestBytes, as: "file of boards")
    guard let text = String(validUTF8: data) else {
      throw CommandEnd.failure("\(path): not UTF-8 text: this is not a file of boards")
    }
    do {
      return try ProbeBoards(text: text)
    } catch {
      throw CommandEnd.failure("\(path): \(error)")
    }
  }

  /// Writes boards, whole or not at all.
  ///
  /// - Throws: `SystemError`.
  static func write(_ boards: ProbeBoards, to path: String) throws { try TextFile.write(boards.text, to: path) }
}
