import SetAgents
import Testing

/// The part of `tupelo help agents` about Set, compared with what the parser prints and accepts.
@Suite struct AgentReferenceTests {
  private static func blocks() -> [[String]] {
    SetAgentSpecification.reference.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
  }

  /// The reason why the parser refuses a text; `nil` when it accepts the text.
  private static func refusal(_ text: String) -> String? {
    do {
      _ = try SetAgentSpecification(text: text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func everyAgentAndSettingIsThereAndTaken() throws {
    let names = Self.blocks().map { String($0[0].prefix { $0 != "(" }) }
    #expect(Self.refusal("zzzzzzzz") == "no agent is called 'zzzzzzzz': there are \(names.joined(separator: ", "))")
    for (name, lines) in zip(names, Self.blocks()) {
      #expect(Self.refusal(lines[0]) == nil && lines[0].count > 3, "\(lines[0])")
      let settings = try stride(from: 2, to: lines.count, by: 3).map { index in
        try #require(try #/\ \ ([a-z]+): (\S+)  .+/#.wholeMatch(in: lines[index]), "\(lines[index])")
      }
      let keys = settings.map { String($0.1) }
      #expect(
        Self.refusal("\(name)(zzzzzzzz: 1)")
          == "\(name) has no setting 'zzzzzzzz': there are \(keys.joined(separator: ", "))")
      for setting in settings {
        // An agent that needs a limit gets one, unless the setting is that limit.
        let needed = ["rollouts", "search"].contains(name) && setting.1 != "count" ? ", count: 5" : ""
        #expect(Self.refusal("\(name)(\(setting.1): \(setting.2)\(needed))") == nil, "\(name) \(setting.1)")
      }
    }
  }

  @Test func noLineIsWiderThanATerminal() {
    for line in SetAgentSpecification.reference.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
