internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloTraining

@Suite("Configuration: numbers")
struct ConfigurationNumberTests {
  @Test(
    arguments: [
      ("1", 1), ("+7", 7), ("100k", 100_000), ("100K", 100_000), ("2M", 2_000_000), ("3G", 3_000_000_000),
      ("1_000", 1000),
      ("1_2_3", 123), ("1e6", 1_000_000), ("1E6", 1_000_000), ("1e+3", 1000), ("1.5M", 1_500_000), ("0.5k", 500),
      ("2.50e2", 250), ("1000e-3", 1), ("1.0", 1), (".5k", 500), ("1e12", 1_000_000_000_000), ("0e5", 0), ("-0", 0),
      ("'12'", 12), ("\"1e3\"", 1000),
    ] as [(String, Int)])
  func wholeNumbers(text: String, expected: Int) throws {
    let configuration = try RunConfiguration.parse(yaml: "output.checkpoint_games: \(text)", sourceName: "x.yaml")
    #expect(configuration.output.checkpointGames == expected)
  }

  @Test(
    arguments: [
      ("-3", "-3 is not allowed"), ("0", "0 is not allowed"), ("1e13", "1e13 is not allowed"),
      ("1_000_000_000_001", "1_000_000_000_001 is not allowed"),
      ("99999999999999999999999999999999999999999999", "99999999999999999999999999999999999999999999 is not allowed"),
      ("9e9999", "9e9999 is not allowed"), ("1.5", "1.5 is not a whole number"), ("1e-1", "1e-1 is not a whole number"),
      ("1.2345k", "1.2345k is not a whole number"), ("''", "is empty"), ("\"\"", "is empty"), ("", "has no value"),
      ("~", "has no value"), ("null", "has no value"), ("[1]", "is a list"), ("{a: 1}", "is a mapping"),
      ("yes", "'yes' is not a number"), ("ten", "'ten' is not a number"), ("0x10", "'0x10' is not a number"),
      ("010", "'010' is not a number"), ("01", "'01' is not a number"), ("1:30", "'1:30' is not a number"),
      ("1__0", "'1__0' is not a number"),
      ("_1", "'_1' is not a number"), ("1_", "'1_' is not a number"), ("-.", "'-.' is not a number"),
      (".", "'.' is not a number"), ("k", "'k' is not a number"), ("1kk", "'1kk' is not a number"),
      ("1m", "'1m' is not a number"), ("1e", "'1e' is not a number"), ("1e1.5", "'1e1.5' is not a number"),
      ("1 000", "'1 000' is not a number"), ("--1", "'--1' is not a number"), (".nan", "'.nan' is not a number"),
      (".inf", "'.inf' is not a number"), ("١", "'١' is not a number"), ("'1 '", "'1 ' is not a number"),
    ] as [(String, String)])
  func refusedWholeNumbers(text: String, reason: String) {
    #expect(
      configurationProblems(yaml: "training.games: \(text)")
        == ["x.yaml:1: training.games: \(reason): give a whole number from 1 to 10^12"])
  }

  @Test func seedsTakeAllOf64Bits() throws {
    #expect(try RunConfiguration.parse(yaml: "seed: 18446744073709551615", sourceName: "x").seed == .max)
    #expect(try RunConfiguration.parse(yaml: "seed: 0", sourceName: "x").seed == 0)
    for text in ["18446744073709551616", "-1", "20e18"] {
      #expect(
        configurationProblems(yaml: "seed: \(text)")
          == ["x.yaml:1: seed: \(text) is not allowed: give a whole number from 0 to 18446744073709551615"])
    }
  }

  @Test(
    arguments: [
      ("0.1", 0.1 as Float), ("1", 1), ("1.0", 1), ("1e-3", 0.001), (".5", 0.5), ("+0.25", 0.25), ("0.0425", 0.0425),
      ("1_0e-1", 1), ("0.5e0", 0.5), ("0.000000000000000000000000000001", 1e-30),
      ("0.333333343267440796", 0.333333343267440796),
    ] as [(String, Float)])
  func numbers(text: String, expected: Float) throws {
    let configuration = try RunConfiguration.parse(yaml: "learner.alpha: \(text)", sourceName: "x.yaml")
    #expect(configuration.stepSize == .temporalCoherence(alpha: expected))
  }

  @Test(
    arguments: [
      ("-1", "-1 is not allowed"), ("0", "0 is not allowed"), ("-0.0", "-0.0 is not allowed"),
      ("1e-60", "1e-60 is not allowed"),
      ("1.0001", "1.0001 is not allowed"), ("1e9999", "1e9999 is not allowed"), ("yes", "'yes' is not a number"),
      (".nan", "'.nan' is not a number"), ("nan", "'nan' is not a number"), (".inf", "'.inf' is not a number"),
      ("inf", "'inf' is not a number"), ("0x1p-1", "'0x1p-1' is not a number"), ("1/2", "'1/2' is not a number"),
      ("0,5", "'0,5' is not a number"), ("50%", "'50%' is not a number"), ("", "has no value"), ("''", "is empty"),
      ("[0.1]", "is a list"), ("{}", "is a mapping"),
    ] as [(String, String)])
  func refusedNumbers(text: String, reason: String) {
    #expect(
      configurationProblems(yaml: "learner.alpha: \(text)")
        == ["x.yaml:1: learner.alpha: \(reason): give a number above 0, at most 1"])
  }

  @Test func probabilitiesIncludeTheirEnds() throws {
    #expect(try RunConfiguration.parse(yaml: "rules.four_probability: 0", sourceName: "x").rules.fourProbability == 0)
    #expect(try RunConfiguration.parse(yaml: "rules.four_probability: 1", sourceName: "x").rules.fourProbability == 1)
    #expect(
      configurationProblems(yaml: "rules.four_probability: 1.1")
        == ["x.yaml:1: rules.four_probability: 1.1 is not allowed: give a number from 0 to 1"])
  }

  /// Whole numbers written in random ways mean what integer arithmetic says.
  @Test func randomWholeNumbers() throws {
    var random = TestRandom(state: 11)
    for _ in 0..<500 {
      let digits = Int.random(in: 0...99_999, using: &random)
      let zeros = Int.random(in: 0...6, using: &random)
      let value = (0..<zeros).reduce(digits) { sum, _ in sum * 10 }
      let point = Int.random(in: 0...4, using: &random)
      let padded = String(repeating: "0", count: max(0, point + 1 - "\(digits)".count)) + "\(digits)"
      let mantissa = point == 0 ? padded : padded.dropLast(point) + "." + padded.suffix(point)
      let text = "\(mantissa)e\(zeros + point)"
      let parsed = try RunConfiguration.parse(yaml: "output.checkpoint_games: \(text)", sourceName: "x")
      #expect(parsed.output.checkpointGames == value, "\(text)")
    }
  }
}
