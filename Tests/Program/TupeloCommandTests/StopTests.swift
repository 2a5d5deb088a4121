import Foundation
import TestSupport
import Testing
import TupeloTraining

/// Commands that a signal stops: in the middle of a move, with a message, with status 130, and at once after a second
/// signal.
@Suite(.serialized) final class StopTests {
  private let folder = TemporaryFile.path("stop")

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  deinit { TemporaryFile.remove(folder) }

  private static let deep = ["--agent", "expectimax(plies: 8, evaluator: heuristic)"]
  private static let training = [
    "train", "--set", "network.patterns=0123", "--games", "20", "--set", "evaluation.games=2", "--set",
    "evaluation.plies=8",
  ]
  private static let second = "a second Ctrl-C or SIGTERM ends it at once"

  /// A command whose moves take minutes, with the text before its first move and the end of its output.
  struct Slow: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    var begin = ""
    var word = "stopping; \(second)\n"
    let end: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let slow: [Slow] = [
    Slow(
      arguments: ["evaluate", "--games", "2"] + deep, begin: ", seed ",
      end: "stopped before a game was finished\n"),
    Slow(
      arguments: ["evaluate", "--games", "4", "--game", "set", "--agent", "search(count: 1000000)"], begin: ", seed ",
      end: "stopped before a game was finished\n"),
    Slow(
      arguments: ["arena", "random", "expectimax(plies: 8, evaluator: heuristic)", "--games", "2"],
      end: "stopped before each had finished a game\n"),
    Slow(
      arguments: ["evaluate", "--games", "2", "--shard", "1/1"] + deep,
      end: "stopped before all games of the shard were finished: nothing is printed\n"),
    Slow(arguments: ["autoplay"] + deep, end: "stopped before the end of the game\n"),
    Slow(
      arguments: ["autoplay", "--game", "set", "--agent", "search(count: 1000000)"],
      end: "stopped before the end of the game\n"),
    Slow(
      arguments: training + ["--output", "RUN"], begin: "saved ", word: "stopping the evaluation; \(second)\n",
      end: "the training is saved; its evaluation was stopped: resume with: tupelo train --resume RUN\n"),
    Slow(
      arguments: training + ["--output", "RUN", "--set", "evaluation.every_games=10"],
      word: "stopping: finishing games",
      end: "stopped after 10 games; resume with: tupelo train --resume RUN\n"),
  ]

  /// Sends a signal and returns the rest of the output; the process is killed after a minute.
  private func end(_ running: RunningProgram, by signal: Int32) -> (output: String, status: Int32) {
    let watch = DispatchWorkItem { running.signal(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watch)
    defer { watch.cancel() }
    return running.end(by: signal)
  }

  @Test(.slow, arguments: slow, [SIGTERM]) func aMoveInProgressIsGivenUp(_ slow: Slow, _ signal: Int32) throws {
    try check(slow, signal)
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGUSR1]) func everySignalIsHeeded(_ signal: Int32) throws {
    try check(Self.slow[0], signal)
  }

  private func check(_ slow: Slow, _ signal: Int32) throws {
    let run = folder + "/run"
    func named(_ text: String) -> String { text.replacingOccurrences(of: "RUN", with: run) }
    let running = try RunningProgram(slow.arguments.map(named))
    _ = try running.value(after: slow.begin, upTo: slow.begin.isEmpty ? "" : "\n")
    // All of them begin their first move within a fraction of this time.
    try running.works(forSeconds: 0.5)
    let end = end(running, by: signal)
    #expect(end.status == 130 && end.output.hasSuffix("\n" + named(slow.end)), "\(end)")
    #expect(end.output.contains(slow.word), "\(end)")
  }

  /// The command in the message works for both games: the next session makes the missing evaluation.
  @Test(.slow, arguments: ["2048", "set"]) func theMissingEvaluationIsMadeByResuming(_ game: String) throws {
    let run = folder + "/run"
    let settings = game == "set" ? [] : ["--set", "network.patterns=0123"]
    let train = ["train", "--set", "game=\(game)", "--games", "20", "--output", run] + settings
    // The folder has an evaluation after fewer games of training.
    #expect(try Program.run(train + ["--set", "evaluation.games=2"]).status == 0)
    let more = ["train", "--resume", run, "--games", "30", "--set", "evaluation.games=50M"]
    let running = try RunningProgram(more)
    _ = try running.value(after: "saved ", upTo: "\n")
    try running.works(forSeconds: 0.1)
    let end = end(running, by: SIGINT)
    #expect(end.status == 130 && end.output.hasSuffix("resume with: tupelo train --resume \(run)\n"), "\(end)")
    #expect(!FileManager.default.fileExists(atPath: run + "/evaluation.json"))
    let again = try RunningProgram(["train", "--resume", run])
    _ = try again.value(after: "nothing to train after 30 of 30 games", upTo: "\n")
    _ = try again.value(after: "saved ", upTo: "\n")
    try again.works(forSeconds: 0.1)
    let second = self.end(again, by: SIGTERM)
    #expect(second.status == 130 && second.output.contains("its evaluation was stopped"), "\(second)")
    let whole = try Program.run(["train", "--resume", run, "--set", "evaluation.games=3"])
    #expect(whole.status == 0 && whole.output.contains("\nevaluation"), "\(whole)")
    #expect(FileManager.default.fileExists(atPath: run + "/evaluation.json"))
  }

