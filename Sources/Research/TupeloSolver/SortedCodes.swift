internal import TupeloBase

/// Sets of codes as sorted arrays without repetitions.
package enum SortedCodes {
  private static let digitBits: UInt32 = 11
  private static let digits = 1 << 11

  /// Sorts codes by radix (three digits of eleven bits, lowest first) and removes repetitions. Linear.
  package static func make(from codes: consuming [UInt32]) -> [UInt32] {
    guard codes.count > 256 else {
      codes.sort()
      return withoutRepetitions(codes)
    }
    var source = codes
    var target = [UInt32](repeating: 0, count: source.count)
    for shift in stride(from: 0 as UInt32, to: 32, by: Int(digitBits)) {
      guard scatter(source.span, byDigitAt: shift, into: &target) else { continue }
      swap(&source, &target)
    }
    return withoutRepetitions(source)
  }

  /// One pass of the sort. If all codes have the same digit it returns false and moves nothing.
  private static func scatter(_ source: Span<UInt32>, byDigitAt shift: UInt32, into target: inout [UInt32]) -> Bool {
    var places = [Int](repeating: 0, count: digits)
    let mask = UInt32(digits - 1)
    for index in source.indices { places[Int(source[index] &>> shift & mask)] &+= 1 }
    guard places[Int(source[0] &>> shift & mask)] < source.count else { return false }
    var next = 0
    for digit in 0..<digits {
      let count = places[digit]
      places[digit] = next
      next += count
    }
    var output = target.mutableSpan
    for index in source.indices {
      let code = source[index]
      let digit = Int(code &>> shift & mask)
      output[places[digit]] = code
      places[digit] &+= 1
    }
    return true
  }

  private static func withoutRepetitions(_ sorted: consuming [UInt32]) -> [UInt32] {
    var kept = 0
    var last: UInt32?
    for index in sorted.indices where sorted[index] != last {
      last = sorted[index]
      sorted[kept] = sorted[index]
      kept += 1
    }
    sorted.removeSubrange(kept...)
    return sorted
  }

  /// The union of sorted arrays, pair by pair.
  package static func union(of runs: [[UInt32]], threads: Int) -> [UInt32] {
    var runs = runs.filter { !$0.isEmpty }
    while runs.count > 1 {
      let pairs = runs
      runs = Parallel.map(count: (pairs.count + 1) / 2, threads: threads) { pair in
        2 * pair + 1 < pairs.count ? union(pairs[2 * pair], pairs[2 * pair + 1]) : pairs[2 * pair]
      }
    }
    return runs.first ?? []
  }

  private static func union(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(a.count + b.count)
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let (x, y) = (a[i], b[j])
      result.append(min(x, y))
      if x <= y { i &+= 1 }
      if y <= x { j &+= 1 }
    }
    result.append(contentsOf: a[i...])
    result.append(contentsOf: b[j...])
    return result
  }
}
