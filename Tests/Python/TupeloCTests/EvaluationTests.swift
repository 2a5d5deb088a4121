internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloSearch
internal import TupeloTraining

@Suite struct EvaluationTests {
  private static func evaluation(games: Int64, first: Int64 = 0, threads: Int32 = 2) -> tupelo_evaluation {
    var evaluation = tupelo_evaluation()
    evaluation.size = UInt64(MemoryLayout<tupelo_evaluation>.size)
    (evaluation.games, evaluation.first, evaluation.threads, evaluation.seed) = (games, first, threads, 4)
    (evaluation.start_tiles, evaluation.four_probability) = (2, 0.1)
    return evaluation
  }

  private struct Results: Equatable {
    var scores: [Int64]
    var moves: [Int64]
    var outcomes: [Int32]
  }

  private static func play(_ model: Int64, _ evaluation: tupelo_evaluation) throws -> Results {
    let count = Int(evaluation.games)
    var results = Results(
      scores: Array(repeating: 0, count: count), moves: Array(repeating: 0, count: count),
      outcomes: Array(repeating: 0, count: count))
    var (evaluation, finished) = (evaluation, Int64(0))
    let status = tupelo_evaluate(model, &evaluation, 0, &results.scores, &results.moves, &results.outcomes, &finished)
    try #require(status == 0 && finished == evaluation.games, "\(lastError)")
    return results
  }

  @Test func gamesAreThoseOfAnEvaluation() throws {
    let model = try makeModel(smallNetwork, games: 30)
    defer { _ = tupelo_release(model) }
    let file = TemporaryFile.path("model.safetensors")
    defer { TemporaryFile.remove(file) }
    #expect(tupelo_model_save(model, file, 0, 0, 0) == 0)
    let network = try TrainedModel(path: file).board(path: file).patterns(path: file)
    let results = try Self.play(model, Self.evaluation(games: 40))
    let expected = Evaluation(games: 40, seed: 4, threads: 1).results(of: GameNumbers(to: 40)) {
      Expectimax(network, plies: 1)
    }
    #expect(results.scores == (0..<40).map { Int64(expected[$0]!.score) })
    #expect(results.moves == (0..<40).map { Int64(expected[$0]!.moves) })
    #expect(results.outcomes == (0..<40).map { 1 << Int32(expected[$0]!.outcome) })

    // Slices contain the games of the whole evaluation.
    let slices = try [(0, 7), (7, 20), (27, 13)].map {
      try Self.play(model, Self.evaluation(games: Int64($0.1), first: Int64($0.0), threads: 1))
    }
    #expect(slices.flatMap(\.scores) == results.scores && slices.flatMap(\.outcomes) == results.outcomes)

    // The report equals that of the library.
    let ordered = (0..<40).map { expected[$0]! }
    let report = try #require(EvaluationReport(results: ordered, seed: 4, seconds: 2))
    let subject = EvaluationSubject(
      agent: "expectimax(plies: 1)", rules: .board(.standard),
      fingerprint: try TrainedModel(path: file).description.fingerprint,
      model: try identity(of: model), checksum: nil)
    let json = text { buffer, capacity, length in
      var evaluation = Self.evaluation(games: 40)
      return tupelo_report(
        model, &evaluation, 40, results.scores, results.moves, results.outcomes, 2, buffer, capacity, length)
    }
    #expect(json == report.json(of: subject))
  }

  @Test func agentsWithoutAModelPlayOnAnyBoard() throws {
    var evaluation = Self.evaluation(games: 30)
    (evaluation.rows, evaluation.columns) = (3, 3)
    let results = try "random".withCString { agent in
      evaluation.agent = agent
      return try Self.play(0, evaluation)
    }
    let rules = try Rules(shape: BoardShape(rows: 3, columns: 3))
    let expected = Evaluation(games: 30, seed: 4, threads: 1, rules: rules).results(of: GameNumbers(to: 30)) {
      RandomAgent(shape: rules.shape)
    }
    #expect(results.scores == (0..<30).map { Int64(expected[$0]!.score) })
  }

  @Test func modelsOfSetPlaySet() throws {
    var model: Int64 = 0
    try #require(tupelo_model_load(Repository.file("models/set"), &model) == 0)
    defer { _ = tupelo_release(model) }
    let results = try Self.play(model, Self.evaluation(games: 5))
    #expect(results.scores.allSatisfy { (10...27).contains($0) })
    for (score, left) in zip(results.scores, results.outcomes) { #expect(3 * Int32(score) + left == 81) }
  }

  @Test func aControlCountsGamesAndEndsAnEvaluation() throws {
    var control: Int64 = 0
    #expect(tupelo_control_create(&control) == 0)
    let used = control
    let evaluation = Background {
      var (evaluation, finished) = (Self.evaluation(games: 10_000_000, threads: 1), Int64(-1))
      (evaluation.rows, evaluation.columns) = (4, 4)
      let status = tupelo_evaluate(0, &evaluation, used, nil, nil, nil, &finished)
      return (Int(status), finished)
    }
    var games: Int64 = 0
    while games < 3 { try #require(tupelo_control_progress(control, &games) == 0) }
    #expect(tupelo_control_cancel(control) == 0)
    let (status, count) = evaluation.wait()
    #expect(status == TUPELO_CANCELLED && count >= games && count < 10_000_000)
    #expect(tupelo_release(control) == 0)
  }

  @Test func badEvaluationsAreRefused() {
    func text(_ change: (inout tupelo_evaluation) -> Void, agent: String = "greedy") -> String {
      var (evaluation, finished) = (Self.evaluation(games: 1), Int64(0))
      (evaluation.rows, evaluation.columns) = (4, 4)
      return agent.withCString { agent in
        evaluation.agent = agent
        change(&evaluation)
        #expect(tupelo_evaluate(0, &evaluation, 0, nil, nil, nil, &finished) == TUPELO_INVALID_ARGUMENT)
        return lastError
      }
    }
    #expect(text { $0.games = 0 } == "evaluation.games is 0: give 1 to 100000000")
    #expect(text { $0.first = -1 }.hasPrefix("evaluation.first is -1"))
    #expect(text { $0.threads = 0 } == "evaluation.threads is 0: give 1 to 1024")
    #expect(text { $0.rows = 7 }.hasPrefix("a board of 7x4"))
    #expect(text { $0.four_probability = 7 }.hasPrefix("the probability of a 4 is 7"))
    #expect(text({ _ in }, agent: "greedly").contains("greedy"))
    #expect(text({ _ in }, agent: "greedy(evaluator: model)").contains("model"))
    var evaluation = Self.evaluation(games: 1)
    (evaluation.rows, evaluation.columns) = (4, 4)
    var length: UInt64 = 0
    for (score, outcome, seconds) in [
      (-1, 2, 1.0), (1, 3, 1.0), (1, 2, .nan), (1, 2, .leastNonzeroMagnitude), (.max, 2, 1),
    ]
      as [(Int64, Int32, Double)]
    {
      #expect(
        tupelo_report(0, &evaluation, 1, [score], [1], [outcome], seconds, nil, 0, &length) == TUPELO_INVALID_ARGUMENT)
    }
  }
}
