import Foundation
import TestSupport
import Testing

/// A limit on threads holds for a user and not for root, so the program runs as a user that has no other processes.
@Suite(.serialized) struct ThreadLimitTests {
  private static let isMissing = "not root, or another user cannot run the program"
  private static let canRun: Bool = {
    do {
      return try shell("--version", limit: 200).status == 0
    } catch {
      return false
    }
  }()

  /// - Parameter wrapper: a command that runs the program
  private static func shell(_ arguments: String, limit: Int, wrapper: String = "") throws -> Program.Result {
    let folder = try TemporaryFolder()
    try "network: {patterns: '0123'}\ntraining: {games: 20}\nevaluation: {games: 10}\n"
      .write(toFile: folder.file("base.yaml"), atomically: true, encoding: .utf8)
    let user = "timeout 60 setpriv --reuid=54321 --regid=54321 --clear-groups prlimit --nproc=\(limit) \(wrapper)"
    return try withExtendedLifetime(folder) {
      try Program.shell("cd \(folder.path) && chmod 777 . && \(user) \(Program.quoted(Program.path)) \(arguments)")
    }
  }

  /// OpenBLAS would print lines of its own, and end the process, if it began a thread for each processor.
  @Test(
    .enabled(if: canRun, "\(isMissing)"),
    arguments: [
      ("--version", 1), ("--version", 3), ("train --config base.yaml", 5), ("evaluate --games 10 --threads 2", 7),
      ("sweep --config base.yaml --seeds 1-4 --jobs 4", 18),
    ])
  func aLimitIsNamed(_ arguments: String, _ limit: Int) throws {
    let result = try Self.shell(arguments, limit: limit)
    let remedy = "raise the limit on processes and threads of this user (ulimit -u is \(limit))"
    #expect(result.status == 1 && result.errors.contains(remedy), "\(result)")
    #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
  }

  /// The threads that a command needs depend on the number of processors. Training has begun a few before it checks.
  @Test(
    .enabled(if: canRun, "\(isMissing)"), arguments: [("--version", 9), ("train --config base.yaml --threads 2", 16)])
  func threadsThatSufficeAreUsed(_ arguments: String, _ limit: Int) throws {
    let result = try Self.shell(arguments, limit: limit, wrapper: "taskset -c 0")
    #expect(result.status == 0, "\(result)")
  }
}
