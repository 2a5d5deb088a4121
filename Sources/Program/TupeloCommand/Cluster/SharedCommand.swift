internal import ArgumentParser
internal import TupeloEngine
internal import TupeloRuns
internal import TupeloTraining

/// A command whose work the processes of `mpirun` can divide among themselves.
///
/// It is written for one process. All processes of a job carry out the same steps, and only the output of the first
/// one is seen. What a step needs from the other processes is a method of `Job`, which in a process alone just does it.
protocol SharedCommand: ParsableCommand {
  /// What the command line asks for.
  associatedtype Plan

  /// The notice at the first signal; `nil` when signals end the command at once.
  var notice: String? { get }

  /// Reads and checks what the command line names. Its error ends all processes, and is printed once.
  ///
  /// - Returns: `nil` when nothing is left to do.
  func plan(for job: Job) throws -> Plan?

  /// The values that must be equal in all processes, by name.
  func facts(of plan: Plan) -> [(name: String, value: String)]

  /// - Parameter plan: what it holds is free again when the command no longer needs it
  func carryOut(_ plan: consuming Plan, with job: Job) throws
}

extension SharedCommand {
  var notice: String? { "stopping; \(Interrupt.second)" }

  func run() throws {
    let job = try Job.join(notice)
    do {
      guard let plan = try job.together({ try plan(for: job) }) else { return }
      try job.requireEqual([("version", programVersion), ("behaviour", "\(behaviourVersion)")] + facts(of: plan))
      try carryOut(consume plan, with: job)
    } catch {
      job.undo()
      throw error
    }
  }
}
