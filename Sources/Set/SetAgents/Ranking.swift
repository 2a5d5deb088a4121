/// The order of choices by a number, the largest first.
package enum Ranking {
  /// The places of the numbers in that order. Equal numbers keep theirs: the sorting of the standard library does not
  /// promise it.
  package static func order(of numbers: [Double]) -> [Int] {
    numbers.indices.sorted { (numbers[$1], $0) < (numbers[$0], $1) }
  }
}
