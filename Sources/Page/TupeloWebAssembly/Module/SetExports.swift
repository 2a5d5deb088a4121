internal import SetAgents
internal import SetEngine
internal import TupeloEngine

// The functions with which a page asks about Set. A question is a text in the room, its parts in lines. The answer is a
// text, too, which `message` puts into the room: after 0 it is the answer, after 1 the reason why there is none.

/// A game after its choices: seed, number of the game, choices and player.
@_expose(wasm, "setGame") @_cdecl("page_set_game")
package func setGame(_ count: Int32) -> Int32 {
  answering { () throws(SetProblem) in
    let question = question(count, parts: 4)
    return SetText.game(
      try SetLine(seed: question[0], number: question[1], player: question[3], choices: question[2]))
  }
}

/// The game of a record.
@_expose(wasm, "setRecord") @_cdecl("page_set_record")
package func setRecord(_ count: Int32) -> Int32 {
  answering { () throws(SetProblem) in SetText.game(try SetLine(record: question(count, parts: 1)[0])) }
}

/// Whether three cards are a Set.
@_expose(wasm, "setClaim") @_cdecl("page_set_claim")
package func setClaim(_ count: Int32) -> Int32 {
  answering { () throws(SetProblem) in SetText.claim(try SetClaim(text: question(count, parts: 1)[0])) }
}

/// Values the Sets on a table: agent, cards of the table, cards of the deck.
///
/// - Parameters:
///   - low: the lower half of a seed for agents that choose at random
///   - high: the upper half
@_expose(wasm, "setAnalyze") @_cdecl("page_set_analyze")
package func setAnalyze(_ count: Int32, _ low: UInt32, _ high: UInt32) -> Int32 {
  Module.shared.agentStream = RandomStream(seed: UInt64(high) << 32 | UInt64(low))
  return answering { () throws(SetProblem) in
    let question = question(count, parts: 3)
    let agent = try SetWebAgent.named(question[0], of: Module.shared.setAgents)
    return SetText.choices(SetChoices(try SetPosition(table: question[1], unseen: question[2]), agent))
  }
}

private func answering(_ body: () throws(SetProblem) -> String) -> Int32 {
  do throws(SetProblem) {
    return Module.shared.answer(try body())
  } catch {
    return Module.shared.fail(error.description)
  }
}

/// The lines of a question in the room. The last part is the rest of the text; missing parts are empty.
private func question(_ count: Int32, parts: Int) -> [String] {
  let bytes = Module.shared.room.withBytes(count: Int(count)) { bytes in
    unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
  }
  let lines = bytes.split(separator: 10, maxSplits: parts - 1, omittingEmptySubsequences: false)
  return (0..<parts).map { $0 < lines.count ? String(decoding: lines[$0], as: UTF8.self) : "" }
}
