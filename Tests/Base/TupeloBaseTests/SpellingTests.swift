import Testing
import TupeloBase

@Suite struct SpellingTests {
  @Test(
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("alpha", "alpha", 0), ("alpa", "alpha", 1), ("aplha", "alpha", 1),
      ("kitten", "sitting", 3), ("ca", "abc", 2), ("a cat", "an abct", 3), ("specter", "spectre", 1),
      ("größe", "grosse", 3),
    ] as [(String, String, Int)])
  func knownDistances(a: String, b: String, expected: Int) {
    #expect(Spelling.distance(a, b) == expected)
    #expect(Spelling.distance(b, a) == expected)
  }

  /// The distances of all pairs of short words, compared with a breadth-first search over single edits.
  @Test func distancesAreThoseOfTheShortestEdit() {
    let words = Self.words(upTo: 3)
    for start in words {
      let reference = Self.editsNeeded(from: start, longest: 5)
      for word in words {
        #expect(Spelling.distance(start, word) == reference[word], "\(start) -> \(word)")
      }
    }
  }

  private static func words(upTo length: Int) -> [String] {
    var words = [""]
    var longest = [""]
    for _ in 0..<length {
      longest = longest.flatMap { word in ["a", "b", "c"].map { word + $0 } }
      words += longest
    }
    return words
  }

  private static func editsNeeded(from start: String, longest: Int) -> [String: Int] {
    var found = [start: 0]
    var frontier = [start]
    while !frontier.isEmpty {
      var next: [String] = []
      for word in frontier {
        for edited in edits(of: Array(word)) where edited.count <= longest && found[edited] == nil {
          found[edited] = found[word, default: 0] + 1
          next.append(edited)
        }
      }
      frontier = next
    }
    return found
  }

  private static func edits(of word: [Character]) -> [String] {
    var edits: [[Character]] = []
    for index in 0...word.count {
      for letter in "abc" as String {
        edits.append(Array(word[..<index]) + [letter] + Array(word[index...]))
        if index < word.count { edits.append(Array(word[..<index]) + [letter] + Array(word[(index + 1)...])) }
      }
      if index < word.count { edits.append(Array(word[..<index]) + Array(word[(index + 1)...])) }
      if index + 1 < word.count {
        edits.append(Array(word[..<index]) + [word[index + 1], word[index]] + Array(word[(index + 2)...]))
      }
    }
    return edits.map { String($0) }
  }

  @Test func whatIsShownFitsOneLine() {
    #expect(Spelling.printable("a\u{1b}[31m\nb\u{202e}c") == "a\\u{1b}[31m\\u{a}b\\u{202e}c")
    #expect(Spelling.printable("Größe 猫") == "Größe 猫")
    #expect(Spelling.printable(String(repeating: "x", count: 5), limit: 3) == "xxx...")
    #expect(Spelling.list([]) == "")
    #expect(Spelling.list(["a"]) == "a")
    #expect(Spelling.list(["a", "b", "c"]) == "a, b or c")
  }

  /// Names come from files and command lines: they must not fake a second line or flood the first.
  @Test func quotedText() {
    #expect("a".quoted == "\"a\"")
    #expect("a\n\u{202e}".quoted == "\"a\\u{a}\\u{202e}\"")
    #expect(String(repeating: "x", count: 61).quoted == "\"" + String(repeating: "x", count: 60) + "...\"")
  }
}
