import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloWeb

/// The server reads metrics of runs, and no other files of the disk.
@Suite final class RunTests {
  private let folder = TemporaryFile.path("runs")

  init() throws {
    try write("{\"games\": 1}\n", to: "old/metrics.jsonl")
    try write("secret", to: "secret.txt")
    try write("seed: 1\n", to: "old/config.yaml")
    try write("secret", to: "old/notes.txt")
  }

  deinit { TemporaryFile.remove(folder) }

  private func write(_ text: String, to name: String) throws {
    let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func service() throws -> WebService { .stub(runs: try RunShelf(path: folder)) }

  private struct Metrics: Decodable {
    let rows: [[String: Double]]
    let lines: [Int]
    let next: Int
    let mark: String
    let size: Int
    let restarted: Bool
  }

  private func metrics(_ run: String, from offset: Int = 0, mark: String = "") async throws -> Metrics {
    let response = try await service().get("/api/metrics?run=\(run)&from=\(offset)&mark=\(mark)")
    #expect(response.status == 200, "\(response.text)")
    let answer = try JSONDecoder().decode(Metrics.self, from: Data(response.body))
    #expect(answer.lines.count == answer.rows.count)
    return answer
  }

  /// A client that reads on where it was, and from the start when it is told so.
  private struct Follower {
    var (rows, lines): ([[String: Double]], [Int]) = ([], [])
    var (next, mark) = (0, "")
    var requests = 0

    mutating func read(_ run: String, of tests: RunTests) async throws {
      var isBehind = true
      while isBehind {
        requests += 1
        let answer = try await tests.metrics(run, from: next, mark: mark)
        isBehind = answer.next != next
        if answer.restarted { (rows, lines) = ([], []) }
        rows += answer.rows
        lines += answer.lines
        (next, mark) = (answer.next, answer.mark)
      }
    }
  }

  @Test func runsWithMetricsAreListed() async throws {
    try write("", to: "empty/metrics.jsonl")
    try write("x", to: "none/config.yaml")
    try write("", to: ".hidden/metrics.jsonl")
    struct Runs: Decodable {
      struct Run: Decodable {
        let name: String
        let size: Int
        let modified: Double
      }
      let runs: [Run]
    }
    let runs = try JSONDecoder().decode(Runs.self, from: Data(try await service().get("/api/runs").body)).runs
    #expect(Set(runs.map(\.name)) == ["old", "empty"])
    #expect(runs.first { $0.name == "old" }?.size == 13)
    #expect(runs.allSatisfy { abs($0.modified - Date().timeIntervalSince1970) < 3600 })
  }

  /// Links to runs are not followed, and can be named.
  @Test func linkedRunsAreNamed() async throws {
    for (link, target) in [("to-run", "old"), ("to-file", "old/metrics.jsonl"), ("to-nothing", "none")] {
      try FileManager.default.createSymbolicLink(atPath: folder + "/" + link, withDestinationPath: target)
    }
    #expect(try RunShelf(path: folder).links() == ["to-run"])
    #expect(try await service().get("/api/metrics?run=to-run").status == 404)
  }

  /// Games of 2048 are listed and read; other files, links, records of Set and names that lead elsewhere are not.
  @Test func keptGamesAreRead() async throws {
    let record = GameRecord(.init(rules: .standard, start: try Board(hex: "1100000000000000"), agent: "a")).text
    try write(record, to: "old/game-best.txt")
    try write("{\"tupelo_set_record\":1}\n", to: "old/game-median.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/old/game-worst.txt", withDestinationPath: folder + "/old/game-best.txt")
    let list = try await service().get("/api/runs").text
    #expect(list.contains("\"games\":[\"best\"]"), "\(list)")
    let best = try await service().get("/api/game?run=old&game=best")
    #expect(best.status == 200 && best.text == record)
    for target in [
      "run=old&game=median", "run=old&game=worst", "run=old&game=../config", "run=../old&game=best", "run=no&game=best",
    ] {
      #expect(try await service().get("/api/game?\(target)").status == 404, "\(target)")
    }
    #expect(try await service().get("/api/game?run=old").status == 400)
    #expect(try await WebService.stub().get("/api/game?run=old&game=best").status == 404)
  }

  /// Settings are read; a link is not followed, and a run may have no settings.
  @Test func settingsAreRead() async throws {
    try write("{\"games\": 1}\n", to: "linked/metrics.jsonl")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/linked/config.yaml", withDestinationPath: folder + "/secret.txt")
    for (run, status, text) in [("old", 200, "seed: 1\n"), ("linked", 200, "")] {
      let response = try await service().get("/api/settings?run=\(run)")
      #expect(response.status == status && response.text == text, "\(run): \(response.text)")
    }
    for run in ["..", "../old", "old/..", "secret.txt", "no"] {
      #expect(try await service().get("/api/settings?run=\(run)").status == 404, "\(run)")
    }
    #expect(try await service().get("/api/settings").status == 400)
    #expect(try await service().get("/api/settings?run=old&file=notes.txt").status == 400)
  }

  @Test func nothingElseCanBeRead() async throws {
    let shelf = try RunShelf(path: folder)
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/old")
    try FileManager.default.createDirectory(atPath: folder + "/linked", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/linked/metrics.jsonl", withDestinationPath: folder + "/secret.txt")
    let folderAsFile = folder + "/folder/metrics.jsonl"
    try FileManager.default.createDirectory(atPath: folderAsFile, withIntermediateDirectories: true)
    for run in [
      "..", ".", "", "old/..", "../old", "old/", "/old", "old%2f..%2fold", "%2e%2e", "secret.txt", "link", "linked",
      "folder", "old%00", "old/metrics.jsonl", "no%0asuch",
    ] {
      let response = try await WebService.stub(runs: shelf).get("/api/metrics?run=\(run)")
      #expect(response.status == 404, "\(run): \(response.text)")
      #expect(!response.text.contains("secret\n") && !response.text.contains("games"))
    }
  }

  @Test func rowsAreReadLeniently() async throws {
    try write(
      """
      {"games": 1000, "rollout/score_mean": 5.5, "rollout/rate_2048": 1, "eval/rate_2048": 0, "name": "x", "done": \
      true, "list": [1], "none": null}
      not json
      {"games": 2000, "rollout/score_mean": NaN}
      [1, 2]
      {}
      {"games": 3000, "new/key": -1e3}
      {"games": 40
      """, to: "lenient/metrics.jsonl")
    let answer = try await metrics("lenient")
    #expect(
      answer.rows == [
        ["games": 1000, "rollout/score_mean": 5.5, "rollout/rate_2048": 1, "eval/rate_2048": 0],
        ["games": 3000, "new/key": -1000],
      ])
    #expect(answer.size - answer.next == 12, "the torn line is left for later")
    #expect(!answer.restarted)
  }

  /// Every row of a growing file is read once, whatever the pieces.
  @Test(.slow) func growingFileIsFollowed() async throws {
    let lines = (1...200).map { "{\"games\": \($0), \"time/moves_per_second\": \($0 * 7)}\n" }
    let text = Array(lines.joined().utf8)
    var games: [Double] = []
    var (next, mark) = (0, "")
    for end in stride(from: 0, through: text.count, by: 37) {
      try write(String(decoding: text[..<end], as: UTF8.self), to: "live/metrics.jsonl")
      let answer = try await metrics("live", from: next, mark: mark)
      games += answer.rows.compactMap { $0["games"] }
      (next, mark) = (answer.next, answer.mark)
      #expect(answer.next <= answer.size && !answer.restarted)
    }
    try write(lines.joined(), to: "live/metrics.jsonl")
    games += try await metrics("live", from: next, mark: mark).rows.compactMap { $0["games"] }
    let expected: [Double] = (1...200).map { Double($0) }
    #expect(games == expected)
    try write("{\"games\": 1}\n", to: "live/metrics.jsonl")
    let shorter = try await metrics("live", from: next)
    #expect(shorter.restarted && shorter.next == 0 && shorter.rows.isEmpty)
  }

  /// A file that is another one than was read is read from its start, however long it is.
  @Test func anotherFileIsReadFromItsStart() async throws {
    func lines(_ games: Range<Int>, speed: Int) -> String {
      games.map { "{\"games\": \($0), \"time/moves_per_second\": \(speed)}\n" }.joined()
    }
    let first = lines(0..<500, speed: 1)
    let others = [
      "longer": lines(0..<900, speed: 2), "shorter": lines(0..<100, speed: 2), "of one size": lines(0..<500, speed: 2),
      "only its first line": lines(0..<1, speed: 2) + lines(1..<900, speed: 1),
      "from line 400 on, as after a resume": lines(0..<400, speed: 1) + lines(400..<900, speed: 2),
    ]
    for (name, other) in others {
      for isReplaced in [false, true] {
        try write(first, to: "other/metrics.jsonl")
        var follower = Follower()
        try await follower.read("other", of: self)
        #expect(follower.rows.count == 500)
        if isReplaced {
          try FileManager.default.removeItem(atPath: folder + "/other")
          try write(other, to: "other/metrics.jsonl")
        } else {
          try write(other, to: "other/metrics.jsonl")
        }
        try await follower.read("other", of: self)
        let speeds = other.matches(of: /second": (\d)/).map { Double($0.1) }
        #expect(follower.rows.map { $0["time/moves_per_second"] } == speeds, "\(name), replaced: \(isReplaced)")
      }
    }
    #expect(try await metrics("old", from: Int.max, mark: "x").restarted)
  }

  /// A long file is thinned evenly, and each row says how many lines it stands for. Rare lines stay.
  @Test func longFileIsThinned() async throws {
    let rare = Set(stride(from: 0, to: 120_000, by: 5_000))
    let text = (0..<120_000).map { rare.contains($0) ? "{\"games\":\($0),\"eval\":1}\n" : "{\"games\":\($0)}\n" }
    try write(text.joined(), to: "long/metrics.jsonl")
    var follower = Follower()
    try await follower.read("long", of: self)
    let evaluated = follower.rows.filter { $0["eval"] != nil }.compactMap { $0["games"].map(Int.init) }
    #expect(evaluated == rare.sorted())
    let usual = zip(follower.rows, follower.lines).filter { $0.0["eval"] == nil }
    #expect((2_000...8_192).contains(usual.count), "\(usual.count)")
    #expect((120_000...130_000).contains(follower.lines.reduce(0, +)))
    for ((row, count), (next, _)) in zip(usual, usual.dropFirst()) {
      let distance = Int((next["games"] ?? 0) - (row["games"] ?? 0))
      #expect(distance <= count + 1, "\(row)")
    }
    try write(text.joined() + "{\"games\":120000}\n{\"games\":120001}\n", to: "long/metrics.jsonl")
    let count = follower.rows.count
    try await follower.read("long", of: self)
    #expect(follower.rows[count...].map { $0["games"] } == [120_000, 120_001], "new lines come one by one")
  }

  /// Lines of many kinds, and lines that are no rows, take neither memory nor time without limit.
  @Test func hostileMetricsAreBounded() async throws {
    let kinds = (0..<60_000).map { "{\"\($0)\":1}\n" }.joined()
    let texts = [
      "kinds": kinds, "empty": String(repeating: "\n", count: 2 << 20),
      "quotes": String(repeating: "\"\n", count: 1 << 20),
      "deep": String(repeating: "[", count: 900_000) + "\n" + String(repeating: "{\"a\":", count: 100_000) + "\n",
    ]
    for (name, text) in texts {
      try write(text, to: "hostile/metrics.jsonl")
      var follower = Follower()
      try await follower.read("hostile", of: self)
      #expect(follower.rows.count <= 20_000 && follower.requests < 10, "\(name): \(follower.rows.count)")
      #expect(follower.next == text.utf8.count, "\(name)")
    }
  }

  @Test func largeFilesComeInChunks() async throws {
    let line = "{\"games\": 1, \"pad\": \"" + String(repeating: "x", count: 1000) + "\"}\n"
    try write(String(repeating: line, count: 3000), to: "large/metrics.jsonl")
    var (rows, next, rounds) = (0, 0, 0)
    while rounds < 10 {
      let answer = try await metrics("large", from: next)
      rows += answer.rows.count
      rounds += 1
      guard answer.next > next else { break }
      next = answer.next
    }
    #expect(rows == 3000)
    #expect(rounds == 4, "three chunks, and the end")
  }

  @Test func endlessLineDoesNotStopTheReader() async throws {
    try write(String(repeating: "x", count: 3 << 20) + "\n{\"games\": 5}\n", to: "noise/metrics.jsonl")
    var (next, rows): (Int, [[String: Double]]) = (0, [])
    for _ in 0..<6 {
      let answer = try await metrics("noise", from: next)
      rows += answer.rows
      next = answer.next
    }
    #expect(rows == [["games": 5]])
  }

  @Test func problemsAreNamed() async throws {
    #expect(throws: RunShelfError.noFolder(path: folder + "/none")) { try RunShelf(path: folder + "/none") }
    #expect(throws: RunShelfError.noFolder(path: folder + "/secret.txt")) { try RunShelf(path: folder + "/secret.txt") }
    let without = try await WebService.stub().get("/api/runs")
    #expect(without.status == 404 && without.text == "no folder with runs was named: start the server with --runs")
    for from in ["-1", "x", "99999999999999999999"] {
      #expect(try await service().get("/api/metrics?run=old&from=\(from)").status == 400)
    }
    #expect(try await service().get("/api/metrics").status == 400)
  }
}
