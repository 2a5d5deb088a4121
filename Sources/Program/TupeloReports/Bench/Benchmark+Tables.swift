internal import TupeloBLAS
internal import TupeloBase
internal import TupeloNetwork
internal import TupeloTables
internal import TupeloTraining

/// Measures passes over all weights of a network, by BLAS and by a plain loop, each with one and with two threads.
///
/// Training makes such passes while its workers wait.
extension Benchmark {
  static func tables(_ layout: NamedLayout) -> [Benchmark] {
    TablePass.all.flatMap { pass in
      TablePass.Method.allCases.flatMap { method in [1, 2].map { row(pass, layout, method, threads: $0) } }
    }
  }

  private static func row(
    _ pass: TablePass, _ layout: NamedLayout, _ method: TablePass.Method, threads: Int
  ) -> Benchmark {
    let name = "\(pass.name) table \(layout.name), \(method.rawValue)" + (threads > 1 ? " x\(threads)" : "")
    return Benchmark(name: name, unit: "weights") { fixtures in
      let halves = try fixtures.halves(layout)
      let count = halves.reduce(0) { $0 + $1.count }
      return { duration in
        let deadline = ContinuousClock.now + duration
        var passes = 0
        repeat {
          switch method {
          case .blas: byBLAS(threads: threads) { for half in halves { half.run(pass.blas) } }
          case .loop: Parallel.forEach(count: halves.count, threads: threads) { halves[$0].run(pass.loop) }
          }
          passes += 1
        } while ContinuousClock.now < deadline
        return passes * count
      }
    }
  }

  /// Gives each call of BLAS some threads of the library.
  private static func byBLAS(threads: Int, _ body: () -> Void) {
    let before = BLAS.threads
    BLAS.setThreads(threads)
    defer { BLAS.setThreads(before) }
    body()
  }
}

/// A pass from one table into another one, in two ways.
private struct TablePass: Sendable {
  enum Method: String, CaseIterable, Sendable {
    case blas = "BLAS"
    case loop
  }

  typealias Body = @Sendable (_ source: Span<Float>, _ target: inout MutableSpan<Float>) -> Void

  let name: String
  let blas: Body
  let loop: Body

  static let all = [
    TablePass(
      name: "average", blas: { BLAS.axpby(0.5, $0, 0.5, &$1) }, loop: { PlainLoops.axpby(0.5, $0, 0.5, &$1) }),
    // The factor is -1, so the magnitude of the numbers does not change.
    TablePass(name: "decay", blas: { BLAS.scale(-1, &$1) }, loop: { PlainLoops.scale(-1, &$1) }),
    TablePass(name: "copy", blas: { BLAS.copy($0, &$1) }, loop: { PlainLoops.copy($0, &$1) }),
  ]
}

/// A part of a network's weights, and as many to change. Two threads can work on two parts.
struct TableHalf: Sendable {
  private let source: WeightStorage<PlainCell>
  private let target: WeightStorage<PlainCell>

  /// - Throws: `WeightStorageError.outOfMemory`.
  init(count: Int) throws(WeightStorageError) {
    source = try Self.table(count)
    target = try Self.table(count)
  }

  var count: Int { source.count }

  fileprivate func run(_ body: TablePass.Body) {
    source.reading { source in
      target.exclusively { target in
        source.withWeights { weights in target.withMutableWeights { body(weights, &$0) } }
      }
    }
  }

  /// A table in which one weight in four is not zero.
  private static func table(_ count: Int) throws(WeightStorageError) -> WeightStorage<PlainCell> {
    let weights = try WeightStorage<PlainCell>(count: count)
    for index in stride(from: 0, to: count, by: 4) { weights[index].weight = Float(index % 1000) }
    return weights
  }
}
