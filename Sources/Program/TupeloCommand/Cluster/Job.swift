internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloCluster
internal import TupeloTraining

/// The processes that `mpirun` has started to carry out one command, of which this is one; without `mpirun`, this
/// process alone.
///
/// The first process owns the run folder, the output and Ctrl-C. Every process calls the methods in the same order.
final class Job {
  let communicator: any Communicator
  let interrupt: Interrupt
  /// Undoes what was made before the work, when the command fails.
  var undo: () -> Void = {}

  private init(_ communicator: any Communicator, _ interrupt: Interrupt) {
    (self.communicator, self.interrupt) = (communicator, interrupt)
  }

  var isAlone: Bool { communicator.size == 1 }

  /// The number of this process, from 0.
  var number: Int { communicator.rank }

  /// The number of processes.
  var size: Int { communicator.size }

  /// The number of processes on this machine.
  var localSize: Int { communicator.localSize }

  /// The processors of a process when all processes of its machine take equally many.
  var processors: Int { Processors.count(amongProcesses: localSize) }

  // MARK: Steps that the processes take together

  /// Does something in every process. If it fails anywhere, all processes end, and the first one says why.
  func together<T>(_ body: () throws -> T) throws -> T { try Self.together(communicator, body) }

  private static func together<T>(_ communicator: any Communicator, _ body: () throws -> T) throws -> T {
    guard communicator.size > 1 else { return try body() }
    let result = Result { try body() }
    if case .failure = result, isFailureKnown.isSet { return try result.get() }
    var complaint: [UInt8] = []
    if case .failure(let error) = result {
      // The code comes before the text, so that an empty text is a failure, too.
      complaint = [UInt8(truncatingIfNeeded: CommandLineCheck.exitCode(of: error).rawValue)]
      complaint += Array(TupeloCommand.message(for: error).utf8)
    }
    let texts = communicator.gather(complaint)
    guard let failed = texts.firstIndex(where: { !$0.isEmpty }) else { return try result.get() }
    isFailureKnown.set()
    // `mpirun` ends with the exit code of any process, so all have that of the first one.
    guard communicator.isFirst else { throw CommandEnd.told(failed == 0 ? ExitCode(Int32(texts[0][0])) : .failure) }
    if case .failure = result { return try result.get() }
    throw CommandEnd.failure("rank \(failed): \(String(decoding: texts[failed].dropFirst(), as: UTF8.self))")
  }

  /// Does something in the first process alone, such as writing a file. If it fails, all processes end.
  ///
  /// - Returns: `nil` in the other processes.
  @discardableResult func first<T>(_ body: () throws -> T) throws -> T? {
    try together { try communicator.isFirst ? body() : nil }
  }

  /// A name that the first process chooses for all, such as one with a time, because clocks differ.
  func chosen(_ name: () throws -> String) throws -> String {
    let own = try first(name) ?? ""
    return String(decoding: communicator.broadcast(Array(own.utf8)), as: UTF8.self)
  }

  /// Trains. Progress is that of all processes, so all of them find the same `TrainingError`.
  func train(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as TrainingError {
      Self.isFailureKnown.set()
      throw communicator.isFirst ? error : CommandEnd.told(.failure)
    }
  }

