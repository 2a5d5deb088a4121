internal import TupeloLearning
internal import TupeloNetwork

extension RuleState {
  func decay(by share: Float) { weights.decay(by: share) }

  func diagnostics() -> [TableDiagnostics] {
    indexer.tables.map { weights.diagnostics($0) }
  }

  func updateNorm() -> UpdateNorm { UpdateNorm(weights) }
  func advance(_ norm: inout UpdateNorm) -> Double { norm.advance(weights) }
}
