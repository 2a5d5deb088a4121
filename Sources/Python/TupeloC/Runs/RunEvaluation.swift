// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI
internal import TupeloRuns
internal import TupeloTraining

@c @implementation
public func tupelo_run_evaluate(
  _ run: Int64, _ model: Int64, _ stage: Int32, _ control: Int64, _ scores: UnsafeMutablePointer<Int64>?,
  _ moves: UnsafeMutablePointer<Int64>?, _ outcomes: UnsafeMutablePointer<Int32>?
) -> Int32 {
  status {
    let stage = try EvaluationStage(foreign: stage)
    let model = try Objects.shared(model, as: Model.self).model
    let memory = try unsafe ResultMemory(scores, moves, outcomes)
    let control = try Control.named(control)
    try Objects.exclusive(run, as: RunObject.self) { object in
      let played = try object.run.play(
        model, as: stage, cancellation: control.cancellation, onGame: { _ in control.games.add(1) })
      guard let results = played?.results else { throw Fault.cancelled }
      for (game, result) in results.enumerated() { memory.write(result, game, object.run.configuration.gameRules) }
    }
  }
}

@c @implementation
public func tupelo_run_results(
  _ run: Int64, _ agent: UnsafePointer<CChar>?, _ stage: Int32, _ count: Int64, _ scores: UnsafePointer<Int64>?,
  _ moves: UnsafePointer<Int64>?, _ outcomes: UnsafePointer<Int32>?, _ seconds: Double
) -> Int32 {
  status {
    let agent = try unsafe CText.text(agent, "agent")
    let stage = try EvaluationStage(foreign: stage)
    let results = try unsafe ForeignResults(count, scores, moves, outcomes, seconds)
    try Objects.exclusive(run, as: RunObject.self) { object in
      let settings = object.run.configuration
      let seed = stage == .final ? settings.evaluation.seed : settings.evaluation.interimSeed
      try object.run.add(results.report(rules: settings.gameRules, seed: seed), by: agent, as: stage)
    }
  }
}

extension EvaluationStage {
  fileprivate init(foreign stage: Int32) throws(Fault) {
    switch Int(stage) {
    case Int(TUPELO_STAGE_FINAL): self = .final
    case Int(TUPELO_STAGE_INTERIM): self = .interim
    default: throw .invalid("stage is \(stage): give 0 (final) or 1 (interim)")
    }
  }
}
