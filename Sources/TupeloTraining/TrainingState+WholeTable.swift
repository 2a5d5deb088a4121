internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables

extension RuleState {
  func decay(by share: Float) { weights.exclusively { $0.decay(by: share) } }

  func diagnostics() -> [TableDiagnostics] {
    weights.exclusively { weights in indexer.tables.map { weights.diagnostics($0) } }
  }

  func updateNorm() -> UpdateNorm { weights.exclusively { UpdateNorm($0) } }
  func advance(_ norm: inout UpdateNorm) -> Double { weights.exclusively { norm.advance($0) } }
}
