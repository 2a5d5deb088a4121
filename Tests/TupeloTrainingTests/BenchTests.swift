import Testing
import TupeloTraining

@Suite struct BenchTests {
  @Test func signatureIsTheSameEachTime() throws {
    #expect(try BenchSignature.compute() == BenchSignature.compute())
  }
}
