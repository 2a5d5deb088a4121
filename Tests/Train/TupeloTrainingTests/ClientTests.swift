import Testing
import TupeloTraining

/// An experimenter needs only the one import that the README names: it includes every type that a public declaration
/// names or throws.
@Suite struct ClientTests {
  private func configuration() throws -> RunConfiguration {
    var configuration = RunConfiguration()
    configuration.network = try NetworkSpecification(patterns: [TuplePattern(text: "01")])
    configuration.training.games = 40
    return configuration
  }

  @Test func trainsPlaysAndMeasures() throws {
    let trainer = try Trainer(configuration())
    var sum = TrainingProgress()
    try trainer.train { progress in sum.add(progress) }
    #expect(sum.games == 40 && trainer.games == 40)
    let network: NTupleNetwork = try trainer.network()
    let best: Move? = try network.makeAgent(.expectimax(plies: 1)).analyzed(try Board(hex: row))
    #expect(best == .down)
    let report: EvaluationReport? = Evaluation(games: 3, seed: 1, threads: 1).run { Expectimax(network, plies: 0) }
    #expect((report?.scoreMean ?? 0) > 0)
    // These numbers may come from a slider.
    #expect(Evaluation(games: -1, seed: 1, threads: -1).run { RandomAgent() } == nil)
    #expect(Evaluation(games: 2, seed: 1, threads: .max).run { RandomAgent() } != nil)
  }

  private let row = "1234000000000000"

  @Test func learnsWithPartsOfItsOwnChoice() throws {
    let indexer = TupleIndexer(try .named("17x4"))
    let weights: WeightStorage<CoherenceCell> = try WeightStorage(count: indexer.specification.weightCount)
    let table = ValueTable(
      weights: weights, rule: TemporalCoherence(alpha: 1), featureCount: indexer.featureCount)
    var features: FeatureBuffer = indexer.makeBuffer(slots: 1)
    indexer.write(Afterstate(bits: 0x21), into: &features, slot: 0)
    #expect(table.value(features, slot: 0) == 0)
    #expect(table.learn(features, slot: 0, value: 0, target: 100) == 100)
    #expect(abs(table.value(features, slot: 0) - 100) < 0.01)
  }

  @Test func errorsHaveNames() throws {
    func complaint(_ path: String) -> String {
      do {
        let model = try TrainedModel(path: path)
        return "\(model.description)"
      } catch let error as SystemError {
        return "system: \(error)"
      } catch let error as ModelPathError {
        return "path: \(error)"
      } catch {
        return "unknown: \(error)"
      }
    }
    #expect(complaint("missing.safetensors").hasPrefix("system: missing.safetensors: "))
    #expect(complaint("/").hasPrefix("path: /: "))
    let rules: GameRules = try configuration().gameRules
    #expect(rules == .board(.standard))
  }
}

extension AnyAgent {
  /// The best move of an analysis.
  fileprivate func analyzed(_ board: Board) -> Move? {
    var agent = self
    let analysis: MoveAnalysis? = agent.analyze(board)
    return analysis?.best?.move
  }
}
