import Testing
import TupeloEngine
import TupeloSearch
import TupeloTables

/// The memory of transposition tables.
@Suite struct SearchTableTests {
  /// Tables of an eighth to a quarter of the memory fit, and nine of them do not. Memory is taken only by use. The
  /// tables are those of another process, because other tests need some, too.
  @Test func allTablesTogetherFitIntoMemory() async {
    await #expect(processExitsWith: .success) {
      for threads in [1, 2] {
        func search(_ byteCount: Int) throws -> Expectimax<HeuristicEvaluator> {
          try Expectimax(
            HeuristicEvaluator(shape: .standard), limits: .plies(3), tableBytes: byteCount, threads: threads)
        }
        var bytes = 1 << 20
        while bytes <= MemoryLimit.bytes / 8 { bytes *= 2 }
        // No table is larger than this.
        guard bytes <= 64 << 30 else { return }
        var searches = [try search(bytes)]
        do {
          for _ in 0..<8 { searches.append(try search(bytes)) }
          preconditionFailure("\(searches.count) tables of \(bytes) bytes fit into \(MemoryLimit.bytes)")
        } catch let error as SearchTableError {
          precondition(error.byteCount == bytes && error.description.contains("give a smaller table"))
        }
        // Memory of searches that are gone can be used again.
        searches = []
        _ = try search(bytes)
      }
    }
  }

  @Test func aSearcherSaysItToo() {
    guard MemoryLimit.bytes < 64 << 30 else { return }
    #expect(throws: SearchTableError.self) {
      try Searcher(HeuristicEvaluator(shape: .standard), tableBytes: 1 << 36)
    }
    #expect(throws: SearchTableError.self) {
      try AgentSpecification(text: "expectimax(plies: 3, table: 65536)").makeAgent()
    }
  }
}
