import Testing
import TupeloConfiguration

/// Keys of section `own`, which only another program knows.
@Suite struct OwnKeyTests {
  private func load(
    _ yaml: String = "", _ environment: [String: String] = [:], _ overrides: [String] = []
  ) throws -> RunConfiguration {
    try .load(yaml: yaml, sourceName: "x.yaml", environment: environment, overrides: overrides)
  }

  private func refusal(_ body: () throws -> RunConfiguration) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func anyNameIsAKeyFromEverySource() throws {
    let configuration = try load(
      "own:\n  window: 50\n  kind: soft\n", ["TUPELO_OWN_RATE": "0.5"], ["own.window=60", "own.rule=Autostep"])
    #expect(configuration.own.texts == ["window": "60", "kind": "soft", "rate": "0.5", "rule": "Autostep"])
    #expect(configuration.own.rule == "Autostep")
    #expect(configuration.yaml.contains("own:\n  kind: soft\n  rate: 0.5\n  rule: Autostep\n  window: 60\n"))
    #expect(!configuration.yaml.contains("step_size"))
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "own.yaml") == configuration)
    #expect(try load("own.window: null").own.isEmpty)
    #expect(try load("", [:], ["own.window=null"]) == load())
  }

  @Test(arguments: ["a b", "-", "- x", "1e3", "-5", "#x", "null ", "~", "true", "x: y", "'", "[1, 2]", "ä", "0x10"])
  func everyTextReadsBack(_ text: String) throws {
    var configuration = RunConfiguration()
    configuration.own["text"] = text
    #expect(try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "own.yaml").own["text"] == text)
  }

  @Test(arguments: [
    ("own.Window: 1", "own.Window: unknown key"), ("own.a-b: 1", "own.a-b: unknown key"),
    ("own.a.b: 1", "own.a.b: unknown key"), ("own: 1", "own: is a section"), ("own.x: [1]", "own.x: is a list"),
    ("own.x: ''", "own.x: is empty"), ("owm.x: 1", "owm.x: unknown key"),
  ])
  func otherNamesAreNot(_ yaml: String, _ text: String) {
    #expect(refusal { try load(yaml) }?.contains(text) == true, "\(refusal { try load(yaml) } ?? "no error")")
  }

  @Test func settingsHaveTypesAndDefaults() throws {
    var own = try load("own: {window: 50, kind: soft}").own
    #expect(try own.value("window", default: 10) == 50)
    #expect(try own.value("kind", default: "hard") == "soft")
    #expect(own.unread == nil)
    #expect(try own.value("rate", default: 0.5) == 0.5)
    #expect(own["rate"] == "0.5")
    #expect(throws: ConfigurationError.self) { try own.value("kind", default: 1) }
    #expect(
      refusal {
        _ = try own.value("kind", default: 1); return RunConfiguration()
      }?.contains("own.kind") == true)
    own["typo"] = "1"
    #expect(own.unread == "typo")
  }

  /// A wrong name in a program is one line, and not the end of the process.
  @Test(arguments: [
    ("maxError", "not a name for a setting: in the program, use up to 40 lower-case letters, digits and _"),
    ("max error", "not a name"), ("1st", "not a name"), ("", "not a name"), ("rule", "names a part of the run"),
  ])
  func aNameThatNoKeyHasIsRefused(_ name: String, _ text: String) {
    let refusal = refusal {
      var configuration = RunConfiguration()
      _ = try configuration.own.value(name, default: 400)
      return configuration
    }
    #expect(refusal?.hasPrefix("configuration: own.\(name): \(text)") == true, "\(refusal ?? "no error")")
    #expect(refusal?.contains("\n") == false)
  }
}
