internal import TupeloBase
internal import TupeloTraining

/// How a session of a training run has ended. In all cases, the training is saved.
public enum Outcome: Hashable, Sendable {
  /// The run has all its games.
  case finished
  /// The run has stopped before its last game, by settings that say when it is good enough.
  case stopped(EarlyStop)
  /// `training.minutes` have passed before the last game.
  case outOfTime
  /// The caller has stopped the training.
  case interrupted

  /// The outcome in meta.json.
  var word: String {
    switch self {
    case .finished: "finished"
    case .stopped: Self.stoppedWord
    case .outOfTime: "minutes"
    case .interrupted: "interrupted"
    }
  }

  package static let stoppedWord = "stopped"
}

extension TrainingRun {
  /// An outcome of the run in words, with the command that resumes the run; `nil` for a finished run.
  public func text(of outcome: Outcome) -> String? {
    let games = NumberText.counted(trainer.games, "game")
    let part = "\(NumberText.grouped(trainer.games)) of \(NumberText.counted(configuration.training.games, "game"))"
    return switch outcome {
    case .finished: nil
    case .stopped(let reason):
      "stopped after \(part): \(reason); \(advice)" + (reason.release.map { " --set \($0)" } ?? "")
    case .outOfTime: "stopped by training.minutes after \(part); \(advice)"
    case .interrupted: "stopped after \(games); \(advice)"
    }
  }

  /// The command that resumes the run, in words.
  public var advice: String {
    "resume with: " + ShellText.command([ProgramBuild.name, "train", "--resume", directory.path])
  }

  /// Whether to evaluate the network after a training with this outcome.
  ///
  /// - Parameter again: whether to evaluate a network once more that has not been trained since its evaluation
  /// - Throws: `MetricsError` for damaged records
  public func needsEvaluation(after outcome: Outcome, again: Bool) throws -> Bool {
    switch outcome {
    case .finished, .stopped, .outOfTime:
      try configuration.evaluation.games > 0
        && (again || trainer.games > session.games || !directory.hasEvaluation(of: trainer))
    case .interrupted: false
    }
  }
}
