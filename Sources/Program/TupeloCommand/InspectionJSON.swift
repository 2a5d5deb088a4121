internal import Foundation
internal import Safetensors
internal import TupeloNetwork
internal import TupeloReports
internal import TupeloRuns
internal import TupeloTraining

/// The contents of a model file or checkpoint as JSON.
enum InspectionJSON {
  /// One object with sorted keys. Facts that a file does not have are left out, and numbers that are not finite are
  /// null.
  static func text(of file: SafetensorsFile, _ identity: InspectCommand.Identity) throws -> String {
    let description = try ModelDescription(in: file, of: .program)
    let isCheckpoint = file.tensors.contains { $0.name.hasPrefix("training.") }
    let kind = PortableState.isIn(file) ? "state" : isCheckpoint ? "checkpoint" : "model"
    var fields: [String: Any] = [
      "file": file.path, "kind": kind, "network": description.canonicalText,
      "storage": ModelFile.storage(of: file), "network_fingerprint": description.fingerprint,
      "weights": description.weightCount,
      "tensors": file.tensors.map { tensor -> [String: Any] in
        ["name": tensor.name, "type": tensor.type.rawValue, "shape": tensor.shape, "bytes": tensor.byteCount]
      },
    ]
    switch identity {
    case .model(let hash): fields["model"] = hash
    case .unplayable(let reason): fields["problem"] = reason
    }
    do throws(CheckpointError) {
      if let best = try BestScore(of: file) { fields["best"] = Self.fields(best) }
    } catch {
      fields["best"] = ["problem": "\(error)"]
    }
    if isCheckpoint {
      let checkpoint = try Checkpoint(file: file, of: .program)
      fields["games"] = checkpoint.games
      fields["moves"] = checkpoint.moves
      if !checkpoint.roundedAt.isEmpty { fields["rounded_at_games"] = checkpoint.roundedAt }
      fields["configuration"] = checkpoint.configuration.yaml
    }
    if file.tensor(named: "weights.0")?.type == .f32 {
      fields["tables"] = try WeightDiagnostics.diagnostics(of: file, in: .program).map(Self.fields)
    }
    return try JSONText.pretty(fields, escapesSlashes: false)
  }

  private static func fields(_ best: BestScore) -> [String: Any] {
    var fields: [String: Any] = ["score_mean": best.mean, "score_low": best.low]
    if let games = best.games { fields["evaluation_games"] = games }
    if let games = best.trainingGames { fields["after_games"] = games }
    return fields
  }

  private static func fields(_ table: WeightDiagnostics) -> [String: Any] {
    var fields: [String: Any] = [
      "table": "\(table.table)", "norm": table.norm.isFinite ? table.norm : NSNull(),
      "visited_share": table.visitedShare,
    ]
    if let step = table.meanStepSize { fields["mean_step_size"] = step.isFinite ? step : NSNull() }
    return fields
  }
}
