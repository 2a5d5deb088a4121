internal import ArgumentParser
internal import Foundation
internal import TupeloBase
internal import TupeloCluster

/// The processes that `mpirun` has started together, of which this is one.
///
/// The first of them owns the run folder, the output and Ctrl-C.
enum Ranks {
  /// Set while other processes may wait for this one.
  private static let isActive = Latch()
  /// The connection of the processes, once they have joined.
  private static let joined = Locked<(any Communicator)?>(nil)

  /// Joins the other processes. A program that was started without `mpirun` stays alone.
  ///
  /// - Throws: `CommandEnd` when there are other processes and the program cannot communicate with them.
  static func join() throws -> any Communicator {
    let environment = ProcessInfo.processInfo.environment
    let launch = RankLaunch(environment: environment)
    if let strangers = RankLaunch.strangers(environment) {
      Terminal.warning(
        "srun started \(strangers) independent processes: with srun --mpi=pmix they work together")
    }
    #if MPI
    guard launch.isByLauncher else { return SoloCommunicator() }
    let communicator = try MPICommunicator.start()
    if let size = launch.size, size != communicator.size {
      throw CommandEnd.failure(
        "mpirun started \(size) processes that cannot find each other: it is not from the Open MPI that this "
          + "program was built with")
    }
    isActive.set()
    joined.withLock { $0 = communicator }
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
  /// - Returns: the exit code of this process.
  static func share(_ error: any Error) -> any Error {
    let launch = RankLaunch(environment: ProcessInfo.processInfo.environment)
    guard !isActive.isSet, launch.size ?? 1 > 1 else { return error }
    do {
      return try join().together { throw error }
    } catch {
      return error
    }
  }

  /// Waits for the others and leaves them, at the end of the program. While it waits, the process sleeps.
  static func leave() {
    guard isActive.isSet else { return }
    joined.withLock { $0 }?.barrier()
    #if MPI
    MPICommunicator.end()
    #endif
  }

  /// Ends all processes, because this one cannot continue and the others may wait for it. Does nothing when it is
  /// alone.
  static func abort(code: Int32) {
    guard isActive.isSet else { return }
    #if MPI
    MPICommunicator.abort(code: code)
    #endif
  }

  /// The prefix of an error, which names its rank; empty for a process that runs alone.
  static var prefix: String {
    joined.withLock { $0 }.map { $0.size > 1 ? "rank \($0.rank): " : "" } ?? ""
  }
}

/// A command that divides its work among the processes of `mpirun`. Its first step with them is `together`.
protocol SharedCommand: ParsableCommand {}

/// How this process was started, according to its environment.
struct RankLaunch {
  /// Whether a launcher of MPI has started it.
  let isByLauncher: Bool
  /// The number of processes that were started together, if the launcher says so.
  let size: Int?

  /// The variables in which launchers pass the number of processes: Open MPI; MPICH and its kin.
  private static let sizes = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"]

  init(environment: [String: String]) {
    let size = Self.sizes.compactMap { environment[$0].flatMap { Int($0) } }.first
    // With srun --mpi=pmix it is Slurm that knows the number.
    let isPMIx = environment["PMIX_RANK"] != nil
    self.size = size ?? (isPMIx ? environment["SLURM_STEP_NUM_TASKS"].flatMap { Int($0) } : nil)
    isByLauncher = size != nil || isPMIx
  }

  /// The number of processes that `srun` has started with this one and that cannot find each other; `nil` where it
  /// has not, and in all of them but the first.
  static func strangers(_ environment: [String: String]) -> Int? {
    guard !RankLaunch(environment: environment).isByLauncher, environment["SLURM_PROCID"] == "0" else { return nil }
    return environment["SLURM_STEP_NUM_TASKS"].flatMap { Int($0) }.flatMap { $0 > 1 ? $0 : nil }
  }

  /// An environment for a process that this one starts and that runs alone.
  static func withoutLauncher(_ environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      !["OMPI_COMM_WORLD_", "PMIX_", "PMI_"].contains { name.hasPrefix($0) }
    }
  }
}

extension Communicator {
  /// Does something on every rank. If it fails anywhere, all ranks end, and the first one says why.
  ///
  /// - Throws: `CommandEnd.shared` on the first rank, and `told` on the others.
  func together<T>(_ body: () throws -> T) throws -> T {
    guard size > 1 else { return try body() }
    let result = Result { try body() }
    var complaint: [UInt8] = []
    if case .failure(let error) = result {
      // The code comes before the text, so that an empty text is a failure, too.
      complaint = [UInt8(truncatingIfNeeded: CommandLineCheck.exitCode(of: error).rawValue)]
      complaint += Array(TupeloCommand.message(for: error).utf8)
    }
    let texts = gather(complaint)
    guard let failed = texts.firstIndex(where: { !$0.isEmpty }) else { return try result.get() }
    // `mpirun` ends with the exit code of any process, so all have that of the first one.
    guard isFirst else { throw CommandEnd.told(failed == 0 ? ExitCode(Int32(texts[0][0])) : .failure) }
    if case .failure(let error) = result { throw CommandEnd.shared(error) }
    let reason = String(decoding: texts[failed].dropFirst(), as: UTF8.self)
    throw CommandEnd.shared(CommandEnd.failure("rank \(failed): \(reason)"))
  }

  /// Makes sure that all ranks were given the same settings.
  ///
  /// - Parameter facts: the values that must be equal, by name
  /// - Throws: `CommandEnd.shared`, whose text names a rank that differs, and the value that differs.
  func requireEqual(_ facts: [(name: String, value: String)]) throws {
    guard size > 1 else { return }
    let texts = gather(Array(facts.map { "\($0.name)\t\($0.value)" }.joined(separator: "\n").utf8))
    try together {
      guard isFirst, let other = texts.indices.first(where: { texts[$0] != texts[0] }) else { return }
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
}
