internal import SetEngine

/// Draws a table of Set for a terminal: each card with a key, its symbols and its notation.
struct SetTableView {
  let usesColour: Bool

  /// The keys of the places. Keys that command something are left out: n, q, r and u.
  static let keys = Array("abcdefghijklmopstvwxy")

  static func place(of key: Character) -> Int? { keys.firstIndex(of: key) }

  /// Lines of the drawing, without newlines: three cards in each column, as players lay them.
  ///
  /// - Parameter marked: places to point at
  func lines(of table: [Card], marked: [Int] = []) -> [String] {
    let columns = (table.count + 2) / 3
    return (0..<3).map { row in
      (0..<columns).compactMap { column in
        let place = column * 3 + row
        return place < table.count ? cell(table[place], at: place, isMarked: marked.contains(place)) : nil
      }
      .joined(separator: "  ")
    }
  }

  private func cell(_ card: Card, at place: Int, isMarked: Bool) -> String {
    let key = place < Self.keys.count ? Self.keys[place] : " "
    let mark = isMarked ? "*" : " "
    guard usesColour else { return "\(mark)\(key) \(card)" }
    let count = card.value(of: .number) + 1
    let symbol = Self.symbols[card.value(of: .shape)][card.value(of: .shading)]
    let symbols = String(repeating: symbol, count: count) + String(repeating: " ", count: 3 - count)
    let colour = Self.colours[card.value(of: .colour)]
    return "\(mark)\(key) \u{1b}[38;5;\(colour)m\(symbols)\u{1b}[0m \(card)"
  }

  /// The symbol of a card by shape and shading; squiggles are shown as squares.
  private static let symbols: [[Character]] = [["◆", "◈", "◇"], ["●", "◍", "○"], ["■", "▤", "□"]]

  /// Red, green and purple of the palette of 256, readable on light and on dark terminals.
  private static let colours = [160, 34, 133]
}