  /// Makes sure that all processes were given the same settings.
  ///
  /// - Parameter facts: the values that must be equal, by name
  /// - Throws: an error that names a rank that differs, and the value that differs.
  func requireEqual(_ facts: @autoclosure () -> [(name: String, value: String)]) throws {
    guard !isAlone else { return }
    let texts = communicator.gather(Array(facts().map { "\($0.name)\t\($0.value)" }.joined(separator: "\n").utf8))
    try first {
      guard let other = texts.indices.first(where: { texts[$0] != texts[0] }) else { return }
      let lines = [0, other].map { rank in
        String(decoding: texts[rank], as: UTF8.self).split(separator: "\n").map { line in
          line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
      }
      let difference = zip(lines[0], lines[1]).first { $0 != $1 }
      guard let (here, there) = difference, here.count == 2, there.count == 2, here[0] == there[0] else {
        throw CommandEnd.failure("rank \(other) was started with another program or configuration than rank 0")
      }
      throw CommandEnd.failure(
        "rank \(other) differs from rank 0: \(here[0]) is \(there[1]) there and \(here[1]) here: "
          + "give all ranks the same value")
    }
  }

  // MARK: Begin and end

  /// The connection of the processes, once they have joined.
  private static let joined = Locked<(any Communicator)?>(nil)
  /// Set when all processes know of a failure, so that each of them ends by itself.
  private static let isFailureKnown = Latch()

  /// Joins the other processes. A program that was started without `mpirun` stays alone.
  ///
  /// - Parameter notice: the notice at the first signal
  /// - Throws: `CommandEnd` when there are other processes and the program cannot communicate with them.
  static func join(_ notice: String?) throws -> Job {
    let communicator = try connect()
    return Job(communicator, Interrupt(notice))
  }

  private static func connect() throws -> any Communicator {
    let environment = ProcessInfo.processInfo.environment
    let launch = RankLaunch(environment: environment)
    if let strangers = RankLaunch.strangers(environment) {
      Terminal.warning("srun started \(strangers) independent processes: with srun --mpi=pmix they work together")
    }
    #if MPI
    guard launch.isByLauncher else { return SoloCommunicator() }
    let communicator = try MPICommunicator.start()
    if let size = launch.size, size != communicator.size {
      throw CommandEnd.failure(
        "mpirun started \(size) processes that cannot find each other: it is not from the Open MPI that this "
          + "program was built with")
    }
    joined.withLock { $0 = communicator }
    if communicator.size > 1 { Terminal.join(as: "rank \(communicator.rank)", isHeard: communicator.isFirst) }
    return communicator
    #else
    guard let size = launch.size, size > 1 else { return SoloCommunicator() }
    throw CommandEnd.failure(
      "mpirun started \(size) processes, and this program was built without MPI: run .ci/setup --mpi, then "
        + "swift build -c release --product tupelo --traits MPI")
    #endif
  }

  /// Refuses to run a command in each of several processes that does not divide its work among them.
  ///
  /// - Throws: `CommandEnd`.
  static func check(_ command: any ParsableCommand) throws {
    guard !(command is any SharedCommand), let name = CommandLineCheck.name(of: command) else { return }
    let launch = RankLaunch(environment: ProcessInfo.processInfo.environment)
    guard let size = launch.size, size > 1 else { return }
    throw CommandEnd.failure(
      "mpirun started \(size) processes, and tupelo \(name) would do the same work in each: start it without mpirun")
  }

  /// Reports an error of this process, which has not joined the others yet, to all of them. So the error is printed
  /// once.
  ///
  /// - Returns: the error for this process
  static func share(_ error: any Error) -> any Error {
    let launch = RankLaunch(environment: ProcessInfo.processInfo.environment)
    guard joined.withLock({ $0 }) == nil, launch.size ?? 1 > 1 else { return error }
    do {
      return try together(connect()) { throw error }
    } catch {
      return error
    }
  }

  /// Whether the others cannot know that the command fails here.
  static func surprises(with error: any Error) -> Bool {
    switch error as? CommandEnd {
    case .stopped, .told: false
    case .wrong, .failure, nil: !isFailureKnown.isSet
    }
  }

  /// Waits for the others and leaves them, at the end of the program. While it waits, the process sleeps.
  static func leave() {
    guard let communicator = joined.withLock({ $0 }) else { return }
    communicator.barrier()
    #if MPI
    MPICommunicator.end()
    #endif
  }

  /// Ends all processes, because this one cannot continue and the others may wait for it. Does nothing when it is
  /// alone.
  static func abort(code: Int32) {
    guard joined.withLock({ $0 }) != nil else { return }
    #if MPI
    MPICommunicator.abort(code: code)
    #endif
  }
}
