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
      arguments: training + [
        "--output", "RUN", "--set", "evaluation.every_games=10", "--set", "training.report_games=10",
      ], begin: "games=10 ",
      word: "stopping: finishing games",
      end: "stopped after 10 games; resume with: tupelo train --resume RUN\n"),
  ]

  /// Sends a signal and returns the rest of the output; the process is killed after two minutes.
  private func end(_ running: RunningProgram, by signal: Int32) -> (output: String, status: Int32) {
    let watch = DispatchWorkItem { running.signal(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watch)
    defer { watch.cancel() }
    return running.end(by: signal)
  }

  @Test(.slow, arguments: slow, [SIGTERM]) func aMoveInProgressIsGivenUp(_ slow: Slow, _ signal: Int32) throws {
    try check(slow, signal)
  }

  @Test(arguments: [SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU]) func everySignalIsHeeded(_ signal: Int32) throws {
    try check(Self.slow[0], signal)
  }

  private func check(_ slow: Slow, _ signal: Int32) throws {
    let run = folder + "/run"
    func named(_ text: String) -> String { text.replacingOccurrences(of: "RUN", with: run) }
    let running = try RunningProgram(slow.arguments.map(named))
    _ = try running.value(after: slow.begin, upTo: slow.begin.isEmpty ? "" : "\n")
    try running.works()
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
    try running.works(ticks: 10)
    let end = end(running, by: SIGINT)
    #expect(end.status == 130 && end.output.hasSuffix("resume with: tupelo train --resume \(run)\n"), "\(end)")
    #expect(!FileManager.default.fileExists(atPath: run + "/evaluation.json"))
    let again = try RunningProgram(["train", "--resume", run])
    _ = try again.value(after: "nothing to train after 30 of 30 games", upTo: "\n")
    _ = try again.value(after: "saved ", upTo: "\n")
    try again.works(ticks: 10)
    let second = self.end(again, by: SIGTERM)
    #expect(second.status == 130 && second.output.contains("its evaluation was stopped"), "\(second)")
    let whole = try Program.run(["train", "--resume", run, "--set", "evaluation.games=3"])
    #expect(whole.status == 0 && whole.output.contains("\nevaluation"), "\(whole)")
    #expect(FileManager.default.fileExists(atPath: run + "/evaluation.json"))
  }

  /// A review is stopped when one or more moves are over. By its node limit, a move is a few ticks of work. A slow
  /// machine needs more ticks before the first move is over.
  @Test(.slow, arguments: [[], ["--json"]])
  func aPartOfAReviewSaysSo(_ options: [String]) throws {
    let record = folder + "/game.txt"
    #expect(try Program.run(["autoplay", "--agent", "greedy", "--record", record]).status == 0)
    var part = (done: 0, asked: 0, output: "")
    for ticks in [30, 300, 3000] where part.done == 0 {
      part = try partOfReview(record, by: "expectimax(nodes: 300000)", options, after: ticks)
    }
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
    let part = try partOfReview(record, by: "expectimax(plies: 8)", [], after: 30)
    #expect(part.done < part.asked)
  }

  private func partOfReview(
    _ record: String, by agent: String, _ options: [String], after ticks: Int
  ) throws -> (done: Int, asked: Int, output: String) {
    let running = try RunningProgram(["review", record, "--agent", agent] + options)
    try running.works(ticks: ticks)
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
    #if canImport(Darwin)
    let request: UInt = 0x4004_667f  // FIONREAD, which Swift does not import there.
    #else
    let request = UInt(FIONREAD)
    #endif
    var count: Int32 = 0
    return ioctl(descriptor, request, &count) == 0 ? count : 0
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

  /// Sends signals again and again until a process has ended, and returns the time from the first signal to the end.
  private func end(_ process: Process, by signals: [Int32]) throws -> Duration {
    let start = ContinuousClock.now
    try Program.wait {
      guard process.isRunning else { return true }
      for signal in signals { kill(process.processIdentifier, signal) }
      return false
    }
    process.waitUntilExit()
    return ContinuousClock.now - start
  }

  // The rule in the next two tests is about a second, so both tests last that long and belong to the slow tier. They
  // require that the program lives for at least a second, which a busy machine does not change.

  /// Signals within a second count as one. The first signal after that second ends the process.
  @Test(.slow, arguments: [SIGTERM, SIGINT, SIGHUP]) func aSecondSignalEndsItAtOnce(_ signal: Int32) throws {
    let (process, errors, output) = try blocked()
    let start = ContinuousClock.now
    kill(process.processIdentifier, signal)
    kill(process.processIdentifier, signal)
    #expect(String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self) == "stopping; \(Self.second)\n")
    _ = try end(process, by: [signal])
    #expect(ContinuousClock.now - start >= .seconds(1), "signals within a second are one")
    #expect(process.terminationReason == .exit && process.terminationStatus == 128 + signal)
    _ = output
  }

  /// A scheduler's signal neither ends the process nor counts as the first one.
  @Test(.slow, arguments: [SIGUSR1, SIGUSR2, SIGXCPU]) func aSchedulersSignalIsPatient(_ signal: Int32) throws {
    let (process, errors, output) = try blocked()
    kill(process.processIdentifier, signal)
    #expect(!errors.fileHandleForReading.availableData.isEmpty)
    // After a second of such signals, the next signal would end the process if one of them had counted.
    let told = ContinuousClock.now
    try Program.wait {
      kill(process.processIdentifier, signal)
      return ContinuousClock.now - told >= .seconds(1)
    }
    #expect(process.isRunning)
    let time = try end(process, by: [signal, SIGTERM])
    #expect(time >= .seconds(1), "SIGTERM was the first signal that counts")
    #expect(process.terminationStatus == 143)
    _ = output
  }

  /// Whether SIGXFSZ would end the program depends on the thread that writes. No thread may depend on that.
  @Test(.enabled(if: Program.hasProc, "no /proc: not tried"))
  func theSignalOfALimitOnFileSizesIsIgnored() throws {
    let running = try RunningProgram(Self.slow[0].arguments)
    try running.works(ticks: 1)
    #expect(running.ignores(SIGXFSZ) && !running.ignores(SIGTERM))
    #expect(end(running, by: SIGTERM).status == 130)
  }

  private static let canBeFirst: Bool = {
    do {
      return try Program.shell("unshare --pid --fork true").status == 0
    } catch {
      return false
    }
  }()

  /// The first process of a container has the number 1, and the kernel gives it no signals without a handler.
  @Test(
    .enabled(if: canBeFirst, "no right to begin a container: not tried"),
    arguments: ["bench", "solve --board 3x3", "evaluate --games 100M --agent random"])
  func theFirstProcessOfAContainerIsStopped(_ line: String) throws {
    let script = """
      unshare --pid --fork '\(Program.path)' \(line) > /dev/null 2>&1 & outer=$!
      until inner=$(cat /proc/$outer/task/$outer/children) && [ -n "$inner" ]; do sleep 0.01; done
      while kill -TERM $inner 2> /dev/null; do sleep 0.1; done
      wait $outer; echo $?
      """
    let result = try Program.shell(script)
    #expect(["143\n", "130\n"].contains(result.output), "\(result)")
  }
}