  /// A review of moves of 100 ms is stopped when one or more are over.
  @Test(.slow, arguments: [[], ["--json"]])
  func aPartOfAReviewSaysSo(_ options: [String]) throws {
    let record = folder + "/game.txt"
    #expect(try Program.run(["autoplay", "--agent", "random", "--record", record]).status == 0)
    let part = try partOfReview(record, by: "expectimax(milliseconds: 100)", options, after: 0.5)
    #expect(part.done > 0 && part.done < part.asked)
    guard !options.isEmpty else { return }
    let start = try #require(part.output.firstIndex(of: "{"))
    let stop = try #require(part.output.lastIndex(of: "}"))
    let object = try JSONSerialization.jsonObject(with: Data(part.output[start...stop].utf8)) as? [String: Any]
    #expect(object?["moves"] as? Int == part.done && object?["moves_asked"] as? Int == part.asked)
  }

  /// The signal ends a search that would take minutes.
  @Test func aLongSearchOfAReviewIsStopped() throws {
    let record = folder + "/game.txt"
    #expect(try Program.run(["autoplay", "--agent", "random", "--record", record]).status == 0)
    let part = try partOfReview(record, by: "expectimax(plies: 8)", [], after: 0.5)
    #expect(part.done < part.asked)
  }

  private func partOfReview(
    _ record: String, by agent: String, _ options: [String], after seconds: Double
  ) throws -> (done: Int, asked: Int, output: String) {
    let running = try RunningProgram(["review", record, "--agent", agent] + options)
    try running.works(forSeconds: seconds)
    let end = end(running, by: SIGTERM)
    #expect(end.status == 130, "\(end)")
    let last = try #require(end.output.split(separator: "\n").last)
    let numbers = last.split(separator: " ").compactMap { Int($0.filter { $0 != "," }) }
    #expect(last.hasPrefix("stopped after ") && last.hasSuffix(" moves"), "\(end)")
    try #require(numbers.count == 2, "\(end)")
    return (numbers[0], numbers[1], end.output)
  }

  /// The JSON of a whole review does not have the key `moves_asked`.
  @Test func aWholeReviewDoesNot() throws {
    let record = folder + "/game.txt"
    let play = ["autoplay", "--agent", "greedy", "--until", "32", "--record", record]
    #expect(try Program.run(play).status == 0)
    let whole = try Program.run(["review", record, "--plies", "1", "--json"])
    #expect(whole.status == 0 && !whole.output.contains("moves_asked"), "\(whole)")
  }

  /// Commands that wait for a person end at a signal.
  @Test(arguments: [["play", "--seed", "1"], ["play", "--game", "set"], ["advise", "--plies", "1"]])
  func commandsThatWaitAreStopped(_ arguments: [String]) throws {
    let input = Pipe()
    let running = try RunningProgram(arguments, input: input)
    _ = try running.value(after: arguments[0] == "advise" ? "type the tiles" : "quit", upTo: "\n")
    let end = end(running, by: SIGTERM)
    #expect(end.status == 130 && end.output.contains("stopping; \(Self.second)\n"), "\(end)")
    #expect(end.output.hasSuffix("\nstopped\n"), "\(end)")
    _ = input
  }

  private static func bytes(waitingIn descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
  }

  /// Starts a game whose output nobody reads, so that the program cannot end by itself.
  private func blocked() throws -> (process: Process, errors: Pipe, output: Pipe) {
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["autoplay", "--agent", "random", "--speed", "0"]
    process.environment = Program.environment
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, errors)
    // The pipe has room for a few dozen lines.
    let (read, write) = (output.fileHandleForReading.fileDescriptor, output.fileHandleForWriting.fileDescriptor)
    _ = fcntl(write, F_SETFL, O_NONBLOCK)
    while Foundation.write(write, [UInt8](repeating: 0, count: 512), 512) > 0 {}
    _ = fcntl(write, F_SETFL, 0)
    let full = Self.bytes(waitingIn: read)
    _ = try output.fileHandleForReading.read(upToCount: 4096)
    try process.run()
    try Program.wait {
      try #require(process.isRunning)
      return Self.bytes(waitingIn: read) >= full - 200
    }
    return (process, errors, output)
  }

  /// Two signals at once count as one; another one a second later ends the process. The pauses are about that second:
  /// the process must not end during them.
  @Test(.slow, arguments: [SIGTERM, SIGINT, SIGHUP]) func aSecondSignalEndsItAtOnce(_ signal: Int32) throws {
    let (process, errors, output) = try blocked()
    kill(process.processIdentifier, signal)
    kill(process.processIdentifier, signal)
    #expect(String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self) == "stopping; \(Self.second)\n")
    kill(process.processIdentifier, signal)
    Thread.sleep(forTimeInterval: 0.2)
    #expect(process.isRunning, "three within a second are one")
    Thread.sleep(forTimeInterval: 2.5)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 128 + signal)
    _ = output
  }

  /// A scheduler's signal neither ends the process nor counts as the first one. A second signal counts when it comes a
  /// second after the first one, hence the pauses.
  @Test(.slow) func aSchedulersSignalIsPatient() throws {
    let (process, errors, output) = try blocked()
    kill(process.processIdentifier, SIGUSR1)
    #expect(!errors.fileHandleForReading.availableData.isEmpty)
    Thread.sleep(forTimeInterval: 2.5)
    kill(process.processIdentifier, SIGUSR1)
    kill(process.processIdentifier, SIGTERM)
    Thread.sleep(forTimeInterval: 2.5)
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 143)
    _ = output
  }
}
