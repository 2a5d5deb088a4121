internal import Foundation
internal import TupeloBase

/// The threads that a command needs, started and ended before it begins.
///
/// On Linux, libdispatch repeats a failed start of a thread for ever, and nothing shows why a command does not go on.
/// So the program tries with threads of its own whether the system allows as many.
enum ThreadLimit {
  /// The threads of a process besides its workers: the first one, and those for tasks, signals, timers and input.
  private static let own = 8

  /// Checks that the system allows the threads of a command. Other processes may take some of them later.
  ///
  /// - Parameters:
  ///   - workers: threads that compute at the same time. libdispatch never starts more than there are processors.
  ///   - processes: processes of this program that the command starts, each with so many workers
  /// - Throws: `CommandEnd`, which names the limit.
  static func check(workers: Int = 1, processes: Int = 0) throws(CommandEnd) {
    #if canImport(Glibc)
    let each = own + min(workers, max(Processors.count, 2)) - 1
    let needed = processes == 0 ? each : own + processes * each
    let (started, code) = start(needed)
    guard code != 0 else { return }
    var limit = rlimit()
    let hasLimit =
      unsafe getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0 && limit.rlim_cur < rlim_t.max
    let reason = unsafe String(cString: strerror(code))
    let fewer = processes > 1 ? ", or give fewer --jobs" : workers > 1 ? ", or use fewer threads" : ""
    throw CommandEnd.failure(
      "\(started) of \(needed) threads can be started (\(reason)): raise the limit on processes and threads of this "
        + "user (ulimit -u\(hasLimit ? " is \(limit.rlim_cur)" : "")) or of its container (pids.max)\(fewer)")
    #endif
  }

  #if canImport(Glibc)
  /// Starts threads that wait for each other, and ends them.
  ///
  /// - Returns: how many could be started, and 0 or the errno of the one that could not
  private static func start(_ count: Int) -> (started: Int, code: Int32) {
    let gate = Locked(())
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    unsafe pthread_attr_init(attributes)
    defer {
      unsafe pthread_attr_destroy(attributes)
      unsafe attributes.deallocate()
    }
    // Libraries keep variables of each thread on its stack. The default takes more addresses than a limit may leave.
    unsafe pthread_attr_setstacksize(attributes, 1 << 20)
    var threads: [pthread_t] = []
    var code: Int32 = 0
    gate.withLock { _ in
      while threads.count < count, code == 0 {
        var thread: pthread_t = 0
        code = unsafe pthread_create(
          &thread, attributes,
          { gate in
            unsafe Unmanaged<Locked<Void>>.fromOpaque(gate!).takeUnretainedValue().withLock { _ in }
            return nil
          }, Unmanaged.passUnretained(gate).toOpaque())
        if code == 0 { threads.append(thread) }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    return (threads.count, code)
  }
  #endif
}
