/// The order of choices by a number, the largest first.
package enum Ranking {
  /// The places of the numbers in this order. Equal numbers keep their order, which the standard library's sorting does
  /// not promise.
  package static func order(of numbers: [Double]) -> [Int] {
    numbers.indices.sorted { (numbers[$1], $0) < (numbers[$0], $1) }
  }
}
