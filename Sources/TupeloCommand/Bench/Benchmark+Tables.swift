internal import TupeloBLAS
internal import TupeloLearning
internal import TupeloNetwork
internal import TupeloTables
internal import TupeloTraining

/// Measures passes over a whole table, by BLAS with one and two of its threads and by a plain loop.
extension Benchmark {
  static func tables() -> [Benchmark] {
    averages()
      // The factor is -1, so the magnitude of the numbers does not change.
      + compare("decay table", BenchFixtures.tableSize) { fixtures in
        let table = try fixtures.plainWeights()
        return (
          { table.exclusively { $0.withMutableWeights { BLAS.scale(-1, &$0) } } },
          { table.exclusively { $0.withMutableWeights { PlainLoops.scale(-1, &$0) } } }
        )
      }
      + compare("norm table", BenchFixtures.tableSize) { fixtures in
        let table = try fixtures.plainWeights()
        return (
          { table.exclusively { $0.withWeights { keep(BLAS.norm($0)) } } },
          { table.exclusively { $0.withWeights { keep(PlainLoops.norm($0)) } } }
        )
      }
      + compare("diagnostics TD table", BenchFixtures.tableSize) { fixtures in
        let table = try fixtures.plainWeights()
        return (
          {
            var diagnostics = TableDiagnostics()
            table.exclusively { $0.withWeights { diagnostics.addByBLAS($0) } }
            keep(diagnostics.norm)
          }, { keep(table.exclusively { $0.diagnostics(0..<$0.count).norm }) }
        )
      }
      + compare("diagnostics TC table", BenchFixtures.tableSize) { fixtures in
        let table = try fixtures.coherentWeights()
        return (
          {
            var diagnostics = TableDiagnostics()
            table.exclusively { table in
              table.withWeights { weights in table.withSums { diagnostics.addByBLAS(weights, sums: $0) } }
            }
            keep(diagnostics.norm)
          }, { keep(table.exclusively { $0.diagnostics(0..<$0.count).norm }) }
        )
      }
  }

  private static func averages() -> [Benchmark] {
    compare("average table", BenchFixtures.tableSize) { fixtures in
      let (table, average) = (try fixtures.plainWeights(), try fixtures.averageWeights())
      return (
        { pass(table, average) { BLAS.axpby(0.5, $0, 0.5, &$1) } },
        { pass(table, average) { PlainLoops.axpby(0.5, $0, 0.5, &$1) } }
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

  /// Makes three rows that do the same work on `count` numbers.
  ///
  /// - Parameter prepare: makes one pass by BLAS and one by a loop.
  static func compare(
    _ name: String, _ count: Int, unit: String = "weights",
    _ prepare: @escaping @Sendable (BenchFixtures) throws -> (blas: @Sendable () -> Void, loop: @Sendable () -> Void)
  ) -> [Benchmark] {
    let inARow = max(1, (1 << 16) / count)
    let byBLAS = [1, 2].map { threads in
      Benchmark(name: "\(name), BLAS" + (threads > 1 ? " x\(threads)" : ""), unit: unit) { fixtures in
        let pass = try prepare(fixtures).blas
        return { duration in
          let before = BLAS.threads
          BLAS.setThreads(threads)
          defer { BLAS.setThreads(before) }
          return repeating(pass, for: duration, inARow: inARow) * count
        }
      }
    }
    return byBLAS + [
      Benchmark(name: "\(name), loop", unit: unit) { fixtures in
        let pass = try prepare(fixtures).loop
        return { repeating(pass, for: $0, inARow: inARow) * count }
      }
    ]
  }

  private static func repeating(_ pass: () -> Void, for duration: Duration, inARow: Int) -> Int {
    // Several passes per look at the clock, so that the clock costs nothing beside short passes.
    let deadline = ContinuousClock.now + duration
    var passes = 0
    repeat {
      for _ in 0..<inARow { pass() }
      passes += inARow
    } while ContinuousClock.now < deadline
    return passes
  }

  /// Uses a result, so that the compiler does not remove its computation.
  @inline(never)
  static func keep(_ number: Double) {
    precondition(!number.isNaN)
  }
}
