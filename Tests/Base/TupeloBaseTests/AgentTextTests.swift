import Testing
import TupeloBase

/// The grammar of agents, with names, keys and an error type that belong to no game.
@Suite struct AgentTextTests {
  private enum Player: String, AgentTextName {
    case calm
    case eager

    var row: AgentRow<Key> {
      self == .calm
        ? AgentRow("calm", [], "Does little.")
        : AgentRow(
          "eager(steps: 3)", [.steps, .tile, .share, .mood], "Does much.", standards: [.share: "half of it"])
    }

    enum Key: String, AgentTextKey {
      case steps
      case tile
      case share
      case mood

      var row: AgentSettingRow {
        switch self {
        case .steps: AgentSettingRow(.whole(1...12), "how far", example: "3", default: "none")
        case .tile: AgentSettingRow(.whole(2...64), "from where", example: "8", default: "2")
        case .share: AgentSettingRow(.probability, "how often", example: "0.5", default: "0.1")
        case .mood: AgentSettingRow(.words(["good", "bad"]), "how", example: "bad", default: "good")
        }
      }
    }
  }

  private enum Mood: String, CaseIterable {
    case good
    case bad
  }

  private enum Refusal: AgentTextFailure, Equatable {
    case tooLong(limit: Int)
    case badParentheses
    case notAPair(String)
    case unknownName(String, nearest: String?)
    case unknownKey(String, of: Player, nearest: String?)
    case repeated(Player.Key)
    case badValue(String, of: Player.Key, expected: String, nearest: String?)
  }

  private typealias Text = AgentText<Refusal>

  @Test func readsAndWrites() throws {
    let text = try Text(" eager ( steps:12 ,mood : bad,share: 0.5 )")
    #expect(text.name == .eager && text[.steps] == "12" && text[.mood] == "bad")
    #expect(try text.integer(.steps) == 12 && text.probability(.share) == 0.5)
    #expect(try text.word(.mood, default: Mood.good) == .bad)
    let plain = try Text("calm")
    #expect(try plain.integer(.steps) == nil && plain.probability(.share) == nil)
    #expect(try plain.word(.mood, default: Mood.good) == .good)
    #expect(Text.written(.calm) { _ in "1" } == "calm" && Text.written(.eager) { _ in nil } == "eager")
    let settings: [Player.Key: String] = [.mood: "bad", .steps: "3"]
    #expect(Text.written(.eager) { settings[$0] } == "eager(steps: 3, mood: bad)")
    let beyond: [Player.Key: String] = [.steps: "13", .tile: "-1"]
    #expect(Text.written(.eager) { beyond[$0] } == "eager(steps: 12, tile: 2)")
  }

  @Test func refuses() {
    func refusal(_ text: String, _ read: (Text) throws(Refusal) -> Void = { _ in }) -> Refusal? {
      do throws(Refusal) {
        try read(try Text(text))
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal("calm") == nil)
    #expect(
      refusal(String(repeating: "x", count: 500)) == .unknownName(String(repeating: "x", count: 500), nearest: nil))
    #expect(refusal(String(repeating: "x", count: 501)) == .tooLong(limit: 500))
    for text in ["calm()", "eager(", "eager(steps: 1", "eager(steps: 1))", "eager((steps: 1)", "eager(steps: 1) x"] {
      #expect(refusal(text) == .badParentheses, "\(text)")
    }
    #expect(refusal("clam") == .unknownName("clam", nearest: "calm"))
    #expect(refusal("eager(step: 1)") == .unknownKey("step", of: .eager, nearest: "steps"))
    #expect(refusal("calm(steps: 1)") == .unknownKey("steps", of: .calm, nearest: nil))
    #expect(refusal("eager(steps)") == .notAPair("steps") && refusal("eager(steps:)") == .notAPair("steps:"))
    #expect(refusal("eager(steps: 1, steps: 1)") == .repeated(.steps))
    let form = "a whole number from 1 to 12"
    for value in ["0", "13", "x", "1.0", "1e0"] {
      #expect(
        refusal("eager(steps: \(value))") { text throws(Refusal) in _ = try text.integer(.steps) }
          == .badValue(value, of: .steps, expected: form, nearest: nil))
    }
    #expect(
      refusal("eager(mood: bat)") { text throws(Refusal) in _ = try text.word(.mood, default: Mood.good) }
        == .badValue("bat", of: .mood, expected: "good or bad", nearest: "bad"))
    for value in ["0", "1", "nan", "-0.1"] {
      #expect(
        refusal("eager(share: \(value))") { text throws(Refusal) in _ = try text.probability(.share) }
          == .badValue(
            value, of: .share, expected: "a probability above 0 and below 1, such as 0.0001", nearest: nil))
    }
  }

  @Test func rowsMakeTheReference() {
    #expect(
      Player.reference == """
        calm
          Does little.

        eager(steps: 3)
          Does much.
          steps: 3              how far
                                takes a whole number from 1 to 12
                                default: none
          tile: 8               from where
                                takes a whole number from 2 to 64
                                default: 2
          share: 0.5            how often
                                takes a probability above 0 and below 1, such as 0.0001
                                default: half of it
          mood: bad             how
                                takes good or bad
                                default: good
        """)
  }

  @Test func sentences() {
    #expect(Refusal.sentence(tooLong: 500) == "an agent is written in at most 500 characters")
    #expect(
      Refusal.sentence(unknownName: "x\n", nearest: nil) == "no agent is called 'x\\u{a}': there are calm, eager")
    #expect(
      Refusal.sentence(unknownKey: "stps", of: .eager, nearest: "steps")
        == "eager has no setting 'stps', did you mean steps?")
    #expect(
      Refusal.sentence(unknownKey: "steps", of: .calm, nearest: nil) == "calm has no setting 'steps': it has none")
    #expect(
      Refusal.sentence(missing: [.steps, .share], of: .eager, example: "eager(steps: 3)")
        == "eager needs steps or share, such as eager(steps: 3)")
    #expect(
      Refusal.sentence(noUse: .mood, of: .eager, unless: "steps: 3")
        == "mood does nothing for eager without steps: 3")
  }
}
