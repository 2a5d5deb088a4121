import TestSupport
import Tupelo
import TupeloNetwork

/// A network of random weights that plays a little better than chance.
enum RandomModel {
  static func save(to path: String, seed: UInt64) throws {
    let network = try NTupleNetwork(NetworkSpecification(patterns: ["0123"].map { try TuplePattern(text: $0) }))
    var random = RandomPositions(seed: seed)
    for index in 0..<(1 << 16) { network[pattern: 0, standardIndex: index] = Float(random.number(in: 0...50)) }
    try network.save(to: path)
  }
}
