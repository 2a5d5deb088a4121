internal import Foundation
internal import TupeloBase
internal import TupeloCluster
internal import TupeloReports
internal import TupeloTraining

// How the program names the processes of a job.
extension Job {
  /// The memory that a run takes.
  func memory(of configuration: RunConfiguration) -> String {
    let memory = Format.bytes(Trainer.memory(of: configuration, ranks: size))
    return isAlone ? memory : memory + " for each rank"
  }

  /// What each process has, such as `2 threads`.
  func each(_ text: String) -> String { isAlone ? text : "\(size) ranks with \(text) each" }

  /// The part of some work that is this process's own.
  func share(of title: String) -> String { isAlone ? title : title + ", the share of this rank" }

  /// Where a sweep executes so many runs at a time.
  var place: String { isAlone ? "" : " on each of \(size) ranks" }

  /// A warning of more workers in a process than it has cores; `nil` for fewer. `mpirun` binds a process to a core or
  /// a socket by default.
  ///
  /// - Parameter setting: the setting that makes the workers
  func warning(ofWorkers workers: Int, _ setting: String) -> String? {
    let cores = Processors.count
    if let bound = Processors.bound, RankLaunch(environment: ProcessInfo.processInfo.environment).isByLauncher {
      guard workers > bound else { return nil }
      return "\(setting), and the process is bound to \(Format.counted(bound, "core")), which gains nothing: give "
        + "mpirun --bind-to none"
    }
    guard workers * localSize > cores else { return nil }
    let sharing = localSize > 1 ? ", with \(localSize) ranks" : ""
    return "\(setting)\(sharing) on \(Format.counted(cores, "core")), which gains nothing"
  }

  /// The cost of merging replicas.
  func text(of merges: MergeTotals, in seconds: Double) -> String {
    let each = max(merges.merges, 1)
    let text =
      "\(Format.counted(merges.merges, "merge")) took \(Format.percent(merges.seconds / max(seconds, 1e-9))) of the "
      + "time, \(Format.whole(1000 * merges.seconds / Double(each))) ms and \(Format.grouped(merges.blocks / each)) "
      + "blocks each"
    guard merges.bytesSent > 0 else { return text }
    return text + ", of which this rank sent \(Format.bytes(merges.bytesSent / each))"
  }
}
