import Foundation
import Testing
import TupeloTraining

@Suite struct StudentTTests {
  /// Quantiles from tables that are printed in textbooks, such as the e-Handbook of Statistical Methods of NIST,
  /// 1.3.6.7.2.
  @Test(
    arguments: [
      (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (6, 2.447), (9, 2.262), (10, 2.228), (11, 2.201),
      (12, 2.179), (15, 2.131), (30, 2.042), (60, 2.000), (100, 1.984),
    ] as [(Int, Double)])
  func quantilesAreThoseOfTheTable(_ degrees: Int, _ quantile: Double) {
    #expect(abs(StudentT.quantile(degrees: degrees) - quantile) < 0.0006)
  }

  /// Both methods agree where one takes over from the other, and approach the normal distribution.
  @Test func quantilesFallToTheNormalOne() {
    let all = (1...10_000).map { StudentT.quantile(degrees: $0) }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 > $1 })
    #expect(abs(all[10] - 2.200985) < 1e-6 && abs(all[11] - 2.178813) < 1e-5)
    #expect(abs(StudentT.quantile(degrees: 1_000_000_000) - 1.959964) < 1e-6)
    #expect(StudentT.quantile(degrees: 0) == .infinity)
  }
}
