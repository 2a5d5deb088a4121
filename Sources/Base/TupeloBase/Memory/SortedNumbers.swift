/// The numbers 0..<count in an order, by merging. Numbers of which neither comes before the other keep their order,
/// which the standard library's sorting does not promise.
///
/// The engine of the page sorts by this function. It is a fifth of the standard library's code, of which the engine
/// would have a copy for each order.
///
/// - Complexity: O(n log n) calls of `isBefore`
@inline(never)
package func sortedNumbers(below count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
  var numbers = Array(0..<count)
  var merged = numbers
  var width = 1
  while width < count {
    var (left, right) = (0, 0)
    var (middle, end) = (0, 0)
    for place in 0..<count {
      if place == end {
        (left, middle) = (place, min(place + width, count))
        (right, end) = (middle, min(middle + width, count))
      }
      if left < middle, right == end || !isBefore(numbers[right], numbers[left]) {
        merged[place] = numbers[left]
        left += 1
      } else {
        merged[place] = numbers[right]
        right += 1
      }
    }
    swap(&numbers, &merged)
    width *= 2
  }
  return numbers
}
