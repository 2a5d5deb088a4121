internal import Foundation
internal import TupeloBase
internal import TupeloTraining

/// The command that a run calls after each checkpoint, `output.on_checkpoint`: for copies, for other programs that
/// follow the run, and to stop the training early.
///
/// Training waits for its end. A long command can end with `&`.
struct CheckpointHook {
  /// The exit status by which the command asks to stop the training.
  static let stopStatus: Int32 = 77

  /// The facts that the command gets, each in an environment variable. None of them is the variable of a key, so a
  /// `tupelo` that the command starts does not take them for settings.
  struct Facts {
    /// The run folder.
    var run: String
    /// The checkpoint that was written.
    var checkpoint: String
    /// The number of games that the run has played.
    var games: Int
    /// The average score of the last evaluation during training in this session, and the games that the run had played
    /// then; `nil` before the first one.
    var evaluation: (score: Double, games: Int)?

    var variables: [String: String] {
      var variables = [
        "TUPELO_RUN": Self.absolute(run), "TUPELO_CHECKPOINT": Self.absolute(checkpoint), "TUPELO_GAMES": "\(games)",
      ]
      if let evaluation {
        variables["TUPELO_SCORE"] = "\(evaluation.score)"
        variables["TUPELO_SCORE_GAMES"] = "\(evaluation.games)"
      }
      return variables
    }

    private static func absolute(_ path: String) -> String {
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
  }

  private let command: String

  init?(_ output: RunConfiguration.Output) {
    guard let command = output.onCheckpoint else { return nil }
    self.command = command
  }

  /// Runs the command and waits for its end.
  ///
  /// - Returns: whether the training run should stop
  /// - Throws: `CheckpointHookFailure` for every other exit status than 0.
  func call(_ facts: Facts) throws(CheckpointHookFailure) -> Bool {
    var environment = ProcessInfo.processInfo.environment
    // Otherwise a training run that the command starts would call the command.
    environment[ConfigurationKey.variable(of: "output.on_checkpoint")] = nil
    for name in ["TUPELO_SCORE", "TUPELO_SCORE_GAMES"] { environment[name] = nil }
    let ending: ChildProcess.Ending
    do {
      let environment = environment.merging(facts.variables) { $1 }
      ending = try ChildProcess("/bin/sh", arguments: ["sh", "-c", command], environment: environment).wait()
    } catch {
      throw CheckpointHookFailure(command: command, reason: "cannot be started: \(FailedCall.text(error.code))")
    }
    guard ending == .status(0) || ending == .status(Self.stopStatus) else {
      throw CheckpointHookFailure(command: command, reason: "ended with \(ending)")
    }
    return ending == .status(Self.stopStatus)
  }
}

/// A command that was called after a checkpoint and failed. Training continues.
struct CheckpointHookFailure: Error, Hashable, CustomStringConvertible {
  let command: String
  let reason: String

  var description: String {
    "output.on_checkpoint: '\(Spelling.printable(command, limit: 200))' \(reason): training continues"
  }
}
