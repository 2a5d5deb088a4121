import TupeloCommand
import TupeloTraining

/// The adaptive response rate of Trigg & Leach (1967): w_i += alpha / m |E_i| / A_i delta, where E_i and A_i are
/// averages of the error delta and of its size, over about the last `window` updates of weight i.
struct AdaptiveResponse: StepSizeRule {
  var alpha: Float = 1
  let window: Float

  func update(_ cell: inout CoherenceCell, error: Float, share: Float) {
    let rate = cell.absoluteErrorSum > 0 ? abs(cell.errorSum) / cell.absoluteErrorSum : 1
    cell.errorSum += error - cell.errorSum / window
    cell.absoluteErrorSum += abs(error) - cell.absoluteErrorSum / window
    cell.weight += alpha * share * rate * error
  }

  static func scalars(of cells: some Sequence<CoherenceCell>) -> [String: Double] {
    let rates = cells.filter { $0.absoluteErrorSum > 0 }.map { Double(abs($0.errorSum) / $0.absoluteErrorSum) }
    return ["mean_rate": rates.reduce(0, +) / Double(max(rates.count, 1))]
  }
}

/// The value of a board is the sum of the values of its cells.
struct Cells: FeatureEncoder {
  let layout = FeatureLayout(featureCount: 16, groupSize: 1, weightCount: 16 * 16)

  func write(_ state: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    for cell in 0..<16 {
      features.set(cell, ofSlot: slot, to: 16 * cell + Int(state.bits >> UInt64(4 * cell) & 0xf))
    }
  }
}

await Program.main(trainings: [
  "adaptive-response": { run in
    let rule = AdaptiveResponse(window: try run.own("window", default: 1000))
    return try Trainer(run.configuration, rule: rule, resuming: run.checkpoint, allowingChanges: run.allowsChanges)
  },
  "cells": { run in
    try Trainer(
      run.configuration, encoder: Cells(), rule: TemporalCoherence(alpha: 1), resuming: run.checkpoint,
      allowingChanges: run.allowsChanges)
  },
])
