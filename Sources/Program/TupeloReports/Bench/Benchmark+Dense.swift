internal import TupeloBLAS
internal import TupeloDense
internal import TupeloTraining

extension Benchmark {
  /// Rows of dense networks of two hidden layers as wide as the input: gradients, which are training, and values, which
  /// are play; by BLAS with one and two threads, and by plain loops.
  static func dense() -> [Benchmark] {
    let batches = [1, 16, 64, 256, 1024].map { (width: 256, batch: $0) }
    let widths = [64, 128, 512].map { (width: $0, batch: 256) }
    return (batches + widths).flatMap { dense(.gradient, width: $0.width, batch: $0.batch) }
      + [1, 16, 256].flatMap { dense(.forward, width: 256, batch: $0) }
  }

  private static func dense(_ pass: DenseBenchmark.Pass, width: Int, batch: Int) -> [Benchmark] {
    let name = "dense \(pass == .gradient ? "training" : "values") width \(width) batch \(batch)"
    return [(DenseArithmetic.blas, 1), (.blas, 2), (.loops, 1)].map { arithmetic, threads in
      let suffix = arithmetic == .loops ? "loop" : "BLAS" + (threads > 1 ? " x\(threads)" : "")
      return Benchmark(name: "\(name), \(suffix)", unit: "samples") { _ in
        let benchmark = DenseBenchmark(width: width, batch: batch, pass: pass, arithmetic: arithmetic)
        // A first call fails if the network does not fit into memory.
        _ = try benchmark.samplesPerSecond(for: .zero)
        return { duration in
          let before = BLAS.threads
          BLAS.setThreads(threads)
          defer { BLAS.setThreads(before) }
          let start = ContinuousClock.now
          guard let speed = rate(benchmark, duration) else { return 0 }
          // The whole duration counts, at the measured speed, although preparing took a part of it.
          return Int(speed * ((ContinuousClock.now - start) / .seconds(1)))
        }
      }
    }
  }

  private static func rate(_ benchmark: DenseBenchmark, _ duration: Duration) -> Double? {
    do throws(DenseError) {
      return try benchmark.samplesPerSecond(for: duration)
    } catch {
      return nil
    }
  }
}
