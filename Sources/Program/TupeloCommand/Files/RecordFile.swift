internal import Foundation
internal import TupeloBase
internal import TupeloEngine

/// Game records on disk.
enum RecordFile {
  /// The longest games have about a hundred thousand moves of four bytes each.
  private static var largestBytes: Int { 16 << 20 }

  /// Writes a record, whole or not at all.
  ///
  /// - Throws: `SystemError`.
  static func write(_ record: GameRecord, to path: String) throws {
    try write(record.text, to: path)
  }

  /// Writes the text of a record of any game.
  ///
  /// - Throws: `SystemError`.
  static func write(_ text: String, to path: String) throws { try TextFile.write(text, to: path) }

  /// - Throws: one line that names the file.
  static func read(from path: String) throws -> GameRecord {
    let data = try InputFile.read(path, limit: largestBytes, as: "game record")
    guard let text = String(validUTF8: data) else {
      throw notARecord(path)
    }
    let head = text.prefix { !$0.isNewline }
    guard !head.contains("\"tupelo_set_record\"") else {
      throw CommandEnd.failure("\(path): is a record of Set: give a record of a game of 2048")
    }
    guard head.contains("\"tupelo_record\"") else { throw notARecord(path) }
    return try naming(path) { try GameRecord(text: text) }
  }

  private static func notARecord(_ path: String) -> CommandEnd {
    .failure("\(path): is not a record of a game: save one with tupelo play --record FILE")
  }

  /// Puts the file's name before the problem of the record.
  static func naming<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as GameRecordError {
      throw CommandEnd.failure("\(path): \(error)")
    }
  }

  /// Checks before the game that its records can be written, each game in a file of its own.
  ///
  /// - Throws: the errors of `OutputFile`.
  static func prepare(_ path: String) throws {
    _ = try OutputFile(freePath(path), for: .record)
    outlivesOutput()
  }

  /// Lets a game be saved also when nobody reads the output any more.
  static func outlivesOutput() {
    signal(SIGPIPE, SIG_IGN)
    Terminal.isExpendable.set()
  }

  /// The first name that is free: `game.txt`, `game-2.txt`, `game-3.txt` and so on. A person's game is never replaced.
  static func freePath(_ path: String) -> String {
    let (stem, ending) = ((path as NSString).deletingPathExtension, (path as NSString).pathExtension)
    let file = (stem as NSString).lastPathComponent
    var (name, number) = (path, 1)
    while FileManager.default.fileExists(atPath: name) {
      number += 1
      let tail = "-\(number)" + (ending.isEmpty ? "" : "." + ending)
      // A file's name has at most 255 bytes.
      name = stem.dropLast(file.count) + NameText.beginning(of: file, bytes: max(255 - tail.utf8.count, 0)) + tail
    }
    return name
  }
}
