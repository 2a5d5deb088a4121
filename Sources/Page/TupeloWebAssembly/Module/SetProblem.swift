/// The reason why a question about Set gets no answer.
enum SetProblem: Error {
  case badNumber(parameter: String, text: String)
  case badCards(parameter: String, reason: String)
  case badRecord(String)
  case badChoice(String, number: Int, reason: String)
  case tooManyChoices(Int, limit: Int)
  case badName(String)
  case noAgent(String, known: [String])
}

extension SetProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .badNumber(let parameter, let text):
      "\(parameter) is '\(String(text.prefix(40)))': give a whole number, 0 to \(UInt64.max)"
    case .badCards(let parameter, let reason): "\(parameter): \(reason)"
    case .badRecord(let reason): reason
    case .badChoice(let text, let number, let reason): "choice \(number) is '\(String(text.prefix(40)))': \(reason)"
    case .tooManyChoices(let count, let limit): "\(count) choices are too many: no game has more than \(limit)"
    case .badName(let name):
      "player is '\(String(name.prefix(40)))': give a name of at most \(SetLine.nameLimit) bytes"
    case .noAgent(let name, let known):
      "no agent is called '\(String(name.prefix(40)))': there is \(known.joined(separator: ", "))"
    }
  }
}
