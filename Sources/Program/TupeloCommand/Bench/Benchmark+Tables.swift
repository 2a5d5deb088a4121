internal import TupeloBLAS
internal import TupeloTables

/// Measures passes over a whole table, by BLAS with one and two of its threads and by a plain loop.
extension Benchmark {
  static func tables() -> [Benchmark] {
    compare("average table") { fixtures in
      let (table, average) = (try fixtures.plainWeights(), try fixtures.averageWeights())
      return (
        { pass(table, average) { BLAS.axpby(0.5, $0, 0.5, &$1) } },
        { pass(table, average) { PlainLoops.axpby(0.5, $0, 0.5, &$1) } }
      )
    }
      // The factor is -1, so the magnitude of the numbers does not change.
      + compare("decay table") { fixtures in
        let table = try fixtures.plainWeights()
        return (
          { table.exclusively { $0.withMutableWeights { BLAS.scale(-1, &$0) } } },
          { table.exclusively { $0.withMutableWeights { PlainLoops.scale(-1, &$0) } } }
        )
      }
  }

  /// Runs `body` on one table to read and another one to change.
  private static func pass(
    _ source: WeightStorage<PlainCell>, _ target: WeightStorage<PlainCell>,
    _ body: (Span<Float>, inout MutableSpan<Float>) -> Void
  ) {
    source.exclusively { source in
      target.exclusively { target in
        source.withWeights { weights in target.withMutableWeights { body(weights, &$0) } }
      }
    }
  }

  /// Makes three rows that do the same work on a table.
  ///
  /// - Parameter prepare: makes one pass by BLAS and one by a loop.
  private static func compare(
    _ name: String,
    _ prepare: @escaping @Sendable (BenchFixtures) throws -> (blas: @Sendable () -> Void, loop: @Sendable () -> Void)
  ) -> [Benchmark] {
    let byBLAS = [1, 2].map { threads in
      Benchmark(name: "\(name), BLAS" + (threads > 1 ? " x\(threads)" : ""), unit: "weights") { fixtures in
        let pass = try prepare(fixtures).blas
        return { duration in
          let before = BLAS.threads
          BLAS.setThreads(threads)
          defer { BLAS.setThreads(before) }
          return repeating(pass, for: duration)
        }
      }
    }
    return byBLAS + [
      Benchmark(name: "\(name), loop", unit: "weights") { fixtures in
        let pass = try prepare(fixtures).loop
        return { repeating(pass, for: $0) }
      }
    ]
  }

  /// Returns the number of weights that the passes went over.
  private static func repeating(_ pass: () -> Void, for duration: Duration) -> Int {
    let deadline = ContinuousClock.now + duration
    var passes = 0
    repeat {
      pass()
      passes += 1
    } while ContinuousClock.now < deadline
    return passes * BenchFixtures.tableSize
  }
}
