internal import CTupeloShims
internal import Foundation

/// The processors that this process may use.
///
/// A machine can have more processors. Slurm, `taskset` and `mpirun` bind a process to some processors, and a container
/// can limit the processor time. `ProcessInfo.activeProcessorCount` counts the whole machine.
package enum Processors {
  /// The number of processors that this process may use, at least 1.
  package static let count = min(bound ?? limit, limit)

  /// The number of processors that the process is bound to, if the machine has more; `nil` if the process may use all
  /// of them, or if the system does not report it.
  package static let bound: Int? = {
    #if os(Linux)
    let count = Int(tupelo_allowed_processors())
    return count > 0 && count < ProcessInfo.processInfo.activeProcessorCount ? count : nil
    #else
    return nil
    #endif
  }()

  /// The number of processors for one of several equal processes of this machine, at least 1.
  ///
  /// A launcher binds each process to separate processors, so only the processors of the machine are divided.
  package static func count(amongProcesses processes: Int) -> Int { max(min(bound ?? limit, limit / processes), 1) }

  /// The processors of the machine, or fewer where control groups limit the processor time.
  private static let limit: Int = {
    let machine = max(ProcessInfo.processInfo.activeProcessorCount, 1)
    #if os(Linux)
    guard let memberships = text(ofFile: "/proc/self/cgroup"), let mounts = text(ofFile: "/proc/self/mountinfo")
    else { return machine }
    let groups = ControlGroups(memberships: memberships, mounts: mounts)
    return min(groups.processors(readingFile: text) ?? machine, machine)
    #else
    return machine
    #endif
  }()

  #if os(Linux)
  /// The text of a small file; `nil` if the file is missing. Files of the kernel have no size, so the file is read to
  /// its end.
  private static func text(ofFile path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    do {
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      // A file that cannot be read sets no limit.
      return nil
    }
  }
  #endif
}
