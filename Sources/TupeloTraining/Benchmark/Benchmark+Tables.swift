internal import TupeloBLAS
internal import TupeloLearning
internal import TupeloNetwork

/// Passes over a whole table, by BLAS with one and two of its threads and by a plain loop.
extension Benchmark {
  /// - Parameter coherent: with the sums of temporal coherence between the weights, three words apart; else contiguous.
  static func tables(coherent: Bool) -> [Benchmark] {
    coherent
      ? tables("TC") { try $0.coherentWeights() }
      : tables("TD") { try $0.plainWeights() }
  }

  private static func tables<Cell: WeightCell>(
    _ name: String, _ weights: @escaping @Sendable (BenchFixtures) throws -> WeightStorage<Cell>
  ) -> [Benchmark] {
    let width = Cell.stride / 4
    return averages(name, weights) + promotions(name, weights)
      // Times -1, so that the numbers stay of a size.
      + compare("decay \(name) table", BenchFixtures.tableSize) { fixtures in
        let table = try weights(fixtures)
        return (
          { table.withMutableWords { BLAS.scale(-1, &$0, stride: width) } },
          { table.withMutableWords { PlainLoops.scale(-1, &$0, stride: width) } }
        )
      }
      + compare("norm \(name) table", BenchFixtures.tableSize) { fixtures in
        let table = try weights(fixtures)
        return (
          { table.withWords { keep(BLAS.norm($0, stride: width)) } },
          { table.withWords { keep(PlainLoops.norm($0, stride: width)) } }
        )
      }
      + compare("diagnostics \(name) table", BenchFixtures.tableSize) { fixtures in
        let table = try weights(fixtures)
        return (
          {
            var diagnostics = TableDiagnostics()
            table.withWords { diagnostics.addByBLAS($0, width: width) }
            keep(diagnostics.norm)
          }, { keep(table.diagnostics(0..<table.count).norm) }
        )
      }
  }

  private static func averages<Cell: WeightCell>(
    _ name: String, _ weights: @escaping @Sendable (BenchFixtures) throws -> WeightStorage<Cell>
  ) -> [Benchmark] {
    let width = Cell.stride / 4
    return compare("average \(name) table", BenchFixtures.tableSize) { fixtures in
      let (table, average) = (try weights(fixtures), try fixtures.averageWeights())
      return (
        { table.withWords { words in average.withMutableWords { BLAS.axpby(0.5, words, stride: width, 0.5, &$0) } } },
        {
          table.withWords { words in
            average.withMutableWords { PlainLoops.axpby(0.5, words, stride: width, 0.5, &$0) }
          }
        }
      )
    }
  }

  /// The weights of the first half of a table to the second, where one is.
  private static func promotions<Cell: WeightCell>(
    _ name: String, _ weights: @escaping @Sendable (BenchFixtures) throws -> WeightStorage<Cell>
  ) -> [Benchmark] {
    let (half, width) = (BenchFixtures.tableSize / 2, Cell.stride / 4)
    return compare("promotion \(name) table", half) { fixtures in
      let table = try weights(fixtures)
      return (
        { table.promote(0..<half, to: half) },
        {
          table.withWords { words in
            let words = words.extracting(0..<half * width)
            table.withMutableWords(of: half..<2 * half) { PlainLoops.copy(words, stride: width, &$0, stride: width) }
          }
        }
      )
    }
  }

  /// Three rows that do the same to `count` numbers.
  ///
  /// - Parameter prepare: makes ready one pass by BLAS and one by a loop.
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
    // So that looking at the clock costs nothing beside short passes.
    let deadline = ContinuousClock.now + duration
    var passes = 0
    repeat {
      for _ in 0..<inARow { pass() }
      passes += inARow
    } while ContinuousClock.now < deadline
    return passes
  }

  /// Uses a result, so that what computes it is not left out.
  @inline(never)
  static func keep(_ number: Double) {
    precondition(!number.isNaN)
  }
}
