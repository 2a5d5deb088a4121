#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Reads and writes records as text: one line of JSON, then the steps, twenty to a line. A step is a word such as
/// `l52`: left, then a 2 on cell 5.
extension GameRecord {
  /// The newest format that this code writes and reads.
  public static let formatVersion = 1

  /// The record as text, with a newline at the end.
  public var text: String {
    let tokens = steps.map { step in
      "\(step.move.letter)\(String(step.cell, radix: 16))\(step.exponent == 1 ? "2" : "4")"
    }
    let lines = stride(from: 0, to: tokens.count, by: 20).map { start in
      tokens[start..<min(start + 20, tokens.count)].joined(separator: " ")
    }
    return ([headerLine] + lines).joined(separator: "\n") + "\n"
  }

  /// Reads a record. Moves are not checked for legality; see `replay()`.
  ///
  /// - Throws: `GameRecordError`, which says what is wrong and where.
  public init(text: String) throws(GameRecordError) {
    let lines = text.split(maxSplits: 1) { $0 == "\n" || $0 == "\r\n" }
    guard let first = lines.first else { throw .badHeader("the text is empty") }
    let header = try Self.header(of: String(first))
    var steps: [Step] = []
    for token in lines.dropFirst().joined().split(whereSeparator: \.isWhitespace) {
      guard let step = Step(token: token) else { throw .badStep(token.shown, step: steps.count + 1) }
      steps.append(step)
    }
    self.init(header, steps: steps)
  }

  private var headerLine: String {
    let shape = header.rules.shape
    let fields = HeaderFields(
      tupelo_record: Self.formatVersion, rows: shape.rows, columns: shape.columns,
      four_probability: header.rules.fourProbability, start_tiles: header.rules.startTiles,
      start: header.start.hex(in: shape), agent: header.agent, model: header.model, seed: header.seed,
      game: header.gameNumber)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(fields), as: UTF8.self)
    } catch {
      preconditionFailure("numbers and texts encode: \(error)")
    }
  }

  private static func header(of line: String) throws(GameRecordError) -> Header {
    let (format, fields): (Int, HeaderFields?)
    do {
      // Reads only the format first, because the other keys of a newer format are unknown here.
      format = try JSONDecoder().decode(FormatField.self, from: Data(line.utf8)).tupelo_record
      fields = format > formatVersion ? nil : try JSONDecoder().decode(HeaderFields.self, from: Data(line.utf8))
    } catch {
      throw .badHeader(
        "expected JSON with tupelo_record, rows, columns, four_probability, start_tiles, start and agent")
    }
    guard let fields else { throw .newerFormat(format, supported: formatVersion) }
    guard format >= 1 else { throw .badHeader("tupelo_record is \(format): formats are counted from 1") }
    do {
      let shape = try BoardShape(rows: fields.rows, columns: fields.columns)
      let rules = try Rules(shape: shape, fourProbability: fields.four_probability, startTiles: fields.start_tiles)
      let start = try Board(hex: fields.start, shape: shape)
      return Header(
        rules: rules, start: start, agent: fields.agent, model: fields.model, seed: fields.seed, gameNumber: fields.game
      )
    } catch {
      throw .badHeader("\(error)")
    }
  }

  /// The only key that every format has.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct FormatField: Decodable {
    var tupelo_record: Int
  }

  /// The keys of the header in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct HeaderFields: Codable {
    var tupelo_record: Int
    var rows: Int
    var columns: Int
    var four_probability: Double
    var start_tiles: Int
    var start: String
    var agent: String
    var model: String?
    var seed: UInt64?
    var game: UInt64?
  }
}

extension GameRecord.Step {
  init?(token: Substring) {
    let symbols = Array(token)
    guard symbols.count == 3, let move = Move(letter: symbols[0]),
      let cell = symbols[1].hexDigitValue, symbols[2] == "2" || symbols[2] == "4"
    else { return nil }
    self.init(move: move, cell: cell, exponent: symbols[2] == "2" ? 1 : 2)
  }
}
