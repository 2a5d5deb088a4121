import TupeloTraining

/// An encoder that the package does not have: a weight for each cell and tile, and one for the number of free cells.
struct Cells: FeatureEncoder {
  let layout = FeatureLayout(featureCount: 17, groupSize: 1, weightCount: 16 * 16 + 17)

  func write(_ state: Afterstate, into features: inout FeatureBuffer, slot: Int) {
    for cell in 0..<16 {
      features.set(cell, ofSlot: slot, to: 16 * cell + Int(state.bits >> UInt64(4 * cell) & 0xf))
    }
    features.set(16, ofSlot: slot, to: 16 * 16 + 16 - state.occupiedMask.nonzeroBitCount)
  }
}
