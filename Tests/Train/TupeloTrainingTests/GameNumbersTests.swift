import Testing
import TupeloTraining

/// Numbers of games compared with the standard library's strides.
@Suite struct GameNumbersTests {
  @Test func areStrides() {
    for first in 0...4 {
      for end in 0...20 {
        for step in 1...7 {
          let numbers = GameNumbers(from: first, to: end, by: step)
          #expect(Array(numbers) == Array(stride(from: first, to: end, by: step)))
          #expect(numbers.count == numbers.map { $0 }.count)
        }
      }
    }
  }

  /// Many numbers are counted by a formula: counting one by one would take an hour.
  @Test func manyAreCountedAtOnce() {
    let numbers = GameNumbers(from: 2, to: 1_000_000_000_000, by: 3)
    #expect(numbers.count == 333_333_333_333 && numbers.last == 999_999_999_998)
  }
}
