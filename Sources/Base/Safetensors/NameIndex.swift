internal import TupeloBase

/// Finds names of a header, none of which occurs twice.
struct NameIndex: Sendable {
  /// The names in the order of the header.
  let names: [String]
  /// The numbers of the names, sorted by name.
  private let order: [Int]

  init() { (names, order) = ([], []) }

  /// - Parameters:
  ///   - offsets: the places of the names in the file, for messages
  ///   - path: the path of the file
  /// - Throws: `SafetensorsError.duplicateKey` for the first name that was there before.
  /// - Complexity: O(n log n) comparisons of names.
  init(_ names: [String], offsets: [Int], path: String) throws(SafetensorsError) {
    let order = sortedNumbers(below: names.count) { Self.isBefore(names[$0], names[$1]) }
    var second = Int.max
    for place in order.indices.dropFirst() where !Self.isBefore(names[order[place - 1]], names[order[place]]) {
      second = min(second, order[place])
    }
    guard second == .max else { throw .duplicateKey(path: path, offset: offsets[second], key: names[second]) }
    (self.names, self.order) = (names, order)
  }

  /// The number of a name; `nil` if it is missing.
  func number(of name: String) -> Int? {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.isBefore(names[order[middle]], name) { low = middle + 1 } else { high = middle }
    }
    return low < order.count && !Self.isBefore(name, names[order[low]]) ? order[low] : nil
  }

  // One copy of this comparison is enough for the page.
  @inline(never) private static func isBefore(_ one: String, _ other: String) -> Bool { one < other }
}
