import Testing
import TupeloBase

@Suite struct SortedNumbersTests {
  /// The order is that of the standard library, and equal values keep their order.
  @Test func ordersAsTheStandardLibrary() {
    var random = RandomStream(seed: 4)
    for count in Array(0..<40) + [1000, 1023, 1024, 1025] {
      let values = (0..<count).map { _ in random.next() % UInt64(count / 2 + 1) }
      let expected = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
      #expect(sortedNumbers(below: count) { values[$0] < values[$1] } == expected, "\(count)")
    }
  }
}
