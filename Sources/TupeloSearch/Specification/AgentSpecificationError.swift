/// Why a text names no agent, or an agent cannot be made.
public enum AgentSpecificationError: Error, Hashable, Sendable {
  case tooLong(limit: Int)
  case badParentheses
  case notAPair(String)
  case unknownName(String, nearest: String?)
  case unknownKey(String, of: AgentName, nearest: String?)
  case repeated(AgentKey)
  case badValue(String, of: AgentKey, expected: String, nearest: String? = nil)
  /// None of the keys, of which one is needed.
  case missing(AgentName, [AgentKey], example: String)
  /// A key that does nothing as long as another is not given.
  case noUse(AgentKey, of: AgentName, unless: String)
  /// `evaluator: model`, and no model was given.
  case needsModel(String)
}

extension AgentSpecificationError: CustomStringConvertible {
  /// One line, without the place that the specification stands in.
  public var description: String {
    switch self {
    case .tooLong(let limit):
      "an agent is written in at most \(limit) characters"
    case .badParentheses:
      "an agent is a name, or a name and its settings in one pair of parentheses, such as expectimax(plies: 3)"
    case .notAPair(let text):
      "'\(NearestWord.printable(text))' is no setting: write key: value, such as plies: 3"
    case .unknownName(let name, let nearest):
      "no agent is called '\(NearestWord.printable(name))'"
        + Self.suggestion(nearest, of: AgentName.allCases.map(\.rawValue))
    case .unknownKey(let key, let name, let nearest):
      "\(name.rawValue) has no setting '\(NearestWord.printable(key))'"
        + (name.keys.isEmpty ? ": it has none" : Self.suggestion(nearest, of: name.keys.map(\.rawValue)))
    case .repeated(let key):
      "\(key.rawValue) is given more than once"
    case .badValue(let value, let key, let expected, let nearest):
      "\(key.rawValue) is '\(NearestWord.printable(value))': give \(expected)"
        + (nearest.map { ", did you mean \($0)?" } ?? "")
    case .missing(let name, let keys, let example):
      "\(name.rawValue) needs \(NearestWord.list(keys.map(\.rawValue))), such as \(example)"
    case .noUse(let key, let name, let other):
      "\(key.rawValue) does nothing for \(name.rawValue) without \(other)"
    case .needsModel(let agent):
      "\(agent) plays by a model and none is given: name one, or write evaluator: heuristic"
    }
  }

  private static func suggestion(_ nearest: String?, of words: [String]) -> String {
    nearest.map { ", did you mean \($0)?" } ?? ": there are \(words.joined(separator: ", "))"
  }
}

/// Finding what was probably meant among a few words.
enum NearestWord {
  /// The first of the words with the fewest typing errors, if it is one error, or one in three letters.
  static func to(_ text: String, among words: [String]) -> String? {
    let letters = Array(text.lowercased().unicodeScalars)
    guard !letters.isEmpty, letters.count <= 40 else { return nil }
    let limit = max(letters.count / 3, 1)
    var best: (word: String, errors: Int)?
    for word in words {
      let errors = errors(letters, Array(word.unicodeScalars))
      if errors <= limit, errors < best?.errors ?? .max { best = (word, errors) }
    }
    return best?.word
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that make one of the other (Damerau 1964, each letter edited once).
  private static func errors(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var errors = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { errors = min(errors, rows[i - 1][j - 1] + 1) }
        row.append(errors)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }

  /// `a, b or c`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Fit for one line: control characters shown as dots, at most 60 characters.
  static func printable(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: "."
      default: Character(scalar)
      }
    }
    return String(shown) + (text.unicodeScalars.count > 60 ? "..." : "")
  }
}
