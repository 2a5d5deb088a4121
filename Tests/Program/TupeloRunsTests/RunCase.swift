import TestSupport
import TrainingSupport
import TupeloReports
import TupeloTraining

/// A small run with random settings. Its number gives the same run on every machine.
struct RunCase: Sendable, CustomStringConvertible {
  let sharing: Sharing
  /// Settings, each `key=value`, as `tupelo train --set` takes them.
  var settings: [String]

  var description: String { "\(sharing): " + whole.map { "--set '\($0)'" }.joined(separator: " ") }

  /// Settings that hold for keys without a setting.
  private static let base = [
    "network.patterns=01", "averaging.every_games=0", "training.games=90", "training.solo_games=0",
    "evaluation.games=0", "evaluation.threads=1", "output.checkpoint_minutes=0",
  ]

  /// All settings; the last one of a key holds.
  private var whole: [String] { Self.base.dropFirst(settings.contains("game=set") ? 1 : 0) + settings }

  func configuration(_ more: [String] = []) throws -> RunConfiguration {
    try RunConfiguration.load(file: nil, environment: [:], overrides: whole + more, of: .program)
  }

  init(_ number: Int) {
    var random = TestRandom(state: UInt64(number))
    sharing = Sharing.allCases[number % Sharing.allCases.count]
    settings = []
    // Contradictions are left to the configuration, which refuses them.
    repeat { settings = Self.settings(sharing, using: &random) } while (try? configuration()) == nil
  }

  private static func settings(_ sharing: Sharing, using random: inout TestRandom) -> [String] {
    func oneOf(_ choices: [String]...) -> [String] { choices.randomElement(using: &random) ?? [] }
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let kind = sharing == .oneThread ? number(0...5) : 0
    let (isSet, isDense) = (kind == 5, kind == 4)
    var settings = ["seed=\(number(1...1_000_000))", "training.games=\(number(60...160))"]
    settings += oneOf([], ["training.solo_games=15"]) + oneOf(["training.report_games=20"], [])
    settings += sharing.settings(mergeMoves: number(20...200))
    if isSet {
      settings += ["game=set", "set.features=2", "set.table=3"]
    } else {
      let (rows, columns) = [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4)].randomElement(using: &random) ?? (2, 2)
      let patterns = (0..<number(1...3)).map { _ in
        (0..<rows * columns).shuffled(using: &random).prefix(number(2...4)).map { String($0, radix: 16) }.joined()
      }
      settings += [
        "rules.rows=\(rows)", "rules.columns=\(columns)", "network.patterns=" + patterns.joined(separator: " "),
      ]
      settings += oneOf([], [], ["network.symmetries=separate"]) + oneOf([], ["training.games_at_once=2"])
    }
    if isDense {
      settings += ["network.dense.hidden=[4]", "network.dense.embedding=7", "learner.batch=8"]
      settings += oneOf(
        [], ["learner.step_size=constant", "learner.alpha=0.001"], ["learner.alpha_schedule=[40=0.0001]"])
      settings += oneOf([], ["learner.lambda=0.5", "learner.steps=episode"])
    } else {
      settings += oneOf(
        [], ["learner.step_size=constant"], ["learner.warm_up_games=25", "learner.warm_up_alpha=0.5"],
        ["learner.alpha=0.5", "learner.alpha_schedule=[40=0.1]"])
      settings += oneOf(
        [], ["learner.lambda=0.5", "learner.steps=4"], ["learner.lambda=0.5", "learner.steps=episode"],
        ["learner.batch=5"])
      settings += oneOf([], [], ["learner.decay=0.01", "learner.decay_every_games=7"])
      settings += oneOf([], [], ["learner.initial_value=50"])
    }
    settings += oneOf([], [], ["learner.exploration=0.1"])
    let isStaged = !isSet && !isDense && Bool.random(using: &random)
    if isStaged {
      settings += oneOf(["network.stages=largest=8,16"], ["network.stages=sum=40"])
      settings += oneOf([], ["stages.promotion=none"]) + oneOf([], ["stages.after_games=33"])
    }
    if !isSet {
      settings += oneOf(
        [], ["episodes.start=restart", "episodes.restart_moves=3"],
        isStaged ? ["episodes.start=carousel", "episodes.batch=5", "episodes.pool=20"] : [],
        ["episodes.start=pool", "episodes.tile=8", "episodes.pool=20"])
    }
    let window = oneOf(["15%"], ["50%"], ["3"], ["100"])[0]
    settings += oneOf(
      [], ["averaging.every_games=7", "averaging.window=" + window], ["averaging.every_games=10"])
    settings += oneOf(
      [], ["evaluation.every_games=25", "evaluation.interim_games=4"],
      ["evaluation.every_games=15", "evaluation.interim_games=3", "evaluation.patience=2"])
    return settings + oneOf([], ["evaluation.games=3"])
      + oneOf([], ["output.checkpoint_games=30"], ["output.checkpoint_games=20", "output.keep=3"])
  }
}
