internal import TupeloDense
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloSearch
internal import TupeloTraining

/// The signature of behaviour: a number for each part of the program that changes only when results of the part change.
/// It hashes games, weights and searches from fixed seeds.
///
/// A part leaves out sums by BLAS, whose order depends on the processor: batches, and dense training by BLAS.
public enum BenchSignature {
  /// A part of the program with its signature, 16 hex digits.
  public struct Part: Hashable, Sendable {
    public let name: String
    public let value: String
  }

  /// The signatures of all parts. They take a second or two.
  public static func parts() throws -> [Part] {
    var parts = try [("engine", engine), ("search", search), ("evaluation", evaluation), ("dense", dense)]
      .map { name, add in Part(name: name, value: try Hash(add).text) }
    for (name, runs) in runs {
      let value = try Hash { hash in for run in runs { hash.add(try trained(run)) } }.text
      parts.append(Part(name: name, value: value))
    }
    return parts
  }

  /// The signature of all parts, 16 hex digits.
  public static func compute() throws -> String {
    let parts = try parts()
    return Hash { hash in for part in parts { hash.add(part.value) } }.text
  }

  /// The behaviour version and the signature of each part, a line for each, as `tupelo bench --signature` prints them.
  public static func text() throws -> String {
    try (["behaviour \(behaviourVersion)"] + parts().map { "\($0.name) \($0.value)" }).joined(separator: "\n")
  }

  /// Random games under several rules, and perft.
  private static func engine(_ hash: inout Hash) throws {
    for (rows, columns, four) in [(4, 4, 0.1), (3, 3, 0.5), (2, 3, 0.0)] {
      let shape = try BoardShape(rows: rows, columns: columns)
      let rules = try Rules(shape: shape, fourProbability: four)
      var agent = RandomAgent(shape: shape, seed: 1)
      for number in 0..<100 as Range<UInt64> {
        agent.beginGame(seed: 1, number: number)
        var game = Game(rules: rules, seed: 1, number: number)
        while let move = agent.move(on: game.board) { game.play(move) }
        hash.add(game.board.bits)
        hash.add(UInt64(game.score))
      }
    }
    hash.add(UInt64(perft(Board(bits: 0x1000_0000_0000_0001), depth: 2)))
  }

  /// Analyses of every agent, and of searches with each limit but time.
  private static func search(_ hash: inout Hash) throws {
    let agents = [
      "random", "greedy", "expectimax(plies: 2)", "expectimax(plies: 3, cutoff: 0.01)",
      "expectimax(plies: 2, extend: 5)",
      "expectimax(nodes: 2000)", "expectimax(plies: 2, threads: 2)", "minimax(plies: 2)", "montecarlo(rollouts: 5)",
      "montecarlo(rollouts: 3, policy: greedy)",
    ]
    for text in agents {
      var agent = try AgentSpecification(text: text).makeAgent()
      agent.beginGame(seed: 1, number: 1)
      var game = Game(rules: .standard, seed: 5, number: 0)
      for _ in 0..<40 {
        let analysis = agent.analyze(game.board)
        hash.add(UInt64(analysis?.nodes ?? 0))
        for candidate in analysis?.candidates ?? [] { hash.add(candidate.value.bitPattern) }
        guard let move = agent.move(on: game.board), game.play(move) != nil else { break }
        hash.add(game.board.bits)
      }
    }
  }

  /// A series of greedy games.
  private static func evaluation(_ hash: inout Hash) throws {
    let series = GameSeries(RunConfiguration().gameRules, games: 20, seed: 3, threads: 2)
    let report = series.run { BoardPlayer(Expectimax(HeuristicEvaluator()), rules: .standard) }
    guard let report else { return }
    let numbers = [
      report.scoreMean, report.scoreMargin, report.scoreMedian, Double(report.scoreMax), report.movesMean,
    ]
    for number in numbers {
      hash.add(number.bitPattern)
    }
  }

