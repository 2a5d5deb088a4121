/// Suggestions for misspelled words and safe display of foreign text, for the error texts of all modules.
package enum Spelling {
  /// The Damerau-Levenshtein distance: the fewest insertions, deletions, substitutions and swaps of neighbours that
  /// turn one text into the other. Other letters may lie between the two swapped letters (Damerau 1964; Lowrance &
  /// Wagner 1975).
  ///
  /// - Complexity: O(|a| |b|) time and memory
  package static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
    let (far, width) = (a.count + b.count, b.count + 2)
    // Row i + 1 and column j + 1 compare the first i and the first j letters. Row 0 and column 0 are a border of `far`.
    var table = [Int](repeating: far, count: (a.count + 2) * width)
    for i in 0...a.count { table[(i + 1) * width + 1] = i }
    for j in 0...b.count { table[width + j + 1] = j }
    var lastRow: [Unicode.Scalar: Int] = [:]
    for i in a.indices {
      var lastColumn = 0
      for j in b.indices {
        let (row, column) = (lastRow[b[j], default: 0], lastColumn)
        let isSame = a[i] == b[j]
        let substituted = table[(i + 1) * width + j + 1] + (isSame ? 0 : 1)
        let inserted = table[(i + 2) * width + j + 1] + 1
        let deleted = table[(i + 1) * width + j + 2] + 1
        let swapped = table[row * width + column] + (i - row) + 1 + (j - column)
        table[(i + 2) * width + j + 2] = min(substituted, inserted, deleted, swapped)
        if isSame { lastColumn = j + 1 }
      }
      lastRow[a[i]] = i + 1
    }
    return table[(a.count + 1) * width + b.count + 1]
  }

  /// The candidate closest to `text`, if it is close enough to be the intended word. If several are equally close, the
  /// result is the first of them.
  package static func nearest(to text: String, among candidates: [String]) -> String? {
    closest(to: text, among: candidates).map { candidates[$0.index] }
  }

  /// The index of the candidate closest to `text`, and its distance.
  ///
  /// A candidate is close enough if it has one typing error, or one error in three letters and at most three. Case is
  /// ignored, and `-` and `_` count as equal.
  package static func closest(to text: String, among candidates: [String]) -> (index: Int, distance: Int)? {
    let letters = text.unicodeScalars.count
    guard letters > 0, letters <= 200 else { return nil }
    let limit = min(max(letters / 3, 1), 3)
    let plain = plain(text)
    var best: (index: Int, distance: Int)?
    for (index, candidate) in candidates.enumerated() where abs(candidate.unicodeScalars.count - letters) <= limit {
      let distance = distance(plain, Self.plain(candidate))
      if distance <= limit, distance < best?.distance ?? Int.max { best = (index, distance) }
    }
    return best
  }

  private static func plain(_ text: String) -> String {
    String(text.lowercased().map { $0 == "-" ? "_" : $0 })
  }

  /// Words as a list in a sentence: `a, b or c`.
  package static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Foreign text for one line on a terminal: without control characters, and cut after `limit` scalars.
  package static func printable(_ text: String, limit: Int = 100) -> String {
    var shown = ""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < limit else { return shown + "..." }
      if isPrintable(scalar) {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return shown
  }

  /// Whether a scalar can be printed in one line as it is: not a control, format, separator or unassigned character.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    #if hasFeature(Embedded)
    // Tables of Unicode properties would be a sixth of the page's engine.
    scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value)
    #else
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
    #endif
  }
}

extension String {
  /// The text in quotation marks, for one line of a message: at most 60 scalars, with control characters escaped.
  package var quoted: String { "\"" + Spelling.printable(self, limit: 60) + "\"" }
  /// A path in quotes. It stays whole, because its end says most.
  package var quotedPath: String { "\"" + Spelling.printable(self, limit: 1000) + "\"" }
}

/// Writes a number with its noun, singular or plural.
package enum CountText {
  /// A number with its noun: `1 game`, `2 games`, `0 games`. The plural ends in s.
  package static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)" + ending(count) }

  /// The ending of a noun after a number: nothing for 1, otherwise s.
  package static func ending(_ count: Int) -> String { count == 1 ? "" : "s" }
}
