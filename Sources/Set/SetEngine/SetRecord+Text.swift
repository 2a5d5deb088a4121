/// The text form: one line of JSON, then the steps, four to a line.
///
/// A step is the three cards taken, then `+` and the cards dealt, such as `1rsd2rsd3rsd+1gtv3pov2gsq`. A step that
/// starts with `+` has no taken cards: three more cards were dealt. A step without dealt cards has no `+`.
extension SetRecord {
  /// The newest format that this code writes and reads.
  public static let formatVersion = 1

  /// The record as text, ending in a newline.
  public var text: String {
    let tokens = steps.map { $0.token }
    let lines = stride(from: 0, to: tokens.count, by: 4).map { start in
      tokens[start..<min(start + 4, tokens.count)].joined(separator: " ")
    }
    return ([headerLine] + lines).joined(separator: "\n") + "\n"
  }

  /// - Throws: `SetRecordError` naming what is wrong and where. Whether the steps follow the rules is checked by
  ///   `replay()`.
  public init(text: String) throws(SetRecordError) {
    let lines = text.split(maxSplits: 1) { $0 == "\n" || $0 == "\r\n" }
    guard let first = lines.first else { throw .badHeader("the text is empty") }
    let header = try Self.header(of: String(first))
    var steps: [Step] = []
    for token in lines.dropFirst().joined().split(whereSeparator: { $0.isSpace }) {
      steps.append(try Step(token: token, number: steps.count + 1))
    }
    self.init(header, steps: steps)
  }

  private var headerLine: String {
    HeaderFields(
      tupelo_set_record: Self.formatVersion, features: header.rules.features, table: header.rules.tableSize,
      start: header.start.map { $0.notation }.joined(separator: " "), agent: header.agent, model: header.model,
      seed: header.seed, game: header.gameNumber
    ).line
  }

  private static func header(of line: String) throws(SetRecordError) -> Header {
    // Only the format is read first, because the other keys of a newer format are unknown here.
    let kind = try kind(of: line)
    if kind.tupelo_set_record == nil, kind.tupelo_record != nil { throw .otherGame("2048") }
    guard let format = kind.tupelo_set_record else { throw .badHeader(expected) }
    guard format <= formatVersion else { throw .newerFormat(format, supported: formatVersion) }
    guard format >= 1 else { throw .badHeader("tupelo_set_record is \(format): formats are counted from 1") }
    let fields = try fields(of: line)
    let (rules, start): (SetRules, [Card])
    do throws(SetRulesError) {
      rules = try SetRules(features: fields.features, tableSize: fields.table)
    } catch {
      throw .badHeader(error.description)
    }
    do throws(CardTextError) {
      start = try Card.list(fields.start)
    } catch {
      throw .badHeader(error.description)
    }
    return Header(
      rules: rules, start: start, agent: fields.agent, model: fields.model, seed: fields.seed, gameNumber: fields.game)
  }

  /// The error for a first line that is not JSON, or lacks a key.
  static let expected = "expected JSON with tupelo_set_record, features, table, start and agent"
}

extension SetRecord.Step {
  /// The step as text.
  var token: String {
    let cards = taken.map { "\($0.first)\($0.second)\($0.third)" } ?? ""
    return cards + (dealt.isEmpty ? "" : "+" + dealt.map { $0.notation }.joined())
  }

  /// - Parameter number: the number of the step, for the error
  init(token: Substring, number: Int) throws(SetRecordError) {
    func refusal(_ reason: String) -> SetRecordError {
      .badStep(String(shownOf: token, limit: 30), step: number, reason: reason)
    }
    let form = "a step is three cards taken, + and the cards dealt, such as 1rsd2rsd3rsd+1gtv3pov2gsq"
    let parts = token.split(separator: "+", omittingEmptySubsequences: false)
    guard token.utf8.count <= 25, parts.count <= 2 else { throw refusal(form) }
    let (taken, dealt): ([Card], [Card])
    do throws(CardTextError) {
      taken = try Self.cards(parts[0])
      dealt = parts.count == 2 ? try Self.cards(parts[1]) : []
    } catch {
      throw refusal(error.description)
    }
    guard [0, 3].contains(taken.count), parts.count == 1 || !dealt.isEmpty, taken.count + dealt.count > 0 else {
      throw refusal(form)
    }
    guard !taken.isEmpty else {
      self.init(taken: nil, dealt: dealt)
      return
    }
    guard let trio = Trio(taken[0], taken[1], taken[2]) else { throw refusal("the three cards taken are not a Set") }
    self.init(taken: trio, dealt: dealt)
  }

  /// Cards written one after the other, four symbols each.
  private static func cards(_ text: Substring) throws(CardTextError) -> [Card] {
    var (cards, rest) = ([Card](), text)
    while !rest.isEmpty {
      cards.append(try Card(text: rest.prefix(4)))
      rest = rest.dropFirst(4)
    }
    return cards
  }
}
