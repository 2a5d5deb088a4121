internal import TupeloEngine

/// How one pattern's table lies in memory, and how a board turns into an index of it.
///
/// Files keep the standard order (cell 0 is the lowest digit). Memory keeps another, for two reasons measured on trained
/// networks: small tiles make the hot entries of a power-of-two table fall into few cache sets, and a cache line of 16
/// neighbours in the standard order holds all values of one cell, of which only a few occur together.
///
/// 1. *Hot lines.* The index is put together from two-bit halves of the exponents, and its lowest four bits are the low halves
///    of two neighbouring cells, so a line holds the combinations of two cells within four values each.
/// 2. *Fold.* Then `i ^= (i >> 12) & 0xfff0` spreads lines over the cache sets.
///
/// Both steps are linear over bits and invertible. The halves are gathered from the `packed` board by as few shifts as a small
/// search finds; where symmetries share the table, the search may take any symmetric copy of the pattern.
struct StorageOrder: Sendable {
  /// One shift and mask of 32 bits; an index is the OR of its segments.
  struct Segment: Hashable, Sendable {
    /// Where the bits come from and which way they go. Rows 0 and 1 of a packed board are its low word, rows 2 and 3 its high one.
    enum Kind: Int, CaseIterable {
      case lowWordRight, highWordRight, highWordLeft
    }
    var kind: Kind
    var shift: UInt32
    var mask: UInt32
  }

  /// A two-bit half of a cell's exponent.
  struct Half: Hashable {
    /// Which cell of the pattern.
    var digit: Int
    /// 0 for the low half, 1 for the high one.
    var part: Int
  }

  let segments: [Segment]
  /// The half at each pair of index bits, before the fold.
  let halves: [Half]

  init(_ pattern: TuplePattern, symmetries: [Symmetry]) {
    var best: (score: Int, plan: Plan)?
    for symmetry in symmetries {
      let cells = pattern.cells.map { pattern.shape.cell($0, under: symmetry) }
      for plan in Plan.candidates(cells: cells) where best.map({ plan.score < $0.score }) ?? true {
        best = (plan.score, plan)
      }
    }
    guard let plan = best?.plan else { preconditionFailure("the compact plan always exists") }
    halves = plan.slots
    segments = plan.segments
  }

  /// Where the entry with this standard index lies in memory, within the pattern's table.
  func storageIndex(ofStandard index: Int) -> Int {
    var raw = 0
    for (slot, half) in halves.enumerated() {
      raw |= (index >> (half.digit * 4 + half.part * 2) & 3) << (slot * 2)
    }
    return Int(UInt32(raw).spreadOverSets)
  }

  /// Where the half of a cell lies on a packed board, in units of two bits.
  private static func position(cell: Int, part: Int) -> Int { (cell >> 1) * 4 + part * 2 + cell & 1 }

  /// One way to gather the halves.
  private struct Plan {
    var slots: [Half]
    var segments: [Segment]

    /// Lower is better: first a hot line, then few segments.
    var score: Int {
      let isHot = slots.count >= 2 && slots[0].part == 0 && slots[1].part == 0
      return segments.count + (isHot ? 0 : 100)
    }

    static func candidates(cells: [Int]) -> [Plan] {
      let sources = cells.indices.flatMap { digit in
        (0...1).map { (Half(digit: digit, part: $0), position(cell: cells[digit], part: $0)) }
      }
      .sorted { $0.1 < $1.1 }
      let compact = Dictionary(uniqueKeysWithValues: sources.enumerated().map { ($1.0, $0) })
      return [Plan(slots: compact, sources: sources)]
        + (0..<32).compactMap { first in
          greedy(first: first, sources: sources).map { Plan(slots: $0, sources: sources) }
        }
    }

    /// Moves everything that fits by `first`, then the rest by the shift that places most of it, and so on; `nil` when a half
    /// would have to move up.
    private static func greedy(first: Int, sources: [(Half, Int)]) -> [Half: Int]? {
      var slots: [Half: Int] = [:]
      var free = Set(0..<sources.count)
      var shift = first
      while true {
        for (half, source) in sources where slots[half] == nil && free.contains(source - shift) {
          slots[half] = source - shift
          free.remove(source - shift)
        }
        let rest = sources.filter { slots[$0.0] == nil }
        if rest.isEmpty { return slots }
        let gain = (0..<32).map { shift in rest.count { free.contains($0.1 - shift) } }
        guard let most = gain.max(), most > 0, let next = gain.firstIndex(of: most) else { return nil }
        shift = next
      }
    }

    private init(slots: [Half: Int], sources: [(Half, Int)]) {
      self.slots = slots.sorted { $0.value < $1.value }.map(\.key)
      var masks: [Segment: UInt32] = [:]
      for (half, source) in sources {
        guard let slot = slots[half] else { preconditionFailure("every half has a slot") }
        let (from, to) = (source * 2, slot * 2)
        let segment =
          from < 32
          ? Segment(kind: .lowWordRight, shift: UInt32(from - to), mask: 0)
          : from - 32 >= to
            ? Segment(kind: .highWordRight, shift: UInt32(from - 32 - to), mask: 0)
            : Segment(kind: .highWordLeft, shift: UInt32(to - (from - 32)), mask: 0)
        masks[segment, default: 0] |= 3 << UInt32(to)
      }
      segments = masks.map { Segment(kind: $0.key.kind, shift: $0.key.shift, mask: $0.value) }
        .sorted { ($0.kind.rawValue, $0.shift) < ($1.kind.rawValue, $1.shift) }
    }
  }
}

extension UInt32 {
  /// The fold of an index: bits 16 to 27 are added (without carry) to bits 4 to 15, which makes it its own inverse.
  @inlinable @inline(__always)
  var spreadOverSets: UInt32 { self ^ (self >> 12 & 0xfff0) }
}

extension UInt64 {
  /// A board with the high half of each even cell and the low half of the odd cell beside it exchanged, so that each byte has
  /// two low halves in its low four bits.
  @inlinable @inline(__always)
  var packedHalves: UInt64 {
    let swap = (self ^ self >> 2) & 0x0c0c_0c0c_0c0c_0c0c
    return self ^ swap ^ swap << 2
  }
}
