internal import TupeloBase

/// Maps standard indices of a table, the order of files, to storage indices, for passes over whole tables.
///
/// The map is linear over bits, apart from a constant (`StorageOrder.scatter`). So an index is the exclusive or of
/// three entries, one from each of three small tables. Each table contains the constant. The exclusive or of three
/// copies of the constant equals one copy.
struct StorageMap: Sendable {
  private let base: Int
  private let low: [Int]
  private let middle: [Int]
  private let high: [Int]

  init(base: Int, _ storageIndex: (Int) -> Int) {
    self.base = base
    low = (0..<4096).map(storageIndex)
    middle = (0..<4096).map { storageIndex($0 << 12) }
    high = (0..<256).map { storageIndex($0 << 24) }
  }

  func callAsFunction(_ index: Int) -> Int {
    base + (low[index & 0xfff] ^ middle[index >> 12 & 0xfff] ^ high[index >> 24])
  }

  /// Copies table entries from storage. Entry `i` of `values` has the standard index `start + i`.
  ///
  /// - Parameters:
  ///   - width: words per storage index in `words`
  ///   - word: which of these words is copied
  func gather(_ words: Span<Float>, width: Int, word: Int, from start: Int, into values: inout [Float]) {
    gather(from: start, into: &values) { words[$0 &* width &+ word] }
  }

  /// Fills `values` with `load` of each storage index. Entry `i` has the standard index `start + i`.
  @inline(__always)
  func gather(from start: Int, into values: inout [Float], _ load: (Int) -> Float) {
    var span = values.mutableSpan
    forEachRun(of: span.count, from: start) { offset, count, upper in
      for index in 0..<count { span[offset + index] = load(base + (low[index] ^ upper)) }
    }
  }

  /// Copies `values` to storage. Entry `i` has the standard index `start + i`.
  ///
  /// - Parameters:
  ///   - width: words per storage index in `words`
  ///   - word: which of these words is written
  func scatter(_ values: Span<Float>, width: Int, word: Int, from start: Int, into words: inout MutableSpan<Float>) {
    forEachRun(of: values.count, from: start) { offset, count, upper in
      for index in 0..<count { words[(base + (low[index] ^ upper)) &* width &+ word] = values[offset + index] }
    }
  }

  /// Calls `body` for runs over which only the low table changes, each with the other tables' part of the index.
  ///
  /// - Precondition: `start` is a multiple of 4096, and so is `count`, unless it is all of a smaller table.
  private func forEachRun(of count: Int, from start: Int, _ body: (_ offset: Int, _ count: Int, _ upper: Int) -> Void) {
    precondition(start.isMultiple(of: low.count))
    for offset in stride(from: 0, to: count, by: low.count) {
      let index = start + offset
      body(offset, min(low.count, count - offset), middle[index >> 12 & 0xfff] ^ high[index >> 24])
    }
  }
}