  /// Steps of a dense network by plain loops and by Adam.
  private static func dense(_ hash: inout Hash) throws {
    let patterns = try ["01", "12"].map { try TuplePattern(text: $0) }
    let indexer = TupleIndexer(try NetworkSpecification(patterns: patterns))
    let groups = EmbeddingShape.consecutiveGroups(featureCount: indexer.featureCount, size: 8)
    let shape = try EmbeddingShape(
      indexCount: indexer.layout.weightCount, width: 7, groups: groups, hasLinearWeights: true)
    let specification = try DenseSpecification(input: .embedding(shape), hiddenWidths: [8])
    var network = try DenseNetwork(specification, DenseInitialization(seed: 1, outputScale: 1))
    var workspace = try DenseWorkspace(specification, capacity: 8, arithmetic: .loops)
    var gradient = try DenseGradient(specification, samples: 8)
    var optimizer = try Adam(specification, stepSize: 0.01)
    var features = indexer.makeBuffer(slots: 8)
    var random = RandomStream(seed: 2)
    for _ in 0..<20 {
      for slot in 0..<8 {
        indexer.write(Afterstate(bits: random.next() & 0x7777_7777_7777_7777), into: &features, slot: slot)
      }
      network.forward(features, slots: 0..<8, &workspace)
      let loss = workspace.differentiate(.huber(threshold: 1), targets: [1, 3, 0, 2, 5, 1, 0, 4].span)
      gradient.reset()
      network.backward(features, slots: 0..<8, &workspace, into: &gradient)
      optimizer.step(&network, gradient)
      hash.add(loss.bitPattern)
    }
  }

  /// The runs of each part, as settings of short runs.
  private static let runs: [(name: String, runs: [[String]])] = {
    let staged = ["network.stages=largest=128,256"]
    let learners = [
      [], ["learner.step_size=constant"], ["learner.lambda=0.5", "learner.steps=4"],
      ["learner.lambda=0.5", "learner.steps=episode"], ["learner.warm_up_games=50"],
      ["learner.alpha_schedule=[50=0.1]"],
      ["learner.exploration=0.1"], ["learner.initial_value=3000"],
      ["learner.decay=0.01", "learner.decay_every_games=20"],
      ["network.symmetries=separate", "training.games_at_once=2"],
      ["averaging.every_games=10"], ["averaging.every_games=10", "averaging.window=4"],
    ]
    let starts = [
      [], ["stages.promotion=none"], ["stages.after_games=60"], ["stages.frozen=1"], ["episodes.start=carousel"],
      ["episodes.start=restart"], ["episodes.start=pool", "episodes.tile=64"],
    ]
    let replicas = ["training.replicas=2", "training.merge_moves=1000"]
    let tables = ["network.patterns=0123 4567 0145"]
    return [
      ("learner", learners.map { tables + $0 }), ("stages-and-starts", starts.map { tables + staged + $0 }),
      ("replicas", [replicas, replicas + ["averaging.every_games=10"] + staged].map { tables + $0 }),
      (
        "set",
        [
          ["game=set"],
          ["game=set", "set.features=3", "learner.alpha=0.1", "learner.lambda=0.5", "learner.steps=episode"],
        ]
      ),
    ]
  }()

  /// The weights after a short run.
  private static func trained(_ settings: [String]) throws -> String {
    let base = ["seed=7", "training.games=120", "training.solo_games=20", "averaging.every_games=0"]
    let trainer = try Trainer(
      RunConfiguration.load(file: nil, environment: [:], overrides: base + settings, of: .program))
    try trainer.train()
    return "\(try trainer.model().identity) \(trainer.moves)"
  }

  /// FNV-1a over 64-bit words.
  private struct Hash {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(_ add: (inout Hash) throws -> Void) rethrows { try add(&self) }

    /// 16 hex digits.
    var text: String {
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }

    mutating func add(_ text: String) { for byte in text.utf8 { add(UInt64(byte)) } }

    mutating func add(_ word: UInt64) {
      for shift in stride(from: 0, to: 64, by: 8) {
        value = (value ^ (word >> UInt64(shift) & 0xff)) &* 0x0000_0100_0000_01b3
      }
    }
  }
}
