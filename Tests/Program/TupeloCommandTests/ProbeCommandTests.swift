import Foundation
import TestSupport
import Testing
import TupeloTraining

/// `tupelo probe` records boards, finds shipped ones, and plays on from them.
@Suite(.serialized) final class ProbeCommandTests {
  private let folder = TemporaryFile.path("probe")
  private var boards: String { folder + "/boards.txt" }

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  private func record(_ options: String...) throws -> Program.Result {
    try Program.run(
      ["probe", "--record", boards, "--tile", "64", "--agent", "random", "--each", "5", "--seed", "2"] + options)
  }

  private func probe(_ options: String...) throws -> Program.Result {
    try Program.run(["probe", "--boards", boards, "--agent", "random"] + options)
  }

  @Test func recordsAndPlaysOn() throws {
    let recorded = try record()
    #expect(recorded.status == 0 && recorded.errors.isEmpty, "\(recorded)")
    #expect(recorded.output.hasSuffix("64 + 32 + 16: 5 boards\nsaved \(boards)\n"), "\(recorded)")
    let text = try String(contentsOfFile: boards, encoding: .utf8)
    #expect(try ProbeBoards(text: text).header.agent == "random" && ProbeBoards(text: text).header.seed == 2)
    // Boards are recorded a second time, on another number of threads, into the same file.
    #expect(try record("--threads", "1").status == 0)
    #expect(try String(contentsOfFile: boards, encoding: .utf8) == text)
    let table = try probe("--games", "50")
    let lines = table.output.split(separator: "\n")
    #expect(table.status == 0 && lines.allSatisfy { $0.count <= 80 || $0.contains(boards) }, "\(table)")
    // A long path leaves no room for the rest of its line.
    #expect(lines[0] == "random, seed 1000003" && lines[1].hasPrefix("boards of \(boards),"), "\(table)")
    let rows = Array(lines.suffix(4))
    #expect(rows[0].hasPrefix("board with ") && rows[3].hasPrefix("64 + 32 + 16 "), "\(table)")
  }

  @Test func jsonIsTheSameOnAnyNumberOfThreads() throws {
    #expect(try record().status == 0)
    let objects = try ["1", "3"].map { threads in
      let result = try probe("--games", "40", "--json", "--threads", threads)
      #expect(result.status == 0, "\(result)")
      return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }
    let groups = try objects.map { try #require($0["groups"] as? [[String: Any]]) }
    #expect(groups[0] as NSArray == groups[1] as NSArray)
    #expect(groups[0].map { $0["next_tile"] as? Int } == [32, 16, 8])
    for (key, number) in [("games", 40), ("boards", 5), ("goal_tile", 128)] {
      #expect(groups[0].allSatisfy { $0[key] as? Int == number }, "\(key)")
    }
    #expect(objects[0]["agent"] as? String == "random" && objects[0]["games"] as? Int == 120)
    #expect((objects[0]["boards"] as? [String: Any])?["seed"] as? Int == 2)
    // The table has the same numbers.
    let counts = groups[0].compactMap { ($0["goal"] as? [String: Any])?["count"] as? Int }
    let table = try probe("--games", "40").output
    for count in counts { #expect(table.contains(" \(NumberText.percent(Double(count) / 40)) (")) }
  }

  /// Ctrl-C prints the results so far.
  @Test func whatIsThereIsPrinted() throws {
    #expect(try record().status == 0)
    var end = (output: "", status: Int32(0))
    // A game in progress does not count. A slow machine needs more work before the first game is finished.
    for ticks in [20, 200, 2000] where !end.output.contains("\nstopped after ") {
      let running = try RunningProgram(["probe", "--boards", boards, "--agent", "random", "--games", "10M"])
      _ = try running.value(after: "seed 10000", upTo: "\n")
      try running.works(ticks: ticks)
      end = running.interrupt()
    }
    #expect(end.status == 130, "\(end)")
    #expect(end.output.contains("\n64 + 32 + 16 ") && end.output.contains("\nstopped after "), "\(end)")
    #expect(end.output.hasSuffix(" of 30,000,000 games\n"), "\(end)")
  }

  /// The boards that come with the repository are found from any folder.
  @Test func theShippedBoardsArePlayedOnFrom() throws {
    let result = try Program.shell(
      "cd \(Program.quoted(folder)) && \(Program.quoted(Program.path)) probe --agent random --games 200 --json")
    #expect(result.status == 0, "\(result)")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let groups = try #require(object?["groups"] as? [[String: Any]])
    #expect(groups.map { $0["tiles"] as? [Int] } == [[16384], [16384, 8192], [16384, 8192, 4096]])
    #expect(groups.allSatisfy { $0["boards"] as? Int ?? 0 >= 100 && $0["goal_tile"] as? Int == 32768 })
  }

  @Test(
    arguments: [
      (["probe", "--games", "0"], 64, "--games is 0: give 1 to 1000000000"),
      (["probe", "--tile", "64"], 64, "--tile and --each go with --record: leave them out"),
      (["probe", "--record", "FOLDER/b.txt", "--json"], 64, "leave --boards and --json out"),
      (
        ["probe", "--record", "FOLDER/b.txt", "--tile", "100"], 64,
        "--tile is 100: give a power of two from 64 to 65536 on 4x4"
      ),
      (["probe", "--record", "FOLDER/none/b.txt"], 1, "the folder FOLDER/none is not there"),
      (["probe", "--record", "FOLDER/notes.txt"], 1, "is there already and would be lost"),
      (["probe", "--boards", "FOLDER/notes.txt"], 1, "FOLDER/notes.txt: the first line is not a header of boards"),
      (["probe", "--boards", "FOLDER/missing.txt"], 1, "FOLDER/missing.txt: cannot be opened"),
      (
        ["probe", "--record", "FOLDER/b.txt", "--agent", "random", "--games", "3"], 1,
        "not written: none of 3 games reached 16384: give a smaller --tile"
      ),
    ] as [([String], Int32, String)]) func refusesWhatItCannotDo(_ arguments: [String], _ status: Int32, _ text: String)
    throws
  {
    try Data("notes\n".utf8).write(to: URL(fileURLWithPath: folder + "/notes.txt"))
    let result = try Program.run(arguments.map { $0.replacing("FOLDER", with: folder) })
    #expect(result.status == status, "\(result)")
    #expect(result.errors.hasPrefix("Error: ") && result.errors.split(separator: "\n").count == 1, "\(result)")
    #expect(result.errors.contains(text.replacing("FOLDER", with: folder)), "\(result)")
  }
}
