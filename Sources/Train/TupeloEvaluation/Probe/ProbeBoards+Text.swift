internal import Foundation
internal import TupeloBase
internal import TupeloEngine
internal import TupeloModels

/// Reads and writes boards as text: one line of JSON, then a line per board with its group, the board in hex digits and
/// the number of its game, such as `16384+8192 e1d0000000000000 17`.
extension ProbeBoards {
  /// The newest format that this code writes and reads.
  public static let formatVersion = 1

  /// The boards as text, with a newline at the end.
  public var text: String {
    let shape = header.rules.shape
    let lines = zip(groups, entries).flatMap { group, entries in
      entries.map { "\(group.name) \($0.board.hex(in: shape)) \($0.game)" }
    }
    return ([headerLine] + lines).joined(separator: "\n") + "\n"
  }

  /// Reads what `text` writes.
  ///
  /// - Throws: `ProbeBoardsError`, which says what is wrong and where. The first group must have a board, and every
  ///   board must belong to its group.
  public init(text: String) throws(ProbeBoardsError) {
    let lines = text.lines
    self.init(try Self.header(of: String(lines[0])))
    let shape = header.rules.shape
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, let game = Int(words[2]), game >= 0 else {
        throw .badLine(index + 1, "expected a group, a board and the number of its game")
      }
      guard let number = groups.firstIndex(where: { $0.name == words[0] }) else {
        throw .badLine(
          index + 1, "no group \(String(words[0]).quoted): there are \(groups.map(\.name).joined(separator: ", "))")
      }
      let board: Board
      do {
        board = try Board(hex: words[1], shape: shape)
      } catch {
        throw .badLine(index + 1, "\(error)")
      }
      guard groups[number].contains(board) else {
        throw .badLine(index + 1, "the largest tiles of \(words[1]) are not \(groups[number].title)")
      }
      entries[number].append(Entry(board: board, game: game))
    }
    guard !entries[0].isEmpty else { throw .noBoards(groups[0]) }
  }

  private var headerLine: String {
    let fields = HeaderFields(
      tupelo_probe: Self.formatVersion, rows: header.rules.shape.rows, columns: header.rules.shape.columns,
      four_probability: header.rules.fourProbability, start_tiles: header.rules.startTiles,
      largest_tile: 1 << header.largest, agent: header.agent, model: header.model, seed: header.seed)
    return JSONText.line(fields)
  }

  private static func header(of line: String) throws(ProbeBoardsError) -> Header {
    let (format, fields): (Int, HeaderFields?)
    do {
      // Reads only the format first, because the other keys of a newer format are unknown here.
      format = try JSONDecoder().decode(FormatField.self, from: Data(line.utf8)).tupelo_probe
      fields = format > formatVersion ? nil : try JSONDecoder().decode(HeaderFields.self, from: Data(line.utf8))
    } catch {
      throw .badHeader(
        "expected JSON with tupelo_probe, rows, columns, four_probability, start_tiles, largest_tile, agent and seed")
    }
    guard let fields else { throw .newerFormat(format, supported: formatVersion) }
    guard format >= 1 else { throw .badHeader("tupelo_probe is \(format): formats are counted from 1") }
    let rules: Rules
    do {
      let shape = try BoardShape(rows: fields.rows, columns: fields.columns)
      rules = try Rules(shape: shape, fourProbability: fields.four_probability, startTiles: fields.start_tiles)
    } catch {
      throw .badHeader("\(error)")
    }
    guard let largest = ProbeGroup.exponents(rules)?.first(where: { 1 << $0 == fields.largest_tile }) else {
      throw .badHeader("largest_tile is \(fields.largest_tile), which no probe on \(rules.shape) has")
    }
    return Header(rules: rules, largest: largest, agent: fields.agent, model: fields.model, seed: fields.seed)
  }

  /// The only key that every format has.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct FormatField: Decodable {
    var tupelo_probe: Int
  }

  /// The keys of the header in the file.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  private struct HeaderFields: Codable {
    var tupelo_probe: Int
    var rows: Int
    var columns: Int
    var four_probability: Double
    var start_tiles: Int
    var largest_tile: Int
    var agent: String
    var model: String?
    var seed: UInt64
  }
}

/// Why a text does not hold boards to probe.
public enum ProbeBoardsError: Error, Hashable, Sendable {
  case badHeader(String)
  case newerFormat(Int, supported: Int)
  case badLine(Int, String)
  /// The first group has no board.
  case noBoards(ProbeGroup)
}

extension ProbeBoardsError: CustomStringConvertible {
  /// One line, without the name of the file.
  public var description: String {
    switch self {
    case .badHeader(let reason): "the first line is not a header of boards to probe: \(reason)"
    case .newerFormat(let format, let supported):
      "boards of format \(format), this program reads up to \(supported): get a newer tupelo"
    case .badLine(let line, let reason): "line \(line): \(reason)"
    case .noBoards(let group): "there is no board with \(group.title): record them with tupelo probe --record"
    }
  }
}
