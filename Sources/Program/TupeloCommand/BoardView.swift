internal import TupeloBase
internal import TupeloEngine

/// Draws a board for a terminal, with the tiles coloured if colour is wanted.
struct BoardView {
  let shape: BoardShape
  let usesColour: Bool

  /// Lines of the drawing, without newlines.
  func lines(of board: Board) -> [String] {
    let plain = board.drawing(in: shape).split(separator: "\n").map(String.init)
    guard usesColour else { return plain }
    let rule = plain.first ?? ""
    let rows = board.tiles(in: shape).map { row in
      "|" + row.map { cell($0) + "|" }.joined()
    }
    return [rule] + rows + [rule]
  }

  private func cell(_ tile: Int) -> String {
    let text = tile == 0 ? "" : String(tile)
    let padded = String(repeating: " ", count: 6 - text.count) + text
    guard tile > 0 else { return padded }
    let colour = Self.colours[min(tile.trailingZeroBitCount, Self.colours.count) - 1]
    return "\u{1b}[48;5;\(colour.background)m\u{1b}[38;5;\(colour.text)m\(padded)\u{1b}[0m"
  }

  /// Background and text colours from the palette of 256, by exponent from 1: light for small tiles, strong for large
  /// ones.
  private static let colours: [(background: Int, text: Int)] = [
    (255, 236), (254, 236), (216, 16), (209, 16), (203, 16), (196, 231), (228, 16), (227, 16), (226, 16), (220, 16),
    (214, 16), (85, 16), (49, 16), (39, 16), (33, 231), (129, 231), (201, 231),
  ]
}

/// Redraws a block of lines in place on a terminal; elsewhere it prints the block again.
///
/// On a terminal, lines without colour are broken between words, because a line that the terminal wraps takes two rows.
struct Screen {
  private var height = 0
  /// The disturbances of the terminal up to the last time.
  private var disturbances = Terminal.disturbances.value
  let isLive: Bool

  init(isLive: Bool = Terminal.outputIsTerminal) { self.isLive = isLive }

  mutating func show(_ lines: [String]) {
    guard isLive else { return Terminal.line(lines.joined(separator: "\n")) }
    let width = max(Terminal.columns - 1, 1)
    let lines = lines.flatMap { line in
      guard !line.contains("\u{1b}") else { return [line] }
      let rows = Format.paragraph(Terminal.harmless(line), width: width)
      return rows.split(separator: "\n", omittingEmptySubsequences: false).map { String($0.prefix(width)) }
    }
    if disturbances != Terminal.disturbances.value {
      (height, disturbances) = (0, Terminal.disturbances.value)
    }
    let up = height > 0 ? "\u{1b}[\(height)A" : ""
    Terminal.write(up + lines.map { "\r\u{1b}[K" + $0 + "\n" }.joined() + "\u{1b}[J")
    height = lines.count
  }
}
