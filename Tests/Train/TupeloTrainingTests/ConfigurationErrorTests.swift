internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloTraining

@Suite("Configuration: problems")
struct ConfigurationErrorTests {
  @Test(
    arguments: [
      ("learner:\n  alpa: 1", "x.yaml:2: learner.alpa: unknown key, did you mean learner.alpha?"),
      ("\nnonsense: 1", "x.yaml:2: nonsense: unknown key"),
      ("nonsense: {buried: {deeper: 1}}", "x.yaml:1: nonsense.buried: unknown key"),
      ("<<: {seed: 1}", "x.yaml:1: YAML merge keys (<<) are not supported: write the keys out"),
      ("learner:\n  <<: {alpha: 1}", "x.yaml:2: learner: YAML merge keys (<<) are not supported: write the keys out"),
      ("averaging: !!python/object:x", "x.yaml:1: YAML tags (!name) are not supported: leave the tag out"),
      ("output.keep: &a !!int 1\nseed: *a", "x.yaml:1: YAML tags (!name) are not supported: leave the tag out"),
      ("seed: 1\n!own name: x", "x.yaml:2: YAML tags (!name) are not supported: leave the tag out"),
      ("learner.alpha_schedule: !!set\n  - 5=1", "x.yaml:1: YAML tags (!name) are not supported: leave the tag out"),
      ("learner: 1", "x.yaml:1: learner: is a section, not a key: set one of its keys, such as learner.step_size"),
      ("seed: 1\n\nseed: 2", "x.yaml:3: seed: given more than once, first in line 1: leave one out"),
      ("learner:\n  \"alpha\" : 1\n  # alpha: 2\n  alpha: 3\nseed: 1", "x.yaml:4: learner.alpha: given more than"),
      ("rules:\n  rows: 4\nrules:", "x.yaml:3: rules: given more than once, first in line 1: leave one out"),
      ("training:  {minutes: 1, games: 60,\n  games: 60}", "x.yaml:2: training.games: given more than once, first in"),
      ("? seed\n: 1\n? seed\n: 2", "x.yaml:3: seed: given more than once, first in line 1: leave one out"),
      ("learner.alpha: 1\nlearner:\n  alpha: 1", "x.yaml:3: learner.alpha: given more than once, first in line 1:"),
      ("? [seed]\n: 1", "x.yaml:1: a key must be a text, such as seed"),
      ("- seed: 1", "x.yaml:1: not a list of keys and values: write lines such as 'seed: 1'"),
      ("seed=1", "x.yaml:1: not a list of keys and values: write lines such as 'seed: 1'"),
      ("rules.rows: 5", "x.yaml:1: rules.rows: 5 is not allowed: give a whole number from 2 to 4"),
      ("training.threads: 1025", "x.yaml:1: training.threads: 1025 is not allowed: give a whole number from 1 to 1024"),
      ("evaluation.plies: 0", "x.yaml:1: evaluation.plies: 0 is not allowed: give a whole number from 1 to 8"),
      ("learner.step_size: constnat", "x.yaml:1: learner.step_size: constnat ...did you mean constant?"),
      ("network.layout: 4X6", "x.yaml:1: network.layout: 4X6 is not allowed: give ...did you mean 4x6?"),
      ("learner.lambda: 1", "x.yaml:1: learner.lambda: lambda 1 has no default horizon: set learner.steps"),
      ("learner: {lambda: 0.5, batch: 2}", "x.yaml:1: learner.batch: a batch learns TD(0): leave out learner.lambda"),
      ("learner: {steps: episode, batch: 2}", "x.yaml:1: learner.batch: ...learner.steps, or set learner.batch to 1"),
      ("learner.lambda: 1.5", "x.yaml:1: learner.lambda: 1.5 is not allowed: give a number from 0 to 1"),
      ("learner.steps: 3", "x.yaml:1: learner.steps: lambda 0 looks one step ahead: for n-step returns set"),
      ("learner:\n  warm_up_games: 100\n  step_size: constant", "x.yaml:2: learner.warm_up_games: has no meaning"),
      ("learner:\n  warm_up_games: 100\n  alpha_schedule: [50=0.1, 200=0.01]", "x.yaml:3: ...let it begin later"),
      ("learner.alpha_schedule: 100=0.1 100=0.01", "x.yaml:1: learner.alpha_schedule: 100=0.01 is not allowed: give"),
      ("stages.promotion: weight", "x.yaml:1: stages.promotion: has no meaning without network.stages, such as"),
      ("network.stages: largest=64\nstages.frozen: 2", "x.yaml:2: stages.frozen: there is no stage 2: the network"),
      ("network.stages: largest=64\nstages.frozen: [0, 1]", "x.yaml:2: stages.frozen: all stages are frozen: leave"),
      ("network.stages: largest=63", "x.yaml:1: network.stages: 63 is not a tile at which a stage can begin: give a"),
      ("rules: {rows: 2, columns: 2}\nnetwork: {patterns: \"0123\", stages: largest=64}", "x.yaml:2: ...at most 32"),
      ("network.stages: present=64,128,256,512,1024", "x.yaml:1: network.stages: 5 tiles make 2^5 stages: 4 tiles,"),
      ("network.stages: largest=2048,1024", "x.yaml:1: network.stages: the stages 2048 and 1024 are not in ascending"),
      ("network.stages: two", "x.yaml:1: network.stages: 'two' does not describe stages: give single, or such as"),
      ("averaging.window: 150%", "x.yaml:1: averaging.window: 150% is more than the whole run: give a percentage"),
      ("averaging.window: 0%", "x.yaml:1: averaging.window: 0 is not allowed: give a percentage such as 15%, or a"),
      ("episodes.start: carousel", "x.yaml:1: episodes.start: has no meaning without network.stages, such as"),
      ("episodes.pool: 10", "x.yaml:1: episodes.pool: has no meaning without episodes.start carousel or pool: set"),
      ("name: a/b", "x.yaml:1: name: a/b is not allowed: give a name of at most 100 letters, digits and . _ + -"),
      ("name: ..\\..", "x.yaml:1: name: ..\\.. is not allowed: give a name of at most 100 letters, digits and . _ + -"),
      (#"name: "a\e[2Jb""#, "x.yaml:1: name: a\\u{1b}[2Jb is not allowed: give a name of at most 100 letters, digits"),
      ("output.directory: ''", "x.yaml:1: output.directory: is empty: give the path of a folder, or null"),
      (#"output.directory: "a\0""#, "x.yaml:1: output.directory: a\\u{0} is not allowed: give the path of a folder,"),
      ("network.patterns: [0123, [4567]]", "x.yaml:1: network.patterns: has an entry that is not a text: give a list"),
      ("network.patterns: {a: 1}", "x.yaml:1: network.patterns: is a mapping: give a list of patterns, or one text"),
      ("network.patterns: []", "x.yaml:1: network.patterns: a network needs at least one pattern, such as 012345"),
      ("network:\n  patterns:\n    - 0123\n    - 0120", "x.yaml:2: network.patterns: pattern '0120' names cell 0"),
      ("network.patterns: 012345678", "x.yaml:1: network.patterns: pattern '012345678' has 9 cells: give 1 to 8"),
      ("network.patterns: 012g", "x.yaml:1: network.patterns: pattern '012g' has 'g', which is not a hex digit:"),
      ("rules: {rows: 2, columns: 3}\nnetwork.patterns: 016", "x.yaml:2: network.patterns: pattern '016' names cell"),
      ("network.patterns: \(String(repeating: "0 ", count: 257))", "x.yaml:1: network.patterns: 257 patterns are too"),
      ("network:\n  layout: 4x6\n  patterns: 0123", "x.yaml:3: network.patterns: network.layout and network.patterns"),
      ("rules: {columns: 3}", "x.yaml:1: rules.columns: the network 4x6 is for the 4x4 board, not for 4x3: give"),
      ("rules: {rows: 3}\nnetwork.layout: 8x6", "x.yaml:2: network.layout: the network 8x6 is for the 4x4 board, not"),
      ("rules: {rows: 2, columns: 2, start_tiles: 4}\nnetwork.patterns: 0123", "x.yaml:1: ...4 cells: give 1 to 3"),
      ("learner:\n\talpha: 1", "x.yaml:2: not valid YAML: while scanning for the next token, found character that"),
      ("learner: {alpha: 1", "x.yaml:2: not valid YAML: while parsing a flow mapping, did not find expected ',' or"),
      ("seed: *other", "x.yaml:1: not valid YAML: found undefined alias (column 7)"),
      ("seed: 1\n---\nseed: 2", "x.yaml:2: not valid YAML: expected a single document in the stream, but found"),
      ("seed: 1\nname: \u{1}", "x.yaml:2: not valid YAML: control characters are not allowed"),
      ("a: &a x\nb: [\(String(repeating: "*a, ", count: 33))]", "x.yaml: too many YAML aliases (*name), or aliases"),
    ] as [(String, String)])
  func oneProblemOneLine(yaml: String, expected: String) {
    let problems = configurationProblems(yaml: yaml)
    #expect(problems.count == 1 && matches(problems[0], expected), "\(problems)")
  }

  /// A stage may begin at the largest tile of a board, and at the sum of its fullest board.
  @Test(arguments: [("largest", 32, 64), ("present", 32, 64), ("sum", 60, 61)])
  func stagesReachAFullBoard(_ measure: String, _ most: Int, _ more: Int) {
    func problems(_ threshold: Int) -> [String] {
      configurationProblems(
        yaml: "rules: {rows: 2, columns: 2}\nnetwork: {patterns: \"0123\", stages: \(measure)=\(threshold)}")
    }
    #expect(problems(most) == [] && problems(more).count == 1)
  }

  /// Some editors of Windows begin a text with a byte order mark, and end its lines with two characters.
  @Test func marksOfEditorsAreNoProblem() {
    #expect(configurationProblems(yaml: "\u{feff}name: x\r\ntraining: {games: 5}\r\n") == [])
    #expect(configurationProblems(yaml: "\u{feff}nam: x\n").count == 1)
  }

  @Test func textsAreLimitedToOneMebibyte() {
    let comment = String(repeating: "#", count: 1 << 20)
    #expect(configurationProblems(yaml: comment) == [])
    #expect(
      configurationProblems(yaml: comment + "\n") == ["x.yaml: larger than 1 MiB: this is not a configuration file"])
  }

  @Test(
    arguments: [
      ("TUPELO_LEARNER_ALPHA", "-1", "environment TUPELO_LEARNER_ALPHA: -1 is not allowed: give a number above 0, at"),
      ("TUPELO_SEED", "x", "environment TUPELO_SEED: 'x' is not a number: give a whole number from 0 to"),
      ("TUPELO_LEARNER_ALPA", "1", "environment TUPELO_LEARNER_ALPA: unknown key, did you mean TUPELO_LEARNER_ALPHA?"),
      ("TUPELO_RULES_XYZZY", "1", "environment TUPELO_RULES_XYZZY: unknown key"),
      ("TUPELO_TRAINING_ALPHA", "1", "environment TUPELO_TRAINING_ALPHA: ...did you mean TUPELO_LEARNER_ALPHA?"),
      ("TUPELO_NETWORK_DENSE_XYZZY", "1", "environment TUPELO_NETWORK_DENSE_XYZZY: unknown key"),
      ("TUPELO_NETWORK_DENSE", "1", "environment TUPELO_NETWORK_DENSE: is a section, not a key: set one of its keys,"),
      ("TUPELO_OUTPUT", "1", "environment TUPELO_OUTPUT: is a section, not a key: set one of its keys, such as"),
      ("TUPELO_NETWORK_PATTERNS", "00", "environment TUPELO_NETWORK_PATTERNS: pattern '00' names cell 0 twice: each"),
    ] as [(String, String, String)])
  func environmentProblems(variable: String, value: String, expected: String) {
    let problems = configurationProblems(environment: [variable: value])
    #expect(problems.count == 1 && matches(problems[0], expected), "\(problems)")
  }

  @Test(
    arguments: [
      ("learner.alpha=-1", "--set learner.alpha: -1 is not allowed: give a number above 0, at most 1"),
      ("learner.alpha=", "--set learner.alpha: is empty: give a number above 0, at most 1"),
      ("learner.alpha=null", "--set learner.alpha: has no value: give a number above 0, at most 1"),
      ("learner.alpha=1=1", "--set learner.alpha: '1=1' is not a number: give a number above 0, at most 1"),
      ("learner.alpa=1", "--set learner.alpa: unknown key, did you mean learner.alpha?"),
      ("learner.alpha", "--set learner.alpha: no value: write key=value, such as learner.alpha=0.5"),
      ("output.directory=\u{feff}x", "--set output.directory: \\u{feff}x is not allowed: give the path of a folder,"),
      ("learner=1", "--set learner: is a section, not a key: set one of its keys, such as learner.step_size"),
      ("", "--set : unknown key"),
      ("=", "--set : unknown key"),
      ("rules.rows=3", "--set rules.rows: the network 4x6 is for the 4x4 board, not for 3x4: give network.patterns"),
    ] as [(String, String)])
  func overrideProblems(text: String, expected: String) {
    let problems = configurationProblems(overrides: [text])
    #expect(problems.count == 1 && matches(problems[0], expected), "\(problems)")
  }

  @Test func allProblemsOfAllSourcesComeAtOnce() {
    let lines = configurationProblems(
      yaml: """
        seed: -3
        network:
          patterns: [0123, 45g, 4567, 899]
          layout: 4x6
        learner:
          alpa: 1
          step_size: fast
        rules: {rows: 2, start_tiles: 9}
        """,
      environment: ["TUPELO_TRAINING_GAMES": "1.5", "TUPELO_EVALUATION_PLY": "2", "TUPELO_HOME": "ignored"],
      overrides: ["output.checkpoint_games=often", "evaluation.plies=9", "seed=5"])
    #expect(
      lines == [
        "x.yaml:1: seed: -3 is not allowed: give a whole number from 0 to 18446744073709551615",
        "x.yaml:3: network.patterns: pattern '45g' has 'g', which is not a hex digit: cells are 0 to f, row by row",
        "x.yaml:3: network.patterns: pattern '899' names cell 8, which is off the 2x4 board: cells go up to 7",
        "x.yaml:3: network.patterns: network.layout and network.patterns both name the network: give one of them",
        "x.yaml:6: learner.alpa: unknown key, did you mean learner.alpha?",
        "x.yaml:7: learner.step_size: fast is not allowed: give temporal-coherence, constant or adam",
        "x.yaml:8: rules.start_tiles: 9 start tiles on 8 cells: give 1 to 7",
        "environment TUPELO_EVALUATION_PLY: unknown key, did you mean TUPELO_EVALUATION_PLIES?",
        "environment TUPELO_TRAINING_GAMES: 1.5 is not a whole number: give a whole number from 1 to 10^12",
        "--set output.checkpoint_games: 'often' is not a number: give a whole number from 0 to 10^12",
        "--set evaluation.plies: 9 is not allowed: give a whole number from 1 to 8",
      ])
  }

