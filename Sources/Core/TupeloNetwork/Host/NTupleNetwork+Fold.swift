internal import TupeloEngine
internal import TupeloTables

/// Removes redundant encoding, which means small patterns in addition to large patterns that contain them. The small
/// patterns make learning faster and are not needed for play.
extension NTupleNetwork {
  /// A network with equal values and fewer lookups (Jaskowski 2018, section III-H).
  ///
  /// Each pattern that lies within another pattern is added into the tables of that pattern. It may lie there directly,
  /// or after a symmetry that the network shares.
  ///
  /// - Throws: `FoldError.nothingToFold`; `WeightStorageError.outOfMemory`.
  /// - Complexity: one pass over the larger table per folded pattern, and the memory of the result.
  public func folded() throws -> NTupleNetwork {
    let patterns = specification.patterns
    // If two patterns are equal up to symmetry, the earlier one stays and the later one is removed.
    let homes = patterns.indices.map { small in
      patterns.indices.lazy.compactMap { large in
        large == small || patterns[large].cells.count == patterns[small].cells.count && large > small
          ? nil : self.placement(of: small, in: large)
      }.first
    }
    let kept = patterns.indices.filter { homes[$0] == nil }
    guard kept.count < patterns.count else { throw FoldError.nothingToFold(network: specification.canonicalText) }
    let result = try NTupleNetwork(
      NetworkSpecification(
        patterns: kept.map { patterns[$0] }, shape: specification.shape,
        sharesSymmetries: specification.sharesSymmetries, stages: specification.stages))
    for stage in 0..<specification.stages.count {
      for (number, pattern) in kept.enumerated() {
        result.copy(pattern: pattern, of: self, to: number, stage: stage)
      }
      for (small, _) in homes.enumerated() {
        guard let path = Self.path(from: small, homes: homes), let number = kept.firstIndex(of: path.pattern) else {
          continue
        }
        result.add(pattern: small, digits: path.digits, of: self, to: number, stage: stage)
      }
    }
    return result
  }

  /// The place of a small pattern within another one: the containing pattern, and which of its digits belong to the
  /// small pattern.
  private struct Placement {
    var pattern: Int
    var digits: [Int]
  }

  private func placement(of small: Int, in large: Int) -> Placement? {
    let (inner, outer) = (specification.patterns[small], specification.patterns[large])
    let symmetries = specification.sharesSymmetries ? specification.shape.symmetries : [.identity]
    for symmetry in symmetries {
      let digits = inner.cells.compactMap { cell in
        outer.cells.firstIndex(of: specification.shape.cell(cell, under: symmetry))
      }
      if digits.count == inner.cells.count { return Placement(pattern: large, digits: digits) }
    }
    return nil
  }

  /// Follows a pattern to a pattern that stays, because a pattern that contains it may itself be folded into a third
  /// one.
  private static func path(from small: Int, homes: [Placement?]) -> Placement? {
    guard var path = homes[small] else { return nil }
    while let next = homes[path.pattern] {
      path = Placement(pattern: next.pattern, digits: path.digits.map { next.digits[$0] })
    }
    return path
  }

  private func copy(pattern: Int, of other: NTupleNetwork, to number: Int, stage: Int) {
    for index in 0..<specification.patterns[number].tableSize {
      self[pattern: number, standardIndex: index, stage: stage] =
        other[pattern: pattern, standardIndex: index, stage: stage]
    }
  }

  private func add(pattern: Int, digits: [Int], of other: NTupleNetwork, to number: Int, stage: Int) {
    for index in 0..<specification.patterns[number].tableSize {
      var part = 0
      for (place, digit) in digits.enumerated() { part |= (index >> (digit * 4) & 15) << (place * 4) }
      self[pattern: number, standardIndex: index, stage: stage] +=
        other[pattern: pattern, standardIndex: part, stage: stage]
    }
  }
}

/// Why a network cannot be folded.
public enum FoldError: Error, Hashable, Sendable {
  case nothingToFold(network: String)
}

extension FoldError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .nothingToFold(let network):
      "no pattern lies within another of this network (\(network)): there is nothing to fold"
    }
  }
}
