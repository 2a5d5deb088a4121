internal import Foundation
internal import TestSupport
internal import Testing
internal import TupeloTraining

/// A damaged configuration is read as a configuration, or refused with an error of one line per problem.
@Suite("Configuration: damaged files")
struct ConfigurationFuzzTests {
  private static let whole = """
    # A configuration that uses everything.
    name: "fuzz"
    seed: 18446744073709551615
    rules: {rows: 4, columns: 4, four_probability: 0.1, start_tiles: 2}
    network:
      patterns:
        - 012345
        - "456789"
        - '012456'
      symmetries: &how shared
    learner.step_size: constant
    learner:
      alpha: 1.5e-1
    training: {games: 100k, threads: 2, report_games: 1_000}
    evaluation:
      games: 1e3
      seed: 7
      plies: 2
    output:
      directory: "runs/\\u00e9\\x41 \\"x\\""
      checkpoint_games: 20k
    """

  private static let fragments: [String] = [
    "{", "}", "[", "]", ":", ": ", "- ", "? ", "*how", "&how ", "!!str ", "!", "%YAML 1.1\n", "---\n", "...\n", "<<: ",
    "|\n", ">\n",
    "\"", "'", "\\", "\n", "\r", "\t", "\u{0}", "\u{feff}", "\u{2028}", "null", "~", ".nan", "-1", "1e9999",
    "999999999999999999999",
    "learner", "learner.alpha: 1\n", "network.layout: 4x6\n", "\"\\ud800\"", "\"\\U0010FFFF\"", "é", "\u{1f408}",
  ]

  @Test(.slow) func fiveThousandMutationsNeverCrash() throws {
    var random = TestRandom(state: 2048)
    var (accepted, refused) = (0, 0)
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "fuzz.yaml")
      for _ in 0..<5000 {
        try Data(Self.mutated(using: &random)).write(to: file)
        do throws(ConfigurationError) {
          let configuration = try RunConfiguration.load(file: file.path, environment: [:], overrides: [], of: testGames)
          // An accepted text gives a whole configuration.
          accepted += 1
          try configuration.validate()
          #expect(
            try RunConfiguration.parse(yaml: configuration.yaml, sourceName: "again", of: testGames) == configuration)
        } catch {
          refused += 1
          #expect(!error.problems.isEmpty)
          #expect(error.problems.count <= 300)
          for problem in error.problems {
            #expect(problem.description.hasPrefix(file.path))
            #expect(problem.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(problem.description.count < 1500)
          }
        }
      }
    }
    // Both outcomes are frequent, so the mutations are neither harmless nor hopeless.
    #expect(accepted > 250)
    #expect(refused > 2500)
  }

  /// Makes one to six random edits of the bytes.
  private static func mutated(using random: inout TestRandom) -> [UInt8] {
    var bytes = Array(whole.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let start = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes.replaceSubrange(start..<end, with: (fragments.randomElement(using: &random) ?? "").utf8)
      case 1: bytes.insert(contentsOf: (fragments.randomElement(using: &random) ?? "").utf8, at: start)
      case 2: bytes.removeSubrange(start..<end)
      case 3: if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
      case 4: if start < bytes.count { bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      case 5: bytes.insert(contentsOf: Array(bytes[start..<end]), at: Int.random(in: 0...bytes.count, using: &random))
      default: if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeSubrange(start...) }
      }
    }
    return bytes
  }

  /// Texts that could exhaust stack, time or memory.
  enum Hostile: String, CaseIterable {
    case lists, mappings, keys, closedLists, closedMappings, closedKeys, longList, longInteger, longFraction, longName,
      aliases, aliasesOfALongList

    var yaml: String {
      func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
      switch self {
      case .lists: return many("[", 100_000)
      case .mappings: return many("{a: ", 100_000)
      case .keys: return many("? ", 100_000)
      case .closedLists: return many("[", 900) + many("]", 900)
      case .closedMappings: return many("{a: ", 900) + many("}", 900)
      case .closedKeys: return many("? ", 900) + "a"
      case .longList: return "network.patterns: [\(many("1,", 100_000))]"
      case .longInteger: return "seed: " + many("9", 1_000_000)
      case .longFraction: return "learner.alpha: 0." + many("9", 1_000_000)
      case .longName: return "name: " + many("n", 1_000_000)
      case .aliases:
        let levels = (1...10).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1), *a\($0 - 1)]\n" }
        return "a0: &a0 [x]\n" + levels.joined() + "? *a10\n: 1\n"
      case .aliasesOfALongList:
        let levels = (1...4).map { "a\($0): &a\($0) [\(many("*a\($0 - 1), ", 7))]\n" }
        return "a0: &a0 [\(many("x, ", 10_000))]\n" + levels.joined()
      }
    }
  }

  @Test(.slow, .timeLimit(.minutes(1)), arguments: Hostile.allCases)
  func hostileTextsEnd(text: Hostile) {
    do throws(ConfigurationError) {
      _ = try RunConfiguration.parse(yaml: text.yaml, sourceName: "x.yaml", of: testGames)
    } catch {
      #expect(!error.problems.isEmpty)
      #expect(error.description.utf8.count < 100_000)
    }
  }
}