  /// A repeated key hides no other problem, and is named with its section.
  @Test func repeatedKeysHideNothing() {
    let lines = configurationProblems(
      yaml: """
        learner: {lambda: 2, alpa: 1, lambda: 0, alpha: 1, alpha: 1}
        seed: x
        stages:
          frozen: [99]
        name: |
          seed: "a"
        stages:
          frozen: [0]
        evaluation: {games: 5, plies: "1, plies: 2", games: 1.5}
        output.on_checkpoint: "echo 'seed: 1' http://x?a:b"
        nonsense: 1
        nonsense: 2
        """, overrides: ["seed=y"])
    #expect(
      lines == [
        "x.yaml:1: learner.alpa: unknown key, did you mean learner.alpha?",
        "x.yaml:1: learner.lambda: given more than once, first in line 1: leave one out",
        "x.yaml:1: learner.alpha: given more than once, first in line 1: leave one out",
        "x.yaml:1: learner.lambda: 2 is not allowed: give a number from 0 to 1",
        "x.yaml:2: seed: 'x' is not a number: give a whole number from 0 to 18446744073709551615",
        "x.yaml:4: stages.frozen: 99 is not allowed: give a list of whole numbers from 0 to 15",
        "x.yaml:5: name: seed: \"a\" is not allowed: give a name of at most 100 letters, digits and . _ + -",
        "x.yaml:7: stages: given more than once, first in line 3: leave one out",
        "x.yaml:8: stages.frozen: given more than once, first in line 4: leave one out",
        "x.yaml:9: evaluation.games: given more than once, first in line 9: leave one out",
        "x.yaml:9: evaluation.plies: '1, plies: 2' is not a number: give a whole number from 1 to 8",
        "x.yaml:11: nonsense: unknown key",
        "x.yaml:12: nonsense: unknown key",
        "--set seed: 'y' is not a number: give a whole number from 0 to 18446744073709551615",
      ])
  }

  /// Another program's words lead to the key, wherever settings are given.
  @Test(
    arguments: [
      ("learner.lr", "learner.alpha"), ("lr", "learner.alpha"), ("Epsilon", "learner.exploration"),
      ("training.total-timesteps", "training.games"), ("n-envs", "training.games_at_once"),
    ] as [(String, String)])
  func wordsOfOtherProgramsAreKnown(_ word: String, _ key: String) {
    let problem = "\(word): unknown key, did you mean \(key)?"
    #expect(configurationProblems(overrides: ["\(word)=1"]) == ["--set \(problem)"])
    #expect(configurationProblems(yaml: "\(word): 1") == ["x.yaml:1: \(problem)"])
  }

  @Test func aDiscountIsExplained() {
    let why = "2048 has no discount, which is 1: a value is the sum of all rewards to come"
    #expect(configurationProblems(overrides: ["learner.gamma=1"]) == ["--set learner.gamma: \(why)"])
    #expect(configurationProblems(yaml: "gamma: 0.9") == ["x.yaml:1: gamma: \(why)"])
    #expect(
      configurationProblems(environment: ["TUPELO_LEARNER_GAMMA": "1", "TUPELO_LEARNER_LR": "1"]) == [
        "environment TUPELO_LEARNER_GAMMA: \(why)",
        "environment TUPELO_LEARNER_LR: unknown key, did you mean TUPELO_LEARNER_ALPHA?",
      ])
  }

  /// A word of another program is not a key's own name, and leads to a key.
  @Test func wordsOfOtherProgramsLeadToKeys() {
    let own = Set(testKeys.all.map { ConfigurationKey.leaf(of: $0.path) })
    for (word, key) in OtherWords.keys {
      #expect(testKeys.named(key) != nil && !own.contains(word), "\(word): \(key)")
      #expect(RunConfiguration.reference(of: word, in: testGames).contains(key), "\(word): \(key)")
    }
  }

  @Test func aFileThatCannotBeTakenApartHidesNoOtherSource() {
    let lines = configurationProblems(
      yaml: "seed: [", environment: ["TUPELO_SEED": "x"], overrides: ["rules.rows=3", "seeed=1"])
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("x.yaml:2: not valid YAML: ") == true)
    #expect(lines.dropFirst().first?.hasPrefix("environment TUPELO_SEED: ") == true)
    #expect(lines.last == "--set seeed: unknown key, did you mean seed?")
  }

  @Test func aRefusedBoardBringsNoFurtherComplaints() {
    let lines = configurationProblems(yaml: "rules.rows: 7\nnetwork.patterns: [0123, abcdef, 00]")
    #expect(
      lines == [
        "x.yaml:1: rules.rows: 7 is not allowed: give a whole number from 2 to 4",
        "x.yaml:2: network.patterns: pattern '00' names cell 0 twice: each cell may occur once",
      ])
  }

  @Test func endlessProblemsAreCutShort() {
    let unknown = configurationProblems(yaml: (0..<5000).map { "a\($0): 1\n" }.joined())
    #expect(unknown.count == 101)
    #expect(unknown.last == "x.yaml:101: further problems are not listed")
    let patterns = configurationProblems(yaml: "network.patterns: \(String(repeating: "z ", count: 5000))")
    #expect(patterns.count == 101)
    #expect(patterns.last == "x.yaml:1: network.patterns: further problems are not listed")
  }

  @Test func problemsCarryTheirFacts() {
    do throws(ConfigurationError) {
      _ = try RunConfiguration.parse(yaml: "learner:\n  alpa: 1", sourceName: "x.yaml")
      Issue.record("no error")
    } catch {
      #expect(
        error.problems.map(\.reason) == [.unknownKey(nearest: "learner.alpha")])
      #expect(error.problems.map(\.source) == [.file("x.yaml", line: 2, column: 3)])
      #expect(error.problems.map(\.key) == ["learner.alpa"])
    }
  }

  @Test func configurationsOfAProgramAreCheckedToo() throws {
    try RunConfiguration().validate()
    var configuration = RunConfiguration(name: "a b", stepSize: .constant(alpha: .nan))
    configuration.training.threads = 0
    configuration.rules = try Rules(shape: BoardShape(rows: 2, columns: 3))
    do throws(ConfigurationError) {
      try configuration.validate()
      Issue.record("no error")
    } catch {
      #expect(
        error.description == """
          configuration: name: a b is not allowed: give a name of at most 100 letters, digits and . _ + -
          configuration: learner.alpha: 'nan' is not a number: give a number above 0, at most 1
          configuration: training.threads: 0 is not allowed: give a whole number from 1 to 1024
          configuration: network: the network is for a 4x4 board, the rules are for 2x3
          """)
    }
  }
}
