import Testing
import TupeloBase

@Suite struct ArraySpanTests {
  @Test func aSpanHasTheElements() {
    for count in [0, 1, 1000] {
      let values = (0..<count).map { Double($0) }
      let span = values.span
      #expect(span.count == count && span.indices.allSatisfy { span[$0] == Double($0) })
    }
  }

  /// A change is seen in the array, and in no copy of it.
  @Test func aMutableSpanChangesOneArray() {
    var values = [Int32](repeating: 1, count: 100)
    let copy = values
    let first = values[7]
    var span = values.mutableSpan
    for index in span.indices { span[index] = Int32(index) }
    #expect(first == 1 && values == Array(0..<100) && copy == Array(repeating: 1, count: 100))
    var again = values.mutableSpan
    again[7] = -1
    #expect(values[7] == -1 && values[8] == 8)
  }
}
