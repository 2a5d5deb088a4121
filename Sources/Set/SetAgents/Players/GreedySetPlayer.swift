public import SetEngine
internal import TupeloBase

/// Takes the Set whose afterstate has the highest value (1-ply); if several are equal, the first in the order of
/// `CardSet.sets`.
public struct GreedySetPlayer<E: SetEvaluator>: AnalyzingSetAgent {
  private let evaluator: E
  /// The buffers are kept between choices, so that a choice allocates no memory.
  private var trios: [Trio] = []
  private var afterstates: [SetAfterstate] = []
  private var values: [Float] = []

  public init(_ evaluator: E) { self.evaluator = evaluator }

  public mutating func choice(in position: SetPosition) -> Trio? {
    evaluate(position)
    guard !trios.isEmpty else { return nil }
    var best = 0
    for index in trios.indices where values[index] > values[best] { best = index }
    return trios[best]
  }

  public mutating func analyze(_ position: SetPosition) -> SetAnalysis {
    evaluate(position)
    return SetAnalysis(trios.indices.map { (trios[$0], 1 + Double(values[$0]), 0) })
  }

  /// Values the afterstate of every Set on the table.
  private mutating func evaluate(_ position: SetPosition) {
    trios.removeAll(keepingCapacity: true)
    afterstates.removeAll(keepingCapacity: true)
    for trio in position.sets {
      trios.append(trio)
      afterstates.append(position.after(trio))
    }
    while values.count < trios.count { values.append(0) }
    // One buffer is moved out of the player, so that it can change while the other is read.
    var taken: [Float] = []
    swap(&taken, &values)
    var span = taken.mutableSpan
    evaluator.evaluate(afterstates.span, into: &span)
    swap(&taken, &values)
  }
}
