/// From the standard indices of a table, the order of files, to where its weights lie in storage, for passes over whole
/// tables.
///
/// The map is linear over bits but for a constant (`StorageOrder.scatter`), which three tables put into the index three
/// times, that is once: so three small tables and two exclusive ors do it.
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

  /// Copies one word of groups of `width` to `values`, which begin with the standard index `start`.
  func gather(_ words: Span<Float>, width: Int, word: Int, from start: Int, into values: inout [Float]) {
    gather(from: start, into: &values) { words[$0 &* width &+ word] }
  }

  /// Fills `values`, which begin with the standard index `start`, with what `load` says of each storage index.
  @inline(__always)
  func gather(from start: Int, into values: inout [Float], _ load: (Int) -> Float) {
    var span = values.mutableSpan
    forEachRun(of: span.count, from: start) { offset, count, upper in
      for index in 0..<count { span[offset + index] = load(base + (low[index] ^ upper)) }
    }
  }

  /// Copies `values`, which begin with the standard index `start`, to one word of groups of `width`.
  func scatter(_ values: Span<Float>, width: Int, word: Int, from start: Int, into words: inout MutableSpan<Float>) {
    forEachRun(of: values.count, from: start) { offset, count, upper in
      for index in 0..<count { words[(base + (low[index] ^ upper)) &* width &+ word] = values[offset + index] }
    }
  }

  /// Stretches over which only the low table changes, each with what the others add.
  ///
  /// - Precondition: `start` is a multiple of 4096, as is `count` unless it is all of a smaller table.
  private func forEachRun(of count: Int, from start: Int, _ body: (_ offset: Int, _ count: Int, _ upper: Int) -> Void) {
    precondition(start.isMultiple(of: low.count))
    for offset in stride(from: 0, to: count, by: low.count) {
      let index = start + offset
      body(offset, min(low.count, count - offset), middle[index >> 12 & 0xfff] ^ high[index >> 24])
    }
  }
}
