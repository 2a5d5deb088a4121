import Testing
import TupeloSearch

/// The page of `tupelo help agents`, compared with what the parser prints and accepts.
@Suite struct AgentReferenceTests {
  /// A setting as the page shows it.
  private struct Setting {
    let key: String
    let example: String
    let takes: String
    let standard: String
  }

  /// The page by agent: the specification in its heading, and its settings.
  private static func page() throws -> [(text: String, settings: [Setting])] {
    try AgentSpecification.reference.split(separator: "\n\n").map { block in
      let lines = block.split(separator: "\n").map(String.init)
      let settings = try stride(from: 2, to: lines.count, by: 3).map { index in
        let match = try #require(try #/\ \ ([a-z]+): (\S+)  .+/#.wholeMatch(in: lines[index]), "\(lines[index])")
        let takes = try #require(try #/\ +takes (.+)/#.wholeMatch(in: lines[index + 1]))
        let standard = try #require(try #/\ +default: (.+)/#.wholeMatch(in: lines[index + 2]))
        return Setting(
          key: String(match.1), example: String(match.2), takes: String(takes.1), standard: String(standard.1))
      }
      return (lines[0], settings)
    }
  }

  /// The reason why the parser refuses a text; `nil` when it accepts the text.
  private static func refusal(_ text: String) -> String? {
    do {
      _ = try AgentSpecification(text: text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// A specification of the agent with a setting, and with the other settings that the agent needs.
  private static func text(_ agent: String, _ key: String, _ value: String) -> String {
    let plies = key == "cutoff" ? "plies: 3" : "plies: 2"
    let needed = ["expectimax": plies, "minimax": "plies: 2", "montecarlo": "rollouts: 5, policy: greedy"]
    let others = (needed[agent] ?? "").split(separator: ", ").map(String.init).filter { !$0.hasPrefix(key + ":") }
    return "\(agent)(" + (["\(key): \(value)"] + others).joined(separator: ", ") + ")"
  }

  @Test func everyAgentAndSettingIsThere() throws {
    let page = try Self.page()
    let names = page.map { String($0.text.prefix { $0 != "(" }) }
    #expect(Self.refusal("zzzzzzzz") == "no agent is called 'zzzzzzzz': there are \(names.joined(separator: ", "))")
    for (name, (text, settings)) in zip(names, page) {
      #expect(Self.refusal(text) == nil, "\(text)")
      let keys = settings.map(\.key).joined(separator: ", ")
      #expect(
        Self.refusal("\(name)(zzzzzzzz: 1)")
          == "\(name) has no setting 'zzzzzzzz': " + (keys.isEmpty ? "it has none" : "there are \(keys)"))
    }
  }

  @Test func rangesAndExamplesAreTheParsers() throws {
    var ranges = 0
    for (heading, settings) in try Self.page() {
      let agent = String(heading.prefix { $0 != "(" })
      for setting in settings {
        func refusal(_ value: String) -> String? { Self.refusal(Self.text(agent, setting.key, value)) }
        #expect(refusal(setting.example) == nil, "\(agent) \(setting.key)")
        #expect(refusal("x")?.contains("give \(setting.takes)") == true, "\(agent) \(setting.key)")
        guard let match = try /.* from (\d+) to (\d+)/.wholeMatch(in: setting.takes) else {
          if setting.takes.contains(" or ") {
            for word in setting.takes.replacing(" or ", with: ", ").split(separator: ", ") {
              #expect(refusal(String(word)) == nil, "\(agent) \(setting.key): \(word)")
            }
          }
          continue
        }
        let (lower, upper) = (try #require(Int(match.1)), try #require(Int(match.2)))
        #expect(refusal("\(lower)") == nil && refusal("\(upper)") == nil, "\(agent) \(setting.key)")
        #expect(refusal("\(lower - 1)") != nil, "\(agent) \(setting.key)")
        #expect(refusal("\(upper + 1)") != nil, "\(agent) \(setting.key)")
        ranges += 1
      }
    }
    #expect(ranges == 8)
  }

  @Test func defaultsAreWhatAnAgentHas() throws {
    for (heading, settings) in try Self.page() {
      let agent = String(heading.prefix { $0 != "(" })
      for setting in settings {
        // The heading names the agent with the settings that it needs, and no others.
        #expect(setting.standard.contains("must be given") == heading.contains(setting.key + ":"), "\(agent)")
        guard setting.standard.contains("must be given") else { continue }
        #expect(Self.refusal(agent)?.contains(setting.key) == true, "\(agent) \(setting.key)")
      }
    }
    #expect(
      try AgentSpecification(text: "montecarlo(rollouts: 5, policy: random)")
        == AgentSpecification(text: "montecarlo(rollouts: 5)"))
    #expect(try AgentSpecification(text: "greedy(evaluator: automatic)") == AgentSpecification(text: "greedy"))
    #expect(AgentSpecification.reference.contains("default: 4 from 3 plies on, 0 below\n"))
    #expect(Expectimax<HeuristicEvaluator>.defaultTableBytes == 4 << 20)
  }

  @Test func fitsATerminal() {
    let lines = AgentSpecification.reference.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix(" ") })
    #expect(lines.count < 80)
  }
}
