import Testing
import TupeloBase
import TupeloEngine
import TupeloWeb

/// Which requests wait for which other ones.
@Suite struct LaneTests {
  /// Searches of a second, perhaps from a page of another server, delay neither the requests of a move server nor those
  /// of the page. The gate stands for the second.
  @Test(.timeLimit(.minutes(5))) func shortSearchesDoNotWaitForLongOnes() async throws {
    let gate = Gate()
    let (asked, begun) = (Counter(), Counter())
    let wait: @Sendable () -> Void = {
      begun.add(1)
      gate.wait()
    }
    let agent = WebAgent(
      name: "it", title: "It", maximumPlies: 4, valuesMoves: true, usesModel: true, maximumMilliseconds: 2000
    ) { _, _, settings in
      if settings.milliseconds == 1000 || settings.plies == 4 { wait() }
      return .init(move: .up, analysis: nil)
    }
    let rollouts = WebAgent(name: "rollouts", title: "Rollouts", maximumPlies: 0, isSlow: true) { _, _, _ in
      wait()
      return .init(move: .up, analysis: nil)
    }
    let service = WebService(agents: [agent, rollouts], plies: 3, milliseconds: 20)
    let board = "1200000000000000"
    try await withThrowingTaskGroup(of: Int.self) { group in
      for query in ["milliseconds=1000", "plies=4", "agent=rollouts"] {
        for _ in 0..<30 {
          group.addTask {
            asked.add(1)
            return try await service.get("/analyze?board=\(board)&\(query)").status
          }
        }
      }
      // All requests have arrived, and every thread has work.
      while asked.value < 90 || begun.value < 2 { try await Task.sleep(for: .milliseconds(5)) }
      // The requests come from a move server, which names nothing; from the page, which names its plies; and with a
      // time.
      for query in ["", "&plies=3", "&plies=1", "&milliseconds=50", "&milliseconds=20&plies=8"] {
        #expect(try await service.get("/move?board=\(board)\(query)").text == "u", "\(query)")
      }
      gate.open()
      for try await status in group { #expect(status == 200) }
    }
  }
}
