import Testing
import TupeloEngine
import TupeloLearning
import TupeloSearch
import TupeloTraining

/// The examples in the READMEs of the modules that come with the training.
struct ModuleExampleTests {
  @Test func configuration() throws {
    let configuration = try RunConfiguration.load(
      yaml: "learner:\n  lambda: 0.5\n", sourceName: "example", environment: [:], overrides: ["training.games=1000"])
    print(configuration.returns, configuration.training.games)
    #expect(configuration.returns.lambda == 0.5 && configuration.training.games == 1000)
  }

  @Test func evaluation() {
    let measured = Evaluation(games: 20, seed: 1, threads: 2).run { Expectimax(HeuristicEvaluator(), plies: 1) }
    print(measured?.scoreMean ?? 0, measured?.scoreMargin ?? 0)
    #expect(measured?.games == 20)
  }
}
